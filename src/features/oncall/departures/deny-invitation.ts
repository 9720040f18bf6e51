import { eq, sql } from "drizzle-orm";
import type { LinkActor } from "../../../domain/access/actor.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../change/delete-record.ts";
import { accountUserRecords } from "../../people/account-users/account-user-records.ts";
import { accountUsers } from "../../schema/people.ts";
import { accountDeparture } from "../events/departure-rows.ts";

/**
 * The invited person denies their own membership, which is deleted.
 *
 * @returns null; 404 if it is gone; 409 once it is approved, and while the account's configuration
 *   refers to it
 */
export function denyInvitation(
  context: Context<LinkActor>,
): Promise<Decision<"AccountUser", null> | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const approved = sql`select 'approved' as message from ${accountUsers}, target
    where ${accountUsers.id} = target.id and ${accountUsers.state} <> 'pending'`;
  const identifier = { form: "id", value: accountUserId } as const;
  const reasons = [approved, ...selectReferencesToReceiver(accountId)];
  const deletes = async (id: string) => [
    ...(await accountDeparture(db, accountId, id, now)).writes,
    dropReassignments(accountId, id),
    build.delete(accountUsers).where(eq(accountUsers.id, id)),
  ];
  return deleteRecord(context, accountUserRecords, identifier, { reasons, deletes });
}
