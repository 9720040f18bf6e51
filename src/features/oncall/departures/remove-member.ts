import { eq, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import type { Context } from "../../change/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../change/delete-record.ts";
import { accountUserRecords } from "../../people/account-users/account-user-records.ts";
import { admins, KEEP_AN_ADMIN } from "../../people/account-users/account-user-writes.ts";
import { accountUsers } from "../../schema/people.ts";
import { accountDeparture, eventsOf } from "../events/departure-rows.ts";
import { changeOfDeparture } from "../on-call/departure-change.ts";
import type { OnCallChange } from "../on-call/preview-on-call-change.ts";

/**
 * Deletes a membership. The person leaves the rosters of events; foreign keys remove the person from
 * teams and delete the keys.
 *
 * @returns null; 404; 409 while it is in use, or if no admin would be left
 */
export async function removeMember(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  const lastAdmin = sql`select ${KEEP_AN_ADMIN} as message from target
    where not exists (select 1 from (${admins(accountId)}) as other where other.id <> target.id)`;
  const reasons = [lastAdmin, ...selectReferencesToReceiver(accountId)];
  const deletes = async (id: string) => [
    ...(await accountDeparture(db, accountId, id, now)).writes,
    dropReassignments(accountId, id),
    build.delete(accountUsers).where(eq(accountUsers.id, id)),
  ];
  const touches = (id: string) => eventsOf(accountId, id);
  const onCall = async (id: string): Promise<OnCallChange> => {
    const { changed, schedulesOf } = await accountDeparture(db, accountId, id, now);
    return { ...changeOfDeparture(changed, schedulesOf), leaver: id };
  };
  const deletion = { reasons, deletes, touches, onCall };
  const refusal = await deleteRecord(context, accountUserRecords, identifier, deletion);
  forgetKeys((known) => known.accountId === accountId);
  return refusal;
}
