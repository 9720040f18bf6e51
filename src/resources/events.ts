// On-call events: single, repeating or rotating shifts on one escalation layer (specification, Event;
// `contract.md` 4). Every write keeps `active_until` as the event's rule has it: with a wrong one somebody who is
// on call would not be found.
import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type * as z from "zod";
import {
  boolean,
  commonAttributes,
  instant,
  list,
  nested,
  number,
  reference,
  references,
  string,
} from "../db/attributes.ts";
import { decideAndWrite, demandUnchanged, nextUpdatedAt } from "../db/contention.ts";
import { build } from "../db/database.ts";
import { newIdentity } from "../db/identifiers.ts";
import {
  attendeesOfEvent,
  exceptionsOfEvent,
  onCallColumns,
  toOnCallEvent,
} from "../db/oncall-rows.ts";
import { identified, type Records } from "../db/records.ts";
import { type Reference, resolveReferences, resolveWith } from "../db/references.ts";
import { eventAttendees, eventSchedules, events, FOREVER, schedules } from "../db/schema/oncall.ts";
import { accountUsers } from "../db/schema/people.ts";
import { faultsOf } from "../domain/event-faults.ts";
import type { Identifier } from "../domain/identifiers.ts";
import { activeUntil, type OnCallAttendee, type OnCallEvent } from "../domain/oncall.ts";
import { isRefusal, refuseFields } from "../domain/refusal.ts";
import { formatInstant } from "../domain/time.ts";
import { TIME_ZONE_NAMES } from "../domain/time-zones.ts";
import { type Answer, created, found } from "../http/answers.ts";
import {
  deleteRecord,
  notFound,
  pathIdentifier,
  readRoutes,
  writeAndRead,
} from "../http/records.ts";
import { type ApiRequest, type Route, route, updateRoutes } from "../http/route.ts";
import { administersEvent, administersNewEvent } from "./event-admins.ts";
import {
  blankEvent,
  createEvent,
  type EventParameters,
  updateEvent,
  withParameters,
} from "./event-parameters.ts";

// ── Shape ──

/** An attendee as events and on-call entries show it. */
export function showAttendee({ id, attendeeId, attendeeType, position }: OnCallAttendee) {
  return { id, attendee_id: attendeeId, attendee_type: attendeeType, position };
}

const showAttendees = (value: unknown) => (value as OnCallAttendee[]).map(showAttendee);

const showExceptions = (value: unknown) =>
  (value as { id: string; startAt: number }[]).map(({ id, startAt }) => ({
    id,
    start_datetime: formatInstant(startAt),
  }));

// ── Rows ──

const schedulesOfEvent = sql`(select json_group_array(schedule_id order by schedule_id)
  from ${eventSchedules} where ${eventSchedules.eventId} = ${events.id})`;

const peopleOfEvent = sql`(select json_group_array(account_user_id order by position)
  from ${eventAttendees} where ${eventAttendees.eventId} = ${events.id})`;

export const eventRecords: Records = {
  kind: "event",
  from: events,
  accountId: events.accountId,
  id: events.id,
  prefixId: events.prefixId,
  attributes: {
    ...commonAttributes(events),
    parent_id: reference(events.parentId, events.accountId, events),
    start_datetime: instant(events.startAt),
    end_datetime: instant(events.endAt),
    start_time: instant(events.startAt),
    end_time: instant(events.endAt),
    layer: number(events.layer),
    time_zone: string(events.timeZone),
    repeat: boolean(events.repeat),
    frequency: number(events.frequency),
    frequency_unit: string(events.frequencyUnit),
    days_of_week: list(events.daysOfWeek),
    repeat_end_datetime: instant(events.repeatEndAt),
    rotation: boolean(events.rotation),
    schedule_ids: references(schedulesOfEvent, events.accountId, schedules),
    account_user_ids: references(peopleOfEvent, events.accountId, accountUsers),
    event_attendees: nested(attendeesOfEvent, showAttendees),
    exceptions: nested(exceptionsOfEvent, showExceptions),
  },
  search: [],
  total: "events",
};

/** The columns of an event's rule, all of them: what is beside them is worked out of nothing else. */
function columnsOf(event: OnCallEvent, body: EventParameters) {
  const { id: _, attendees: __, exceptions: ___, ...rule } = event;
  return { ...rule, ...(body.meta !== undefined && { meta: body.meta }) };
}

function insertAttendees(accountId: string, event: OnCallEvent): SQLWrapper {
  return sql`insert into ${eventAttendees} (id, account_id, event_id, account_user_id, position)
    select value ->> 'id', ${accountId}, ${event.id}, value ->> 'attendeeId', value ->> 'position'
    from json_each(${JSON.stringify(event.attendees)})`;
}

