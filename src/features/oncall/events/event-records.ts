// The record of an on-call event (contract 4, Attributes).
import { type SQL, sql } from "drizzle-orm";
import type { WhenAway } from "../../../domain/oncall/absences/absence.ts";
import type { OnCallAttendee, Restriction } from "../../../domain/oncall/on-call-event.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import {
  boolean,
  commonAttributes,
  instant,
  list,
  nested,
  nestedAs,
  number,
  reference,
  references,
  type Selected,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { exceptionsOfEvent, schedulesOfEvent } from "../../change/event-columns.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import {
  eventAttendees,
  eventRosters,
  eventSchedules,
  events,
  schedules,
} from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import type { EventPosition, EventRestriction } from "./contract.ts";

type Position = Pick<OnCallAttendee, "position"> & { id: string | null; attendeeId: string | null };

const showPositions = (positions: readonly Position[]): readonly EventPosition[] =>
  positions.map(({ id, attendeeId, position }) => ({
    id,
    attendee_id: attendeeId,
    attendee_type: "AccountUser",
    position,
  }));

const showExceptions = (exceptions: Selected<typeof exceptionsOfEvent>) =>
  exceptions.map(({ id, startAt }) => ({
    id,
    start_datetime: formatInstant(startAt),
  }));

const positions = sql`(select ${eventAttendees.id} as id,
      ${eventAttendees.accountUserId} as account_user_id, ${eventAttendees.position} as position
    from ${eventAttendees} where ${eventAttendees.eventId} = ${events.id}
  union all select null, null, empty.value from json_each(${events.emptyPositions}) as empty)`;

const peopleOfEvent = sql<
  readonly (string | null)[]
>`(select json_group_array(account_user_id order by position)
  from ${positions})`;

const positionsOfEvent = sql<readonly Position[]>`(select json_group_array(json_object('id', id,
    'attendeeId', account_user_id, 'position', position) order by position)
  from ${positions})`;

const peopleByPosition = sql<readonly (readonly string[])[]>`(select json_group_array(
    json(iif(people = '[null]', '[]', people)) order by position)
  from (select position, json_group_array(account_user_id) as people
    from ${positions} group by position))`;

const effectiveAt = sql<number | null>`(select max(${eventRosters.untilAt}) from ${eventRosters}
  where ${eventRosters.eventId} = ${events.id})`;

const showClock = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((it) => String(it).padStart(2, "0")).join(":");

export const showRestrictions = (
  restrictions: readonly Restriction[],
): readonly EventRestriction[] =>
  restrictions.map(({ daysOfWeek, startMinute, endMinute }) => ({
    days_of_week: [...daysOfWeek],
    start_time: showClock(startMinute),
    end_time: showClock(endMinute),
  }));

export const eventRecords: Records<"Event"> = {
  kind: "event",
  shows: "Event",
  from: events,
  accountId: events.accountId,
  id: events.id,
  prefixId: events.prefixId,
  attributes: {
    ...commonAttributes(events),
    parent_id: reference(events.parentId, events.accountId, events),
    /** The id of the event that the series began with, which may be gone. */
    series_id: string(sql<string>`coalesce(${events.seriesId}, ${events.id})`),
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
    /** No occurrence starts at or after this instant: `terminate_on` ended the series. */
    terminated_at: instant(events.cutAt),
    /** No occurrence starts before this instant: the event continues another from there. */
    begins_at: instant(events.beginsAt),
    import_id: reference(events.importId, events.accountId, calendarImports),
    rotation: boolean(events.rotation),
    schedule_ids: references(schedulesOfEvent, events.accountId, schedules),
    account_user_ids: references(peopleOfEvent, events.accountId, accountUsers),
    positions: nested(peopleByPosition),
    restrictions: nestedAs(events.restrictions, showRestrictions),
    priority: number(events.priority),
    when_away: string(
      sql<WhenAway>`iif(json_array_length(${events.skipChanges}) % 2, 'next_in_line', 'stay')`,
    ),
    /** When the newest roster took, or will take, over from an earlier one. */
    effective_at: instant(effectiveAt),
    event_attendees: nestedAs(positionsOfEvent, showPositions),
    exceptions: nestedAs(exceptionsOfEvent, showExceptions),
  },
  search: [],
  total: "events",
};

/** The condition that an event is in the schedule whose id `scheduleId` selects. */
export const isInSchedule = (accountId: string, scheduleId: SQL): SQL =>
  sql`${events.id} in (select ${eventSchedules.eventId} from ${eventSchedules}
    where ${eventSchedules.accountId} = ${accountId}
      and ${eventSchedules.scheduleId} = (${scheduleId}))`;
