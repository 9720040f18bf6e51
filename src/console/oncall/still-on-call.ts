// The shifts of people who are away: the hours of an absence in which they are still on call.
import type { Absence } from "../../contract/oncall/absences/absence.ts";
import type { OnCallEntry } from "../../contract/oncall/on-call.ts";
import { type Conflict, conflictsOf } from "../../domain/oncall/absences/conflicts.ts";

/**
 * The hours of absences within [from, to) (epoch ms) in which their people are still on call, by
 * start; a shift that several teams have counts once.
 */
export function hoursStillOnCall(
  entries: readonly OnCallEntry[],
  absences: readonly Absence[],
  from: number,
  to: number,
): readonly Conflict[] {
  const shifts = new Map(entries.map((it) => [`${it.event_id} ${it.start_time}`, it]));
  const concerned = (absence: Absence, entry: OnCallEntry) =>
    absence.schedule_ids.length === 0 || absence.schedule_ids.includes(entry.schedule_id);
  const away = absences.filter(({ status }) => status !== "cancelled");
  return [...shifts.values()]
    .flatMap((entry) =>
      conflictsOf(
        [shiftOf(entry)],
        away.filter((it) => concerned(it, entry)).map(spanOf),
        from,
        to,
      ),
    )
    .toSorted((one, other) => one.startAt - other.startAt);
}

const spanOf = ({ id, account_user_id, start_datetime, end_datetime }: Absence) => ({
  id,
  accountUserId: account_user_id,
  startAt: Date.parse(start_datetime),
  endAt: Date.parse(end_datetime),
});

const shiftOf = (entry: OnCallEntry) => ({
  layer: entry.layer,
  startAt: Date.parse(entry.start_time),
  endAt: Date.parse(entry.end_time),
  eventId: entry.event_id,
  attendees: entry.attendees.map(({ id, attendee_id, attendee_type, position }) => ({
    id,
    attendeeId: attendee_id,
    attendeeType: attendee_type,
    position,
  })),
});
