import { eq, sql } from "drizzle-orm";
import type { PersonActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newId, newIdentity } from "../../../kernel/db/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { selectId, selectRecord } from "../../../kernel/db/records.ts";
import { resolveReferences, resolveWith } from "../../../kernel/db/references.ts";
import { deleteCommentsOn } from "../../alerts/comments/rows.ts";
import { commitChange, commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { broadcasts } from "../../schema/messages.ts";
import { broadcastObject } from "../../stubs.ts";
import { changeOptions, type OptionChanges } from "../responses/response-option-changes.ts";
import {
  type Destinations,
  destinationsOf,
  faultsOf,
  NOTHING_STORED,
  referencesOf,
} from "./broadcast-input.ts";
import { columnsOf, wakeBroadcast, writeOptions } from "./broadcast-writes.ts";
import type { Broadcast } from "./contract.ts";
import type { CreateBroadcast, UpdateBroadcast } from "./parameters.ts";
import { broadcastRecords, type StoredBroadcast, selectStoredBroadcast } from "./rows.ts";

/**
 * Sends a broadcast (contract 5).
 *
 * @param id the ULID of the new broadcast
 * @returns the broadcast; 422 for unknown destinations or none, and for invalid response options
 */
export async function createBroadcast(
  context: Context<PersonActor>,
  id: string,
  body: CreateBroadcast,
): Promise<Broadcast | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const entries = body.broadcast_response_options_attributes ?? [];
  const options = changeOptions([], entries, () => newId(now));
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  const faults = faultsOf(body, NOTHING_STORED, options);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const row = {
    ...newIdentity("broadcast", now, id),
    accountId,
    accountUserId,
    ...columnsOf(body, destinationsOf(body, resolved, NOTHING_STORED)),
    title: body.title,
  };
  const writes = [
    build.insert(broadcasts).values(row),
    ...writeOptions(accountId, id, options, now),
  ];
  // The object is called before the write: if this worker fails after the write, it still sends.
  await broadcastObject(env, row.prefixId).expect({ id, accountId });
  const change = { verb: "create", records: broadcastRecords, id, before: null, writes };
  const { after } = await commitChange(context, change);
  wakeBroadcast(context, { form: "id", value: id });
  return after ?? notFound("broadcast");
}

const CLOSED = refuse(
  "conflict",
  "the broadcast is closed; its destinations and response options cannot change",
);

const haveSameIds = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

/** Whether a write changes something that is fixed once a broadcast is closed. */
function changesFixedParts(
  stored: StoredBroadcast,
  destinations: Destinations,
  options: OptionChanges,
) {
  return (
    !haveSameIds(stored.teamIds, destinations.teamIds) ||
    !haveSameIds(stored.accountUserIds, destinations.accountUserIds) ||
    options.removed.length + options.changed.length + options.added.length > 0
  );
}

/**
 * Changes or closes a broadcast (contract 5). New destinations are notified.
 *
 * @returns the broadcast; 404; 409 for what is fixed in a closed one; 422 for unknown destinations
 *   or none, and for invalid response options
 */
export function updateBroadcast(
  context: Context,
  identifier: Identifier,
  body: UpdateBroadcast,
): Promise<Broadcast | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
      selectStoredBroadcast(accountId, identifier),
      selectRecord(broadcastRecords, accountId, identifier),
    ]);
    const [[stored], [before]] = rows;
    if (!stored || !before) return notFound("broadcast");
    const entries = body.broadcast_response_options_attributes ?? [];
    const options = changeOptions(stored.options, entries, () => newId(now));
    const faults = faultsOf(body, stored, options);
    if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
    if (faults.length > 0) return refuseFields(faults);
    const destinations = destinationsOf(body, resolved, stored);
    if (stored.status === "closed" && changesFixedParts(stored, destinations, options)) {
      return CLOSED;
    }
    const { id } = stored;
    const columns = {
      ...columnsOf(body, destinations),
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const writes = [
      assertUnchanged(broadcasts, id, stored.updatedAt),
      build.update(broadcasts).set(columns).where(eq(broadcasts.id, id)),
      ...writeOptions(accountId, id, options, now),
    ];
    const change = { verb: "update", records: broadcastRecords, id, before, writes };
    const { after } = await commitChange(context, change);
    wakeBroadcast(context, identifier);
    return after ?? notFound("broadcast");
  });
}

/**
 * Deletes a broadcast with its options, responses and comments; its notifications remain as
 * history. Null, or 404.
 */
export async function deleteBroadcast(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const target = sql`(${selectId(broadcastRecords, accountId, identifier)})`;
  const writes = [
    deleteCommentsOn(accountId, target),
    sql`delete from ${broadcasts} where ${broadcasts.id} = ${target}`,
  ];
  const change = { verb: "delete", records: broadcastRecords, identifier, writes };
  const { before } = await commitUnread(context, change);
  // Also if it is gone already: an earlier request may have ended before its object knew.
  wakeBroadcast(context, identifier);
  return before ? null : notFound("broadcast");
}
