// On-call events in the form that `src/domain/oncall/oncall.ts` calculates with. The API, the alerts and
// the feeds all read these rows, so that they give the same answer.
import { type SQL, sql } from "drizzle-orm";
import type { OnCallAttendee, OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import { eventAttendees, eventExceptions, eventSchedules, events } from "../schema/oncall.ts";
import { parsed, type Select, select } from "../shared/select.ts";

/** An event's attendees as JSON, in rotation order. */
const attendeesOfEvent = sql`(select json_group_array(json_object('id', ${eventAttendees.id},
    'attendeeId', ${eventAttendees.accountUserId}, 'attendeeType', 'AccountUser',
    'position', ${eventAttendees.position}) order by ${eventAttendees.position})
  from ${eventAttendees} where ${eventAttendees.eventId} = ${events.id})`;

/** An event's exceptions as JSON, by start. */
export const exceptionsOfEvent = sql<
  OnCallEvent["exceptions"]
>`(select json_group_array(json_object('id', ${eventExceptions.id},
    'startAt', ${eventExceptions.startAt}) order by ${eventExceptions.startAt})
  from ${eventExceptions} where ${eventExceptions.eventId} = ${events.id})`;

/** The columns of an `OnCallEvent`, for selects from `events`. */
export const onCallColumns = {
  id: events.id,
  createdAt: events.createdAt,
  parentId: events.parentId,
  overriddenStartAt: events.overriddenStartAt,
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
  rotation: events.rotation,
  turnOffset: events.turnOffset,
  emptyPositions: events.emptyPositions,
  attendees: parsed<readonly OnCallAttendee[]>(attendeesOfEvent),
  exceptions: parsed<OnCallEvent["exceptions"]>(exceptionsOfEvent),
};

/** An event in one of its schedules. */
type ScheduledEvent = { readonly scheduleId: string } & OnCallEvent;

/**
 * Selects the events of some schedules that have not ended at `from`, once per schedule.
 *
 * @param schedules a select of one column of schedule ids
 * @param from epoch ms: the start of the window
 */
export function selectOnCallEvents(
  accountId: string,
  schedules: SQL,
  from: number,
): Select<ScheduledEvent> {
  return select(
    { scheduleId: eventSchedules.scheduleId, ...onCallColumns },
    sql`from ${eventSchedules} join ${events} on ${events.id} = ${eventSchedules.eventId}
      where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${from}
        and ${eventSchedules.scheduleId} in (${schedules})
      order by ${eventSchedules.scheduleId}, ${events.id}`,
  );
}

/** The events of `selectOnCallEvents` by schedule id, without empty schedules. */
export function toOnCallEvents(rows: readonly ScheduledEvent[]): Map<string, OnCallEvent[]> {
  const bySchedule = new Map<string, OnCallEvent[]>();
  for (const { scheduleId, ...event } of rows) {
    const existing = bySchedule.get(scheduleId);
    if (existing) existing.push(event);
    else bySchedule.set(scheduleId, [event]);
  }
  return bySchedule;
}
