import { eq, sql } from "drizzle-orm";
import type { AccountUser } from "../../../contract/people/account-user.ts";
import { accountUserRecords } from "../../../db/people/account-user-records.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { build } from "../../../db/shared/database.ts";
import { first } from "../../../db/shared/select.ts";
import type { LinkActor } from "../../../domain/access/actor.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";

/**
 * The invited person approves their own membership, which becomes active (contract 1, People).
 *
 * @returns the account user; 404 if the invitation was denied or withdrawn
 */
export async function approveInvitation(
  context: Context<LinkActor>,
): Promise<AccountUser | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId: id } = actor;
  const identifier = { form: "id", value: id } as const;
  const before = await first(db, selectRecord(accountUserRecords, accountId, identifier));
  if (!before) return notFound("account_user");
  const approval = build
    .update(accountUsers)
    .set({ state: "active", updatedAt: now })
    .where(sql`${eq(accountUsers.id, id)} and ${accountUsers.state} = 'pending'`);
  const change = { verb: "approve", records: accountUserRecords, id, before, writes: [approval] };
  const { after } = await commitChange(context, change);
  return after ?? notFound("account_user");
}
