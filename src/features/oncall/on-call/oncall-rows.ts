// On-call events and absences in the form that `src/domain/oncall/oncall.ts` calculates with. The API, the alerts and
// the feeds all read these rows, so that they give the same answer.
import { type SQL, sql } from "drizzle-orm";
import {
  type Absence,
  absencesIn,
  type OnCallSchedule,
} from "../../../domain/oncall/absences/absence.ts";
import type { PlacedPast } from "../../../domain/oncall/changes/keep-past.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { type Select, select } from "../../../kernel/db/select.ts";
import { onCallColumns } from "../../change/event-columns.ts";
import { eventAttendees, eventRosters, eventSchedules, events } from "../../schema/oncall.ts";
import { selectAbsences, selectCovering } from "../absences/absence-rows.ts";
import { selectPast, selectPastPeople } from "../events/past-rows.ts";

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
