// Writes who serves on-call events: the newest roster's people, and the rosters before it. One
// statement each, however many events there are.
import { type SQL, sql } from "drizzle-orm";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { rosterActiveUntil } from "../../../domain/oncall/rosters/roster-change.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import { eventAttendees, eventRosters } from "../../schema/oncall.ts";

export function insertAttendees(accountId: string, events: readonly OnCallEvent[]): SQL {
  const rows = events.flatMap(({ id: eventId, attendees }) =>
    attendees.map(({ id, attendeeId, position }) => ({ id, eventId, attendeeId, position })),
  );
  return sql`insert into ${eventAttendees} (id, account_id, event_id, account_user_id, position)
    select value ->> 'id', ${accountId}, value ->> 'eventId', value ->> 'attendeeId',
      value ->> 'position'
    from json_each(${JSON.stringify(rows)})`;
}

export function replaceAttendees(accountId: string, events: readonly OnCallEvent[]): SQL[] {
  return [
    sql`delete from ${eventAttendees} where ${eventAttendees.eventId} in ${idsOf(events)}`,
    insertAttendees(accountId, events),
  ];
}

/** Inserts the earlier rosters of those events that have some. */
export function insertRosters(accountId: string, events: readonly OnCallEvent[]): SQL[] {
  const rows = events.flatMap((event) =>
    earlierRostersOf(event).map((roster) => ({
      ...roster,
      eventId: event.id,
      activeUntil: rosterActiveUntil(event, roster),
    })),
  );
  if (rows.length === 0) return [];
  return [
    sql`insert into ${eventRosters} (account_id, event_id, until_at, active_until, rotation,
        turn_offset, attendees, empty_positions, cuts)
      select ${accountId}, value ->> 'eventId', value ->> 'untilAt', value ->> 'activeUntil',
        value ->> 'rotation', value ->> 'turnOffset', value -> 'attendees',
        value -> 'emptyPositions', iif(value ->> 'cuts' is null, null, value -> 'cuts')
      from json_each(${JSON.stringify(rows)})`,
  ];
}

/**
 * Writes the earlier rosters anew: how long one affects who is on call depends on the event's rule.
 *
 * @param stored the same events, as they are stored
 */
export function replaceRosters(
  accountId: string,
  stored: readonly OnCallEvent[],
  events: readonly OnCallEvent[],
): SQL[] {
  const changed = stored.filter((event) => earlierRostersOf(event).length > 0);
  const deleted = sql`delete from ${eventRosters} where ${eventRosters.eventId} in ${idsOf(changed)}`;
  return [...(changed.length > 0 ? [deleted] : []), ...insertRosters(accountId, events)];
}

const idsOf = (events: readonly OnCallEvent[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(events.map(({ id }) => id))}))`;
