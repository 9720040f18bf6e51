/**
 * Undoes a change of events: they are stored again as they were before it. Who was on call in between
 * stays, as with every change. Pure.
 */

import { isSkipping, withSkipping } from "../absences/absence.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { removeFromRosters } from "../rosters/roster-departure.ts";

export type UndoneChange = {
  /** The events of the change as they were before it. */
  readonly before: readonly OnCallEvent[];
  /** The ids of all events that the change made, changed or deleted. */
  readonly touchedIds: ReadonlySet<string>;
  /** All events of the families of these as they are now. */
  readonly current: readonly OnCallEvent[];
  /** People of `before` who have left the account since. */
  readonly left: ReadonlySet<string>;
};

export type Undo = {
  /** The events of `before` as they are stored again. */
  readonly restored: readonly OnCallEvent[];
  /** Present events that stay as they are. */
  readonly kept: readonly OnCallEvent[];
  /** The ids of present events that go, apart from those that are restored. */
  readonly removedIds: readonly string[];
};

/** Decides the undo, at `now` (epoch ms), of a change that no later change depends on. */
export function decideUndo(change: UndoneChange, now: number): Undo {
  const { before, touchedIds, current } = change;
  const restored = before.map((event) => restore(event, change, now));
  const restoredIds = new Set(restored.map(({ id }) => id));
  const goes = ({ id }: OnCallEvent) => touchedIds.has(id);
  return {
    restored,
    kept: current.filter((event) => !goes(event)),
    removedIds: current
      .filter((event) => goes(event) && !restoredIds.has(event.id))
      .map(({ id }) => id),
  };
}

/**
 * The event as it is stored again: people who left are not put back, and hours in which it skipped who
 * was unavailable stay so.
 */
function restore(event: OnCallEvent, { current, left }: UndoneChange, now: number): OnCallEvent {
  const present = current.find(({ id }) => id === event.id);
  const skipChanges = present
    ? withSkipping(present, isSkipping(event), now)
    : (event.skipChanges ?? []);
  return withoutPeople({ ...event, skipChanges }, left, now);
}

function withoutPeople(event: OnCallEvent, left: ReadonlySet<string>, now: number): OnCallEvent {
  const rosters = [event, ...(event.earlierRosters ?? [])];
  const isIn = rosters.some((it) => it.attendees.some(({ attendeeId }) => left.has(attendeeId)));
  return isIn ? removeFromRosters(event, left, now) : event;
}
