// On-call events: single, repeating or rotating shifts on one escalation layer (contract 4,
// Attributes). A change of an event also changes its overrides, in the same batch.
import { sql } from "drizzle-orm";
import type {
  EventWithClockChanges,
  EventWithOverridesRemoved,
} from "../../../contract/oncall/event.ts";
import { CreateEvent, UpdateEvent } from "../../../contract/oncall/event-parameters.ts";
import { type EventFamily, selectFamily, toFamily } from "../../../db/oncall/event-family.ts";
import { deleteWithOverrides, insertEvent, updateFamily } from "../../../db/oncall/event-rows.ts";
import { onCallColumns, toOnCallEvent } from "../../../db/oncall/oncall-rows.ts";
import type { RawRow } from "../../../db/records/attributes.ts";
import { identified, presentRecord, selectId, selectOne } from "../../../db/records/records.ts";
import {
  type Reference,
  type Resolved,
  resolveReferences,
  resolveWith,
} from "../../../db/records/references.ts";
import { events } from "../../../db/schema/oncall.ts";
import { statement } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { carryEdit } from "../../../domain/oncall/changes/carry-over.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import { checkOverrideMove } from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { clockChangeNotices } from "../../../domain/oncall/recurrence/clock-changes.ts";
import {
  type Identifier,
  parseIdentifier,
  prefixIdOf,
} from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  notFound,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import { type Answer, created, found, nothing } from "../../../http/answers.ts";
import { listRecords, pathIdentifier, writeAndRead } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../../http/route.ts";
import { exactly, made, many, noBody } from "../../../http/shown.ts";
import { createChild, lengthFaults, overrideFaults } from "./event-overrides.ts";
import {
  attendeesReference,
  blankEvent,
  positionFaults,
  withParameters,
} from "./event-parameters.ts";
import { eventRecords, showClockChange, shownChange, shownRead } from "./event-records.ts";

// ── Rules ──

function referencesOf(body: UpdateEvent): Reference[] {
  return [
    attendeesReference(body.account_user_ids),
    { field: "schedule_ids", kind: "schedule", ids: body.schedule_ids ?? [] },
  ];
}

/** All errors of a change that makes the event `edited`. */
function faultsOfEdit(
  family: EventFamily,
  edited: OnCallEvent,
  body: UpdateEvent,
  resolved: Resolved,
): FieldError[] {
  const { event, parent } = family;
  const faults = event.parentId
    ? [
        ...validateEventRule({ ...edited, repeat: false }),
        ...lengthFaults(edited, "end_datetime"),
        ...overrideFaults(family, body, resolved),
      ]
    : [...validateEventRule(edited)];
  faults.push(...positionFaults(body, edited.rotation));
  const sent = body.parent_id;
  const named = sent == null ? sent : (parseIdentifier("event", sent)?.value ?? "");
  if (named !== undefined && named !== event.parentId && named !== parentPrefixId(parent)) {
    faults.push({ field: "parent_id", message: "parent_id cannot be changed" });
  }
  const isMoved = edited.startAt !== event.startAt || edited.endAt !== event.endAt;
  if (parent && isMoved && edited.endAt > edited.startAt) {
    faults.push(...(checkOverrideMove(parent, event, edited)?.errors ?? []));
  }
  const { cutAt } = event;
  if (cutAt !== null && edited.startAt !== event.startAt && edited.startAt >= cutAt) {
    const end = formatInstant(cutAt);
    const message = `start_datetime is not before ${end}, when the event was terminated`;
    faults.push({ field: "start_datetime", message });
  }
  return resolved.ok ? faults : [...faults, ...resolved.errors];
}

/** Whether the body has all parameters needed to validate the event's times. */
const hasTimes = ({ start_datetime, end_datetime, time_zone }: UpdateEvent) =>
  [start_datetime, end_datetime, time_zone].every((it) => it !== undefined);

const parentPrefixId = (parent: OnCallEvent | null) => parent && prefixIdOf("event", parent.id);

// ── Routes ──

