/**
 * Undoes a change of events. From now on, and before the change, everybody is on call as without it;
 * in between, who was on call stays as it was served. Pure.
 */

import { type Absence, isSkipping, withSkipping } from "../absences/absence.ts";
import { type OnCallAttendee, type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import { removeFromRosters } from "../rosters/roster-departure.ts";
import type { PlacedEvents } from "./contributions.ts";
import { servedPieces } from "./served-pieces.ts";

/** More pieces than this are not written for hours that were served since the change. */
export const MOST_PIECES = 500;

export type UndoneChange = {
  /** The events of the change as they were before it. */
  readonly before: PlacedEvents;
  /** The ids of all events that the change made, changed or deleted. */
  readonly touchedIds: ReadonlySet<string>;
  /** All events of the families of these as they are now. */
  readonly current: PlacedEvents;
  /** When the change was made (epoch ms). */
  readonly changedAt: number;
  /** The absences that concern their schedules, in order. */
  readonly absences: readonly Absence[];
  /** People of `before` who have left the account since. */
  readonly left: ReadonlySet<string>;
};

export type Undo = {
  /** The events of `before` as they are stored again. */
  readonly restored: readonly OnCallEvent[];
  /** Present events that stay as they are. */
  readonly kept: readonly OnCallEvent[];
  /** Overrides and plain shifts that preserve what was served, with new ids, and their schedules. */
  readonly added: PlacedEvents;
  /** The ids of present events that go, apart from those that are restored. */
  readonly removedIds: readonly string[];
};

/**
 * Decides the undo of a change that no later change depends on.
 *
 * @param now epoch ms
 * @param newId makes an id of an event or an attendee
 * @returns null if more than `MOST_PIECES` would have to be written
 */
export function decideUndo(change: UndoneChange, now: number, newId: () => string): Undo | null {
  const { before, touchedIds, current, changedAt, absences, left } = change;
  const restored = before.events.map((event) => restore(event, change, now));
  const restoredIds = new Set(restored.map(({ id }) => id));
  const isOrphan = orphansOf(change, restoredIds);
  const goes = (event: OnCallEvent) => touchedIds.has(event.id) || isOrphan(event);
  const kept = current.events.filter((event) => !goes(event));
  const base = [...restored, ...kept];
  const schedulesOf = new Map([...current.schedulesOf, ...before.schedulesOf]);
  const pieces = servedPieces(current, { events: base, schedulesOf }, changedAt, now, absences);
  if (pieces.length > MOST_PIECES) return null;
  const createdAt = Math.max(now, ...base.map((event) => event.createdAt + 1));
  const byId = new Map([...current.events, ...base].map((event) => [event.id, event]));
  const added = pieces.map(({ people, likeId, scheduleIds, ...piece }) => {
    const event = {
      ...PIECE,
      ...piece,
      id: newId(),
      createdAt,
      timeZone: byId.get(likeId)?.timeZone ?? "UTC",
      attendees: attendeesOf(people, newId),
      leavesEmpty: people.length === 0 && piece.parentId !== null,
    };
    return { event: withoutPeople(event, left, now), scheduleIds };
  });
  return {
    restored,
    kept,
    added: {
      events: added.map(({ event }) => event),
      schedulesOf: new Map(added.map(({ event, scheduleIds }) => [event.id, scheduleIds])),
    },
    removedIds: current.events
      .filter((event) => goes(event) && !restoredIds.has(event.id))
      .map(({ id }) => id),
  };
}

/** What a piece has in common with every single shift. */
const PIECE = {
  ...SINGLE_SHIFT,
  exceptions: [],
} as const;

/**
 * The event as it is stored again: people who left are not put back, and hours in which it skipped who
 * was unavailable stay so.
 */
function restore(event: OnCallEvent, { current, left }: UndoneChange, now: number): OnCallEvent {
  const present = current.events.find(({ id }) => id === event.id);
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

/**
 * Which present events override one that is not restored: pieces of earlier undoes.
 */
function orphansOf(
  { current, touchedIds }: UndoneChange,
  restoredIds: ReadonlySet<string>,
): (event: OnCallEvent) => boolean {
  const byId = new Map(current.events.map((event) => [event.id, event]));
  const isOrphan = ({ parentId }: OnCallEvent): boolean => {
    if (parentId === null || restoredIds.has(parentId)) return false;
    if (touchedIds.has(parentId)) return true;
    const parent = byId.get(parentId);
    return parent ? isOrphan(parent) : false;
  };
  return isOrphan;
}

const attendeesOf = (people: readonly string[], newId: () => string): readonly OnCallAttendee[] =>
  people.map((attendeeId, position) => ({
    id: newId(),
    attendeeId,
    attendeeType: "AccountUser",
    position,
  }));
