/**
 * The hours that a change of a series leaves between the shift before it and the first changed one,
 * because that one starts later than before; and plain shifts in which the people of the shift before
 * serve them. Pure.
 */

import { type OnCallAttendee, type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import { lastOccurrence, nextOccurrence, type Occurrence } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import { restrictedHours } from "../restricted-hours.ts";
import { servingOf } from "../rosters/serving.ts";
import { withRemoved } from "../series-versions.ts";

/** More shifts than this do not extend one: the first changed shift is too far away. */
export const MOST_EXTENSIONS = 100;

/** [startAt, endAt) in epoch ms. */
export type Extension = {
  readonly startAt: number;
  readonly endAt: number;
  /** Who serves the end of the shift before, apart from its overrides. */
  readonly attendees: readonly OnCallAttendee[];
};

/**
 * The hours that `after` leaves to the shift before; null if it leaves none, if that shift had ended
 * before the first changed one was to start, or if it was nobody's turn.
 *
 * @param occurrence the first changed occurrence of `event`
 * @param after the series from it on
 */
export function extensionOf(
  event: OnCallEvent,
  occurrence: Occurrence,
  after: OnCallEvent,
): Extension | null {
  const previous = lastOccurrence(seriesOf(event), occurrence.startAt);
  // A removed occurrence is meant to be empty.
  const full = withRemoved(after);
  const first = nextOccurrence(full, after.beginsAt ?? after.startAt);
  if (!previous || !first || previous.endAt < occurrence.startAt) return null;
  if (first.startAt <= previous.endAt) return null;
  const attendees = servingOf(event)(previous).at(-1)?.attendees ?? [];
  if (attendees.length === 0) return null;
  return { startAt: previous.endAt, endAt: first.startAt, attendees };
}

/** The extension without people who have left the account; null: nobody is left to serve it. */
export function extensionWithout(
  extension: Extension,
  left: ReadonlySet<string>,
): Extension | null {
  const attendees = extension.attendees.filter(({ attendeeId }) => !left.has(attendeeId));
  return attendees.length === 0 ? null : { ...extension, attendees };
}

/**
 * The plain shifts of an extension, in the hours that the changed series is restricted to.
 *
 * @param after the changed series
 * @param newId makes an id of an event or an attendee
 */
export function extendingShifts(
  event: OnCallEvent,
  after: OnCallEvent,
  { startAt, endAt, attendees }: Extension,
  newId: () => string,
): readonly OnCallEvent[] {
  return restrictedHours(
    after,
    startAt,
    endAt,
  )({ startAt, endAt }).map((hours) => {
    const id = newId();
    return {
      ...event,
      ...SINGLE_SHIFT,
      ...hours,
      id,
      seriesId: id,
      attendees: attendees.map((it, position) => ({ ...it, id: newId(), position })),
      skipChanges: [],
      exceptions: [],
    };
  });
}
