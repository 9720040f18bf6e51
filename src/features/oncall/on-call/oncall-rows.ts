// On-call events and absences in the form that `src/domain/oncall/oncall.ts` calculates with. The API, the alerts and
// the feeds all read these rows, so that they give the same answer.
import { type SQL, sql } from "drizzle-orm";
import {
  type Absence,
  absencesIn,
  type OnCallSchedule,
} from "../../../domain/oncall/absences/absence.ts";
import type { PlacedPast } from "../../../domain/oncall/changes/keep-past.ts";
import type {
  EarlierRoster,
  OnCallAttendee,
  OnCallEvent,
} from "../../../domain/oncall/on-call-event.ts";
import { parsed, type Select, select } from "../../../kernel/db/select.ts";
import {
  eventAttendees,
  eventExceptions,
  eventRosters,
  eventSchedules,
  events,
} from "../../schema/oncall.ts";
import { selectAbsences, selectCovering } from "../absences/absence-rows.ts";
import { selectPast, selectPastPeople } from "../events/past-rows.ts";

/** An event's attendees as JSON, in rotation order. */
export const attendeesOfEvent = sql`(select json_group_array(json_object('id', ${eventAttendees.id},
    'attendeeId', ${eventAttendees.accountUserId}, 'attendeeType', 'AccountUser',
    'position', ${eventAttendees.position}) order by ${eventAttendees.position})
  from ${eventAttendees} where ${eventAttendees.eventId} = ${events.id})`;

/** An event's exceptions as JSON, by start. */
export const exceptionsOfEvent = sql<
  OnCallEvent["exceptions"]
>`(select json_group_array(json_object('id', ${eventExceptions.id},
    'startAt', ${eventExceptions.startAt}) order by ${eventExceptions.startAt})
  from ${eventExceptions} where ${eventExceptions.eventId} = ${events.id})`;

/** The rosters before an event's own that affect who is on call from an instant on, as JSON. */
const rostersOfEvent = (from: number | SQL) => sql`(select json_group_array(json_object(
    'untilAt', ${eventRosters.untilAt}, 'cuts', json(${eventRosters.cuts}),
    'rotation', json(iif(${eventRosters.rotation}, 'true', 'false')),
    'turnOffset', ${eventRosters.turnOffset}, 'attendees', json(${eventRosters.attendees}),
    'emptyPositions', json(${eventRosters.emptyPositions})) order by ${eventRosters.untilAt})
  from ${eventRosters} where ${eventRosters.eventId} = ${events.id}
    and ${eventRosters.activeUntil} > ${from})`;

/**
 * The columns of an `OnCallEvent`, for selects from `events`.
 *
 * @param from epoch ms, or a select of it: rosters that affect nobody from then on are left out
 */
export const onCallColumns = (from: number | SQL) => ({
  id: events.id,
  createdAt: events.createdAt,
  seriesId: sql<string>`coalesce(${events.seriesId}, ${events.id})`,
  parentId: events.parentId,
  startAt: events.startAt,
  endAt: events.endAt,
  layer: events.layer,
  timeZone: events.timeZone,
  repeat: events.repeat,
  frequency: events.frequency,
  frequencyUnit: events.frequencyUnit,
  daysOfWeek: events.daysOfWeek,
  repeatEndAt: events.repeatEndAt,
  cutAt: events.cutAt,
  beginsAt: events.beginsAt,
  continues: events.continues,
  rotation: events.rotation,
  turnOffset: events.turnOffset,
  emptyPositions: events.emptyPositions,
  attendees: parsed<readonly OnCallAttendee[]>(attendeesOfEvent),
  earlierRosters: parsed<readonly EarlierRoster[]>(rostersOfEvent(from)),
  restrictions: events.restrictions,
  priority: events.priority,
  leavesEmpty: events.leavesEmpty,
  skipChanges: events.skipChanges,
  exceptions: parsed<OnCallEvent["exceptions"]>(exceptionsOfEvent),
});

/**
 * Selects the ids of everyone who may be on call in some schedules from an instant on: by a former
 * roster, too, in the past, or because an absence names them.
 *
 * @param schedules a select of one column of schedule ids
 * @param from epoch ms
 */
export function selectRosterPeople(accountId: string, schedules: SQL, from: number): SQL {
  const placed = sql`${eventSchedules.accountId} = ${accountId}
    and ${eventSchedules.activeUntil} > ${from}
    and ${eventSchedules.scheduleId} in (select id from here)`;
  return sql`select account_user_id from (with here(id) as (${schedules})
    select ${eventAttendees.accountUserId} as account_user_id from ${eventSchedules}
      join ${eventAttendees} on ${eventAttendees.eventId} = ${eventSchedules.eventId}
      where ${placed}
    union select attendee.value ->> 'attendeeId' from ${eventSchedules}
      join ${eventRosters} on ${eventRosters.eventId} = ${eventSchedules.eventId}
        and ${eventRosters.activeUntil} > ${from}, json_each(${eventRosters.attendees}) as attendee
      where ${placed}
    union select account_user_id from (${selectPastPeople(accountId, from)})
      where schedule_id in (select id from here)
    union ${selectCovering(accountId, from)})`;
}

/** An event in one of its schedules. */
type ScheduledEvent = { readonly scheduleId: string } & OnCallEvent;

/**
 * Selects the events of some schedules that have not ended at `from`, once per schedule.
 *
 * @param schedules a select of one column of schedule ids
 * @param from epoch ms, or a select of it: the start of the window; null selects nothing
 */
export function selectOnCallEvents(
  accountId: string,
  schedules: SQL,
  from: number | SQL,
): Select<ScheduledEvent> {
  return select(
    { scheduleId: eventSchedules.scheduleId, ...onCallColumns(from) },
    sql`from ${eventSchedules} join ${events} on ${events.id} = ${eventSchedules.eventId}
      where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${from}
        and ${eventSchedules.scheduleId} in (${schedules})
      order by ${eventSchedules.scheduleId}, ${events.id}`,
  );
}

/**
 * Selects what decides who is on call in some schedules: as `selectOnCallEvents`, with absences and
 * what the events were in hours of the past.
 */
export const selectOnCall = (accountId: string, schedules: SQL, from: number | SQL) =>
  [
    selectOnCallEvents(accountId, schedules, from),
    selectAbsences(accountId, from),
    selectPast(accountId, schedules, from),
  ] as const;

/** The schedules of `selectOnCall` by id, without those that have no events, and had none. */
export function toOnCallSchedules(
  rows: readonly ScheduledEvent[],
  absences: readonly Absence[],
  past: readonly PlacedPast[],
): Map<string, OnCallSchedule> {
  const eventsOf = Map.groupBy(rows, ({ scheduleId }) => scheduleId);
  const pastOf = Map.groupBy(past, ({ scheduleId }) => scheduleId);
  return new Map(
    [...new Set([...eventsOf.keys(), ...pastOf.keys()])].map((id) => [
      id,
      {
        events: (eventsOf.get(id) ?? []).map(({ scheduleId: _, ...event }) => event),
        absences: absencesIn(absences, id),
        past: pastOf.get(id) ?? [],
      },
    ]),
  );
}
