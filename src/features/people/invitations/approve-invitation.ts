import { eq, sql } from "drizzle-orm";
import type { LinkActor } from "../../../domain/access/actor.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { accountUsers } from "../../schema/people.ts";
import { accountUserRecords } from "../account-users/account-user-records.ts";
import type { AccountUser } from "../account-users/contract.ts";

/**
 * The invited person approves their own membership, which becomes active (contract 1, People).
 *
 * @returns the account user; 404 if the invitation was denied or withdrawn
 */
export async function approveInvitation(
  context: Context<LinkActor>,
): Promise<AccountUser | Refusal> {
  const { actor, now } = context;
  const approval = build
    .update(accountUsers)
    .set({ state: "active", updatedAt: now })
    .where(sql`${eq(accountUsers.id, actor.accountUserId)} and ${accountUsers.state} = 'pending'`);
  const { after } = await commitUnread(context, {
    verb: "approve",
    records: accountUserRecords,
    identifier: { form: "id", value: actor.accountUserId },
    writes: [approval],
  });
  return after ?? notFound("account_user");
}
