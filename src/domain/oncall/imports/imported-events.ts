/**
 * The events of an import after a reading has changed its shifts, as they are then stored. Pure.
 */

import { listedZoneOf } from "../../shared/time-zones.ts";
import { overridesThatGo } from "../changes/occurrence-changes.ts";
import { type OnCallAttendee, type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import { isOverride } from "../series-versions.ts";
import type {
  EndedShift,
  FeedShift,
  ImportChanges,
  ImportedShiftChange,
} from "./import-decision.ts";

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
  const [overrides, shifts] = [stored.filter(isOverride), stored.filter((it) => !isOverride(it))];
  const bySeries = Map.groupBy(overrides, ({ seriesId }) => seriesId);
  const changed = new Map(changes.changed.map((it) => [it.eventId, it]));
  const ended = new Map(changes.ended.map((it) => [it.eventId, it]));
  const removed = new Set(changes.removed);
  const kept = shifts
    .filter(({ id }) => !removed.has(id))
    .flatMap((event) => {
      const family = { event, overrides: bySeries.get(event.seriesId) ?? [] };
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
  { shift, peopleChanged }: ImportedShiftChange,
  { newId }: Change,
): readonly OnCallEvent[] {
  const { startAt, endAt, layer, attendeeIds } = shift;
  const attendees = peopleChanged ? attendeesOf(attendeeIds, newId) : event.attendees;
  const edited = { ...event, startAt, endAt, layer, attendees };
  return withOverrides([event], [edited], overrides);
}

/** The shifts of a series after a change, with the overrides that stay. */
function withOverrides(
  before: readonly OnCallEvent[],
  after: readonly OnCallEvent[],
  overrides: readonly OnCallEvent[],
): readonly OnCallEvent[] {
  const go = new Set(overridesThatGo(before, [...after, ...overrides], true));
  return [...after, ...overrides.filter((it) => !go.has(it))];
}

function afterEnd(
  { event, overrides }: Family,
  { continuedBy }: EndedShift,
  change: Change,
): readonly OnCallEvent[] {
  const continuing = continuedBy && {
    ...newShift(continuedBy, change),
    seriesId: event.seriesId,
  };
  const ended = { ...event, endAt: change.now };
  return withOverrides([event], continuing ? [ended, continuing] : [ended], overrides);
}

function newShift(
  { startAt, endAt, layer, timeZone, attendeeIds }: FeedShift,
  { newId, now }: Change,
): OnCallEvent {
  const id = newId();
  return {
    ...SINGLE_SHIFT,
    ...{ id, seriesId: id, parentId: null, createdAt: now },
    ...{ startAt, endAt, layer, timeZone: listedZoneOf(timeZone) },
    attendees: attendeesOf(attendeeIds, newId),
    exceptions: [],
  };
}

const attendeesOf = (ids: readonly string[], newId: () => string): readonly OnCallAttendee[] =>
  ids.map((attendeeId, position) => ({
    id: newId(),
    attendeeId,
    attendeeType: "AccountUser",
    position,
  }));
