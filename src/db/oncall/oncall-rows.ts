// On-call events in the form that `src/domain/oncall/oncall.ts` calculates with. The API, the alerts and
// the feeds all read these rows, so that they give the same answer.
import { type SQL, sql } from "drizzle-orm";
import type {
  FrequencyUnit,
  OnCallAttendee,
  OnCallEvent,
} from "../../domain/oncall/on-call-event.ts";
import type { RawRow } from "../records/attributes.ts";
import { eventAttendees, eventExceptions, eventSchedules, events } from "../schema/oncall.ts";

/** An event's attendees as JSON, in rotation order. */
const attendeesOfEvent = sql`(select json_group_array(json_object('id', ${eventAttendees.id},
    'attendeeId', ${eventAttendees.accountUserId}, 'attendeeType', 'AccountUser',
    'position', ${eventAttendees.position}) order by ${eventAttendees.position})
  from ${eventAttendees} where ${eventAttendees.eventId} = ${events.id})`;

/** An event's exceptions as JSON, by start. */
export const exceptionsOfEvent = sql<
  readonly { id: string; startAt: number }[]
>`(select json_group_array(json_object('id', ${eventExceptions.id},
    'startAt', ${eventExceptions.startAt}) order by ${eventExceptions.startAt})
  from ${eventExceptions} where ${eventExceptions.eventId} = ${events.id})`;

/** The columns that `toOnCallEvent` reads, for selects from `events`. */
export const onCallColumns = sql`${events.id} as id, ${events.createdAt} as event_created_at,
  ${events.parentId} as parent_id,
  ${events.overriddenStartAt} as overridden_start_at, ${events.startAt} as start_at,
  ${events.endAt} as end_at, ${events.layer} as layer, ${events.timeZone} as time_zone,
  ${events.repeat} as repeat, ${events.frequency} as frequency,
  ${events.frequencyUnit} as frequency_unit, ${events.daysOfWeek} as days_of_week,
  ${events.repeatEndAt} as repeat_end_at, ${events.cutAt} as cut_at,
  ${events.beginsAt} as begins_at, ${events.rotation} as rotation,
  ${events.turnOffset} as turn_offset, ${events.emptyPositions} as empty_positions,
  ${attendeesOfEvent} as attendees, ${exceptionsOfEvent} as exceptions`;

/**
 * Selects the events of some schedules that have not ended at `from`, once per schedule.
 *
 * @param schedules a select of one column of schedule ids
 * @param from epoch ms: the start of the window
 */
export function selectOnCallEvents(accountId: string, schedules: SQL, from: number): SQL {
  return sql`select ${eventSchedules.scheduleId} as schedule_id, ${onCallColumns}
    from ${eventSchedules} join ${events} on ${events.id} = ${eventSchedules.eventId}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${from}
      and ${eventSchedules.scheduleId} in (${schedules})
    order by ${eventSchedules.scheduleId}, ${events.id}`;
}

/** Converts rows of `selectOnCallEvents` to events by schedule id, without empty schedules. */
export function toOnCallEvents(rows: readonly RawRow[]): Map<string, OnCallEvent[]> {
  const bySchedule = new Map<string, OnCallEvent[]>();
  for (const row of rows) {
    const scheduleId = String(row.schedule_id);
    const event = toOnCallEvent(row);
    const existing = bySchedule.get(scheduleId);
    if (existing) existing.push(event);
    else bySchedule.set(scheduleId, [event]);
  }
  return bySchedule;
}

/** Converts a row of `onCallColumns`. */
export function toOnCallEvent(row: RawRow): OnCallEvent {
  return {
    id: String(row.id),
    createdAt: Number(row.event_created_at),
    parentId: textOrNull(row.parent_id),
    overriddenStartAt: numberOrNull(row.overridden_start_at),
    startAt: Number(row.start_at),
    endAt: Number(row.end_at),
    layer: Number(row.layer),
    timeZone: String(row.time_zone),
    repeat: row.repeat === 1,
    frequency: numberOrNull(row.frequency),
    frequencyUnit: textOrNull(row.frequency_unit) as FrequencyUnit | null,
    daysOfWeek: JSON.parse(String(row.days_of_week)) as number[],
    repeatEndAt: numberOrNull(row.repeat_end_at),
    cutAt: numberOrNull(row.cut_at),
    beginsAt: numberOrNull(row.begins_at),
    rotation: row.rotation === 1,
    turnOffset: Number(row.turn_offset),
    emptyPositions: JSON.parse(String(row.empty_positions)) as number[],
    attendees: JSON.parse(String(row.attendees)) as OnCallAttendee[],
    exceptions: JSON.parse(String(row.exceptions)) as { id: string; startAt: number }[],
  };
}

const numberOrNull = (value: unknown) => (value == null ? null : Number(value));
const textOrNull = (value: unknown) => (value == null ? null : String(value));
