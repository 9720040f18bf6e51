import { eq, sql } from "drizzle-orm";
import { type Identifier, prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { build, statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import { forgetKeys } from "../../access/api-keys/key-actors.ts";
import type { Context } from "../../change/context.ts";
import {
  deleteRecord,
  dropReassignments,
  selectReferencesToReceiver,
} from "../../change/delete-record.ts";
import { accountDeparture, eventsOf } from "../../oncall/events/departure-rows.ts";
import { changeOfDeparture } from "../../oncall/on-call/departure-change.ts";
import type { OnCallChange } from "../../oncall/on-call/preview-on-call-change.ts";
import { eraseRemoved } from "../../operations/removal/erasure.ts";
import {
  requestErasure,
  selectMembers,
  withdrawRequest,
} from "../../operations/removal/erasure-rows.ts";
import { accountUsers } from "../../schema/people.ts";
import { accountUserRecords } from "./account-user-records.ts";
import { admins, KEEP_AN_ADMIN } from "./account-user-writes.ts";

/**
 * Deletes a membership. The person leaves the rosters of events; foreign keys remove the person from
 * teams and delete the keys.
 *
 * @param erase whether to erase at once what the account stored about the person, instead of 30 days
 *   after they leave their last account; this also works after the removal
 * @returns null; 404; 409 while it is in use, or if no admin would be left
 */
export function deleteAccountUser(
  context: Context,
  identifier: Identifier,
  { erase }: { readonly erase: boolean },
): Promise<Refusal | null> {
  return erase ? removeAndErase(context, identifier) : removeMember(context, identifier);
}

async function removeMember(context: Context, identifier: Identifier): Promise<Refusal | null> {
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

async function removeAndErase(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { env, db, actor, now } = context;
  const members = await all(db, selectMembers(actor.accountId));
  const member = members.find(({ id: it }) =>
    identifier.form === "id"
      ? it === identifier.value
      : prefixIdOf("account_user", it) === identifier.value,
  );
  if (!member) return removeMember(context, identifier);
  const { id, userId } = member;
  // Somebody who has left already is on call nowhere.
  if (context.preview) return member.isMember ? removeMember(context, identifier) : null;
  // Recorded first: if this worker fails after the removal, the sweep completes the erasure.
  await statement(db, requestErasure(actor.accountId, id, now)).run();
  const refusal = member.isMember ? await removeMember(context, identifier) : null;
  if (refusal) {
    await statement(db, withdrawRequest(id)).run();
    return refusal;
  }
  await eraseRemoved(env, now, userId).catch((error: unknown) => {
    logFault("an erasure is postponed", error, { id });
  });
  return null;
}
