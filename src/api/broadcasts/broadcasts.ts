// Broadcasts: messages to people and teams, optionally with response options (contract 5). The
// service sets the status; a caller can only close a broadcast.
import { eq, sql } from "drizzle-orm";
import {
  CreateBroadcast,
  UpdateBroadcast,
} from "../../contract/broadcasts/broadcast-parameters.ts";
import { deleteCommentsOn } from "../../db/alerts/comment-rows.ts";
import { notificationRecords } from "../../db/alerts/notification-records.ts";
import type { RawRow } from "../../db/records/attributes.ts";
import { selectId } from "../../db/records/records.ts";
import { resolveReferences, resolveWith } from "../../db/records/references.ts";
import { notifications } from "../../db/schema/alerts.ts";
import { broadcasts } from "../../db/schema/messages.ts";
import { build, statement } from "../../db/shared/database.ts";
import { newId, newIdentity } from "../../db/shared/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../db/shared/optimistic-retry.ts";
import { type Identifier, objectNameOf } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound, refuse, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, created, found, nothing } from "../../http/answers.ts";
import { listRecords, pathIdentifier, readRoutes, writeAndRead } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, many, noBody, one } from "../../http/shown.ts";
import { broadcastObject } from "../../objects/shared/stubs.ts";
import {
  columnsOf,
  type Destinations,
  destinationsOf,
  faultsOf,
  referencesOf,
} from "./broadcast-parameters.ts";
import {
  broadcastRecords,
  type HeldBroadcast,
  selectHeldBroadcast,
  toHeldBroadcast,
} from "./broadcast-records.ts";
import { changeOptions, type OptionChanges, writeOptions } from "./broadcast-response-options.ts";

// ── Rules ──

const CLOSED = refuse(
  "conflict",
  "the broadcast is closed; its destinations and response options cannot change",
);

const haveSameIds = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

/** Whether a write changes something that is fixed once a broadcast is closed. */
function changesFixedParts(
  stored: HeldBroadcast,
  destinations: Destinations,
  options: OptionChanges,
) {
  return (
    !haveSameIds(stored.teamIds, destinations.teamIds) ||
    !haveSameIds(stored.accountUserIds, destinations.accountUserIds) ||
    options.removed.length + options.changed.length + options.added.length > 0
  );
}

/** Wakes the broadcast's object after the response, to process the write. */
function wakeObject({ env, waitUntil }: ApiRequest<unknown>, identifier: Identifier): void {
  const woken = broadcastObject(env, objectNameOf("broadcast", identifier)).look();
  waitUntil(
    woken.catch((error: unknown) =>
      console.error({ message: "a broadcast was not looked at", error: String(error) }),
    ),
  );
}

const NOTHING_HELD = { teamIds: [], accountUserIds: [], responseRequested: false };

// ── Routes ──

async function create(request: ApiRequest<CreateBroadcast>): Promise<Answer> {
  const { env, db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const entries = body.broadcast_response_options_attributes ?? [];
  const options = changeOptions([], entries, () => newId(now));
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  const faults = faultsOf(body, NOTHING_HELD, options);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const row = {
    ...newIdentity("broadcast", now, recordId),
    accountId,
    accountUserId: actor.accountUserId,
    ...columnsOf(body, destinationsOf(body, resolved, NOTHING_HELD)),
    title: body.title,
  };
  const writes = [
    build.insert(broadcasts).values(row),
    ...writeOptions(accountId, row.id, options, now),
  ];
  // The object is called before the write: if this worker fails after the write, it still sends.
  await broadcastObject(env, row.prefixId).expect({ id: row.id, accountId });
  const identifier = { form: "id", value: row.id } as const;
  const record = await writeAndRead(db, writes, broadcastRecords, accountId, identifier);
  wakeObject(request, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(
  request: ApiRequest<UpdateBroadcast>,
  identifier: Identifier,
): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
    selectHeldBroadcast(accountId, identifier),
  ]);
  const row = rows[0]?.[0];
  if (!row) return notFound("broadcast");
  const stored = toHeldBroadcast(row);
  const entries = body.broadcast_response_options_attributes ?? [];
  const options = changeOptions(stored.options, entries, () => newId(now));
  const faults = faultsOf(body, stored, options);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const destinations = destinationsOf(body, resolved, stored);
  if (stored.status === "closed" && changesFixedParts(stored, destinations, options)) return CLOSED;
  const columns = {
    ...columnsOf(body, destinations),
    updatedAt: nextUpdatedAt(stored.updatedAt, now),
  };
  const writes = [
    assertUnchanged(broadcasts, stored.id, stored.updatedAt),
    build.update(broadcasts).set(columns).where(eq(broadcasts.id, stored.id)),
    ...writeOptions(accountId, stored.id, options, now),
  ];
  const record = await writeAndRead(db, writes, broadcastRecords, accountId, identifier);
  wakeObject(request, identifier);
  return isRefusal(record) ? record : found(record);
}

/**
 * Deletes the broadcast with its options, responses and comments. Its notifications remain as
 * history.
 */
async function remove(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "broadcast");
  if (isRefusal(identifier)) return identifier;
  const target = sql`(${selectId(broadcastRecords, actor.accountId, identifier)})`;
  const [, deleted] = await db.batch<RawRow>([
    statement(db, deleteCommentsOn(actor.accountId, target)),
    statement(db, sql`delete from ${broadcasts} where ${broadcasts.id} = ${target} returning id`),
  ]);
  wakeObject(request, identifier);
  return deleted?.results.length === 1 ? nothing : notFound("broadcast");
}

async function listNotifications(request: ApiRequest): Promise<Answer> {
  const identifier = pathIdentifier(request, "broadcast");
  if (isRefusal(identifier)) return identifier;
  return listRecords(request, notificationRecords(request), {
    below: {
      parent: broadcastRecords,
      identifier,
      scope: (broadcastId) => sql`${notifications.broadcastId} = (${broadcastId})`,
    },
  });
}

export const broadcastRoutes: readonly DeclaredRoute[] = [
  ...readRoutes("/broadcasts", "Broadcast", broadcastRecords),
  route({
    method: "POST",
    path: "/broadcasts",
    operation: "createBroadcast",
    summary: "Send a broadcast",
    shows: made(broadcastRecords),
    body: CreateBroadcast,
    furtherChecks: (body) => ({
      faults: faultsOf(
        body,
        NOTHING_HELD,
        changeOptions([], body.broadcast_response_options_attributes ?? [], () => ""),
      ),
      references: referencesOf(body),
    }),
    makes: broadcastRecords,
    handle: create,
  }),
  ...updateRoutes({
    path: "/broadcasts/:id",
    operation: "updateBroadcast",
    summary: "Update or close a broadcast",
    shows: one(broadcastRecords),
    body: UpdateBroadcast,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "broadcast");
      if (isRefusal(identifier)) return identifier;
      return retryOnConflict(() => update(request, identifier));
    },
  }),
  route({
    method: "DELETE",
    path: "/broadcasts/:id",
    operation: "deleteBroadcast",
    summary: "Delete a broadcast",
    shows: noBody,
    handle: remove,
  }),
  route({
    method: "GET",
    path: "/broadcasts/:id/notifications",
    operation: "listBroadcastNotifications",
    summary: "List a broadcast's notifications",
    shows: many(notificationRecords),
    handle: listNotifications,
  }),
];