function insertSchedules(
  accountId: string,
  event: OnCallEvent,
  scheduleIds: readonly string[],
): SQLWrapper {
  return sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
    select ${accountId}, value, ${event.id}, ${activeUntil(event) ?? FOREVER}
    from json_each(${JSON.stringify(scheduleIds)})`;
}

/** Puts the event into these schedules and no others, or, without them, keeps it where it is. */
function placeIn(
  accountId: string,
  event: OnCallEvent,
  scheduleIds: readonly string[] | undefined,
): SQLWrapper[] {
  const here = eq(eventSchedules.eventId, event.id);
  if (scheduleIds === undefined) {
    const until = activeUntil(event) ?? FOREVER;
    return [build.update(eventSchedules).set({ activeUntil: until }).where(here)];
  }
  return [build.delete(eventSchedules).where(here), insertSchedules(accountId, event, scheduleIds)];
}

// ── Rules ──

function referencesOf(body: EventParameters): Reference[] {
  return [
    { field: "account_user_ids", kind: "account_user", ids: body.account_user_ids ?? [] },
    { field: "schedule_ids", kind: "schedule", ids: body.schedule_ids ?? [] },
  ];
}

// ── Routes ──

async function create(request: ApiRequest<z.output<typeof createEvent>>): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const { accountId } = actor;
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  const identity = newIdentity("event", now, recordId);
  const people = resolved.ok ? resolved.idsOf("account_user_ids") : [];
  const event = withParameters(blankEvent(identity.id), body, people, now);
  const faults = faultsOf(event);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const writes = [
    build.insert(events).values({ ...columnsOf(event, body), ...identity, accountId }),
    insertAttendees(accountId, event),
    insertSchedules(accountId, event, resolved.idsOf("schedule_ids")),
  ];
  const identifier = { form: "id", value: identity.id } as const;
  const record = await writeAndRead(db, writes, eventRecords, accountId, identifier);
  return isRefusal(record) ? record : created(record);
}

async function update(
  request: ApiRequest<EventParameters>,
  identifier: Identifier,
): Promise<Answer> {
  const { db, actor, now, body } = request;
  const { accountId } = actor;
  const read = sql`select ${onCallColumns}, ${events.updatedAt} as updated_at from ${events}
    where ${events.accountId} = ${accountId} and ${identified(eventRecords, identifier)}`;
  const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [read]);
  const row = rows[0]?.[0];
  if (!row) return notFound("event");
  const people = body.account_user_ids && resolved.ok && resolved.idsOf("account_user_ids");
  const event = withParameters(toOnCallEvent(row), body, people || undefined, now);
  const faults = faultsOf(event);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const readUpdatedAt = Number(row.updated_at);
  const columns = { ...columnsOf(event, body), updatedAt: nextUpdatedAt(readUpdatedAt, now) };
  const writes: SQLWrapper[] = [
    demandUnchanged(events, event.id, readUpdatedAt),
    build.update(events).set(columns).where(eq(events.id, event.id)),
    ...(people ? replaceAttendees(accountId, event) : []),
    ...placeIn(accountId, event, body.schedule_ids && resolved.idsOf("schedule_ids")),
  ];
  const record = await writeAndRead(db, writes, eventRecords, accountId, identifier);
  return isRefusal(record) ? record : found(record);
}

function replaceAttendees(accountId: string, event: OnCallEvent): SQLWrapper[] {
  return [
    build.delete(eventAttendees).where(eq(eventAttendees.eventId, event.id)),
    insertAttendees(accountId, event),
  ];
}

export const eventRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/events/time_zones",
    operation: "listTimeZones",
    allow: "everyone",
    handle: async () => ({
      kind: "list",
      list: { data: TIME_ZONE_NAMES, has_more: false, total_count: TIME_ZONE_NAMES.length },
    }),
  }),
  ...readRoutes("/events", "Event", eventRecords),
  route({
    method: "POST",
    path: "/events",
    operation: "createEvent",
    allow: "team_admin",
    administers: administersNewEvent,
    body: createEvent,
    makes: eventRecords,
    handle: (request) => decideAndWrite(() => create(request)),
  }),
  ...updateRoutes({
    path: "/events/:id",
    operation: "updateEvent",
    allow: "team_admin",
    administers: administersEvent,
    body: updateEvent,
    handle: async (request) => {
      const identifier = pathIdentifier(request, "event");
      if (isRefusal(identifier)) return identifier;
      return decideAndWrite(() => update(request, identifier));
    },
  }),
  route({
    method: "DELETE",
    path: "/events/:id",
    operation: "deleteEvent",
    allow: "team_admin",
    administers: (request) => administersEvent({ ...request, body: {} }),
    handle: (request) => deleteRecord(request, "event", events),
  }),
];
