// The record of an on-call event (contract 4, Attributes).
import { sql } from "drizzle-orm";
import type { EventPosition } from "../../../contract/oncall/event.ts";
import { schedulesOfEvent } from "../../../db/oncall/event-family.ts";
import { exceptionsOfEvent } from "../../../db/oncall/oncall-rows.ts";
import {
  boolean,
  commonAttributes,
  instant,
  list,
  nestedAs,
  number,
  reference,
  references,
  type Selected,
  string,
} from "../../../db/records/attributes.ts";
import type { Records } from "../../../db/records/records.ts";
import { eventAttendees, events, schedules } from "../../../db/schema/oncall.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import type { OnCallAttendee } from "../../../domain/oncall/on-call-event.ts";
import type { ClockChangeNotice } from "../../../domain/oncall/recurrence/clock-changes.ts";
import { formatInstant, MINUTE } from "../../../domain/shared/time.ts";
import { one } from "../../../http/shown.ts";

/** An attendee in the format of events and on-call entries. */
export function showAttendee({ id, attendeeId, attendeeType, position }: OnCallAttendee) {
  return { id, attendee_id: attendeeId, attendee_type: attendeeType, position };
}

/** A notice of an occurrence that a daylight-saving change affects, with its resulting times. */
export function showClockChange(notice: ClockChangeNotice) {
  const { interval, longerBy } = notice;
  return {
    local_start: notice.localStart,
    local_end: notice.localEnd,
    start: notice.start,
    end: notice.end,
    happens: interval !== null,
    start_time: interval && formatInstant(interval.startAt),
    end_time: interval && formatInstant(interval.endAt),
    longer_by_minutes: interval && longerBy / MINUTE,
  };
}

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
    rotation: boolean(events.rotation),
    schedule_ids: references(schedulesOfEvent, events.accountId, schedules),
    account_user_ids: references(peopleOfEvent, events.accountId, accountUsers),
    event_attendees: nestedAs(positionsOfEvent, showPositions),
    exceptions: nestedAs(exceptionsOfEvent, showExceptions),
  },
  search: [],
  total: "events",
};

/** The response to reading one event. */
export const shownRead = one(eventRecords, "EventWithClockChanges");

/** The response to changing one event. */
export const shownChange = one(eventRecords, "EventWithOverridesRemoved");
