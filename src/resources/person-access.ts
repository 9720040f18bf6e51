// Who may change a person's own data (contract 1, People): the person themself, or an admin while this account is
// their only membership.
import { type SQL, sql } from "drizzle-orm";
import { demand } from "../db/demand.ts";
import { accountUsers } from "../db/schema/people.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import type { Actor } from "../http/actor.ts";
import type { Person } from "./held-person.ts";

const NOT_THEM = refuse("forbidden", "only they themselves or an admin may do this");
const FOREIGN_KEY = refuse(
  "forbidden",
  "somebody else made this key: change your own data signed in, or with a key that you made yourself",
);

/** Whether the person themself acts: signed in, or with a key that they made. */
export const isSelf = (actor: Actor, { userId }: Pick<Person, "userId">): boolean =>
  userId === actor.userId && actor.isOwnCredential;

/** Why the actor may not change what belongs to the person, else null (contract 1, People). */
export function mayNotChange(actor: Actor, changed: Person): Refusal | null {
  if (isSelf(actor, changed)) return null;
  if (!actor.roles.admin) return changed.userId === actor.userId ? FOREIGN_KEY : NOT_THEM;
  if (changed.state === "pending") {
    return refuse("forbidden", "they have not accepted the invitation to this account yet");
  }
  return changed.elsewhere
    ? refuse(
        "forbidden",
        "they belong to other accounts too: only they themselves may do this, signed in or with a key that they made",
      )
    : null;
}

/** The demand that what `mayNotChange` found still holds when the change is written. */
export function mayStillChange(actor: Actor, person: Pick<Person, "userId">): SQL[] {
  if (isSelf(actor, person)) return [];
  const { userId } = person;
  return [
    demand(sql`not exists (select 1 from ${accountUsers} where ${accountUsers.userId} = ${userId}
      and ${accountUsers.accountId} <> ${actor.accountId})`),
  ];
}
