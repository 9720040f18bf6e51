/**
 * The events of an import after a reading has changed its shifts, as they are then stored. Pure.
 */

import { listedZoneOf } from "../../shared/time-zones.ts";
import { overridesAfterEdit } from "../changes/occurrence-changes.ts";
import { type OnCallAttendee, type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import type { EndedShift, FeedShift, ImportChanges, ShiftChange } from "./import-decision.ts";
import { overridesAfterEnd } from "./overridden-shift.ts";

type Change = {
  readonly changes: ImportChanges;
  /** Epoch ms. */
  readonly now: number;
  /** Makes the id of an event or an attendee. */
  readonly newId: () => string;
};

/**
 * The events after a reading.
 *
 * @param stored the shifts of the import that have not ended, and all overrides below them
 */
export function eventsAfterReading(
  stored: readonly OnCallEvent[],
  change: Change,
): readonly OnCallEvent[] {
  const { changes } = change;
  const byParent = Map.groupBy(stored, ({ parentId }) => parentId);
  const below = (id: string): readonly OnCallEvent[] =>
    (byParent.get(id) ?? []).flatMap((it) => [it, ...below(it.id)]);
  const changed = new Map(changes.changed.map((it) => [it.eventId, it]));
  const ended = new Map(changes.ended.map((it) => [it.eventId, it]));
  const removed = new Set(changes.removed);
  const kept = (byParent.get(null) ?? [])
    .filter(({ id }) => !removed.has(id))
    .flatMap((event) => {
      const family = { event, overrides: below(event.id) };
      const [edit, end] = [changed.get(event.id), ended.get(event.id)];
      if (end) return afterEnd(family, end, change);
      return edit ? afterChange(family, edit, change) : [event, ...family.overrides];
    });
  const continuing = new Set(changes.ended.map(({ continuedBy }) => continuedBy));
  const added = changes.added.filter((it) => !continuing.has(it));
  return [...kept, ...added.map((it) => newShift(it, change))];
}

type Family = { readonly event: OnCallEvent; readonly overrides: readonly OnCallEvent[] };

function afterChange(
  { event, overrides }: Family,
  { shift, peopleChanged }: ShiftChange,
  { newId }: Change,
): readonly OnCallEvent[] {
  const { startAt, endAt, layer, attendeeIds } = shift;
  const attendees = peopleChanged ? attendeesOf(attendeeIds, newId) : event.attendees;
  const edited = { ...event, startAt, endAt, layer, attendees };
  const { applying } = overridesAfterEdit(edited, overrides);
  return [
    edited,
    ...applying.map(({ override, overriddenStartAt }) => ({ ...override, overriddenStartAt })),
  ];
}

function afterEnd(
  { event, overrides }: Family,
  { continuedBy }: EndedShift,
  change: Change,
): readonly OnCallEvent[] {
  const continuing = continuedBy && newShift(continuedBy, change);
  const { moved, removed } = overridesAfterEnd(event, overrides, continuing, change.now);
  const movedById = new Map(moved.map((it) => [it.id, it]));
  return [
    { ...event, endAt: change.now },
    ...overrides.filter(({ id }) => !removed.includes(id)).map((it) => movedById.get(it.id) ?? it),
    ...(continuing ? [continuing] : []),
  ];
}

const newShift = (
  { startAt, endAt, layer, timeZone, attendeeIds }: FeedShift,
  { newId, now }: Change,
): OnCallEvent => ({
  ...SINGLE_SHIFT,
  id: newId(),
  createdAt: now,
  parentId: null,
  overriddenStartAt: null,
  startAt,
  endAt,
  layer,
  timeZone: listedZoneOf(timeZone),
  attendees: attendeesOf(attendeeIds, newId),
  exceptions: [],
});

const attendeesOf = (ids: readonly string[], newId: () => string): readonly OnCallAttendee[] =>
  ids.map((attendeeId, position) => ({
    id: newId(),
    attendeeId,
    attendeeType: "AccountUser",
    position,
  }));
