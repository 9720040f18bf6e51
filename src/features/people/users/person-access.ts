// Who may change a person's own data (contract 1, People): the person, or an admin while this
// account is the person's only membership.
import { type SQL, sql } from "drizzle-orm";
import { isSelf, type MemberActor } from "../../../domain/access/actor.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { accountUsers } from "../../schema/people.ts";
import type { UserPerson } from "./rows.ts";

const NOT_THEM = refuse("forbidden", "only the person or an admin can do this");
const FOREIGN_KEY = refuse(
  "forbidden",
  "somebody else created this key: change your data signed in, or with a key that you created",
);

/**
 * The refusal if the actor may not change the person's own data, else null (contract 1, People).
 */
export function refusePersonChange(actor: MemberActor, changed: UserPerson): Refusal | null {
  if (isSelf(actor, changed)) return null;
  if (!actor.roles.admin) return changed.userId === actor.userId ? FOREIGN_KEY : NOT_THEM;
  if (changed.state === "pending") {
    return refuse("forbidden", "the person has not accepted the invitation to this account");
  }
  return changed.elsewhere
    ? refuse(
        "forbidden",
        "the person belongs to other accounts too: only the person can do this, signed in or with a key that they created",
      )
    : null;
}

/** The preconditions under which `refusePersonChange` still allows the change at the write. */
export function assertMayChangePerson(
  actor: MemberActor,
  person: Pick<UserPerson, "userId">,
): SQL[] {
  if (isSelf(actor, person)) return [];
  const { userId } = person;
  return [
    assertPrecondition(sql`not exists (select 1 from ${accountUsers} where ${accountUsers.userId} = ${userId}
      and ${accountUsers.accountId} <> ${actor.accountId})`),
  ];
}