async function create(request: ApiRequest<CreateEvent>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  if (body.parent_id != null) return createChild(request, body.parent_id);
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  const identity = newIdentity("event", now, recordId);
  const people = resolved.ok ? resolved.idsOf("account_user_ids") : [];
  const event = withParameters(blankEvent(identity.id), body, people, now);
  const faults = [...validateEventRule(event), ...positionFaults(body, event.rotation)];
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const scheduleIds = resolved.idsOf("schedule_ids");
  const insert = insertEvent(accountId, event, identity, scheduleIds, body.meta);
  const writes = [...request.stillAllowed, ...insert];
  const identifier = { form: "id", value: identity.id } as const;
  const record = await writeAndRead(db, writes, eventRecords, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(request: ApiRequest<UpdateEvent>, identifier: Identifier): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const read = selectFamily(accountId, identifier);
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [read]);
  const family = toFamily(rows[0], identifier);
  if (!family) return notFound("event");
  const idsOf = (name: "account_user_ids" | "schedule_ids") =>
    body[name] !== undefined && resolved.ok ? resolved.idsOf(name) : undefined;
  const people = idsOf("account_user_ids");
  const changed = withParameters(family.event, body, people, now);
  const edited = family.event.repeat ? carryEdit(family.event, changed) : changed;
  const faults = faultsOfEdit(family, edited, body, resolved);
  if (faults.length > 0) return refuseFields(faults);
  const scheduleIds = family.event.parentId === null ? idsOf("schedule_ids") : undefined;
  const edit = {
    meta: body.meta,
    attendeesChanged: people !== undefined,
    exceptionsChanged: family.event.exceptions.length > 0,
    scheduleIds,
  };
  const changes = updateFamily(accountId, family, edited, edit, now);
  const { removed } = changes;
  const writes = [...request.stillAllowed, ...changes.writes];
  const record = await writeAndRead(db, writes, eventRecords, accountId, identifier);
  return isRefusal(record)
    ? record
    : found<EventWithOverridesRemoved>({ ...record, overrides_removed: removed });
}

/** Responds with the event and the daylight-saving notices of the coming year. */
async function get(request: ApiRequest): Promise<Answer> {
  const { db, actor, now } = request;
  const identifier = pathIdentifier(request, "event");
  if (isRefusal(identifier)) return identifier;
  const rule = sql`select ${onCallColumns} from ${events}
    where ${events.accountId} = ${actor.accountId} and ${identified(events, identifier)}`;
  const [records, rules] = await db.batch<RawRow>([
    statement(db, selectOne(eventRecords, actor.accountId, identifier)),
    statement(db, rule),
  ]);
  const [row, ruleRow] = [records?.results[0], rules?.results[0]];
  if (!row || !ruleRow) return notFound("event");
  const notices = clockChangeNotices(toOnCallEvent(ruleRow), now);
  const record = presentRecord(eventRecords, row);
  return found<EventWithClockChanges>({ ...record, clock_changes: notices.map(showClockChange) });
}

async function remove(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "event");
  if (isRefusal(identifier)) return identifier;
  const root = selectId(eventRecords, actor.accountId, identifier);
  const writes = [...request.stillAllowed, deleteWithOverrides(actor.accountId, root)];
  const results = await db.batch<RawRow>(writes.map((query) => statement(db, query)));
  return results.at(-1)?.results[0] ? nothing : notFound("event");
}

export const eventRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/events/time_zones",
    operation: "listTimeZones",
    summary: "List the time zones",
    shows: exactly("TimeZoneList"),
    handle: async () => ({
      kind: "list",
      list: { data: TIME_ZONE_NAMES, has_more: false, total_count: TIME_ZONE_NAMES.length },
    }),
  }),
  route({
    method: "GET",
    path: "/events",
    operation: "listEvents",
    summary: "List events",
    shows: many(eventRecords),
    handle: (request) => listRecords(request, eventRecords),
  }),
  route({
    method: "GET",
    path: "/events/:id",
    operation: "getEvent",
    summary: "Get an event",
    shows: shownRead,
    handle: get,
  }),
  route({
    method: "POST",
    path: "/events",
    operation: "createEvent",
    summary: "Create an event",
    description:
      "With `parent_id`, creates an override of the parent's occurrence that contains its start.",
    shows: made(eventRecords),
    refuses: ["conflict"],
    body: CreateEvent,
    furtherChecks: (body, { now }) => ({
      faults: hasTimes(body)
        ? validateEventRule(withParameters(blankEvent(""), body, [], now))
        : [],
      references: referencesOf(body),
    }),
    makes: eventRecords,
    handle: (request) => retryOnConflict(() => create(request)),
  }),
  ...updateRoutes({
    path: "/events/:id",
    operation: "updateEvent",
    summary: "Update an event",
    shows: shownChange,
    body: UpdateEvent,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "event");
      if (isRefusal(identifier)) return identifier;
      return retryOnConflict(() => update(request, identifier));
    },
  }),
  route({
    method: "DELETE",
    path: "/events/:id",
    operation: "deleteEvent",
    summary: "Delete an event and its overrides",
    shows: noBody,
    handle: (request) => retryOnConflict(() => remove(request)),
  }),
];
