import { eq, sql } from "drizzle-orm";
import { accountDeparture } from "../../../db/oncall/departure-rows.ts";
import { accountUserRecords } from "../../../db/people/account-user-records.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { build } from "../../../db/shared/database.ts";
import type { LinkActor } from "../../../domain/access/actor.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../shared/delete-record.ts";

/**
 * The invited person denies their own membership, which is deleted.
 *
 * @returns null; 404 if it is gone; 409 once it is approved, and while the account's configuration
 *   refers to it
 */
export function denyInvitation(context: Context<LinkActor>): Promise<Refusal | null> {
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
