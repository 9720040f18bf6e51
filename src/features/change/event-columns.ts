// The columns of an event with its people, rosters, exceptions and schedules, as the history and the calculation of who is
// on call read it.
import { type SQL, sql } from "drizzle-orm";
import type {
  EarlierRoster,
  OnCallAttendee,
  OnCallEvent,
} from "../../domain/oncall/on-call-event.ts";
import { parsed } from "../../kernel/db/select.ts";
import {
  eventAttendees,
  eventExceptions,
  eventRosters,
  eventSchedules,
  events,
} from "../schema/oncall.ts";

/** The ids of an event's schedules, as JSON. */
export const schedulesOfEvent = sql<
  readonly string[]
>`(select json_group_array(schedule_id order by schedule_id)
  from ${eventSchedules} where ${eventSchedules.eventId} = ${events.id})`;

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
