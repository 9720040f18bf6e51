import { eq, sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import type { Decision } from "../../change/change.ts";
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
import { effectOf } from "../on-call/on-call-effect.ts";

/** The decision that removes a member. */
export type RemovalDecision = Decision<"AccountUser", null>;

/**
 * Deletes a membership. The person leaves the rosters of events; foreign keys remove the person from
 * teams and delete the keys.
 *
 * @returns the decision; 404; 409 while it is in use, or if no admin would be left
 */
export async function removeMember(
  context: Context,
  identifier: Identifier,
): Promise<RemovalDecision | Refusal> {
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
  const effect = async (id: string) => {
    const { changed, schedulesOf } = await accountDeparture(db, accountId, id, now);
    return effectOf({ ...changeOfDeparture(changed, schedulesOf), leaver: id });
  };
  const deletion = { reasons, deletes, touches, effect };
  const decided = await deleteRecord(context, accountUserRecords, identifier, deletion);
  if (isRefusal(decided)) return decided;
  const answer = () => {
    forgetKeys((known) => known.accountId === accountId);
    return null;
  };
  return { ...decided, answer };
}
