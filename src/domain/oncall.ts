/**
 * Who is on call: at an instant, in a window, until when. One calculation (`onCallBetween`) answers
 * the API, the feed, the preview and the pager alike. Pure: no clock, no look-ups; the events
 * passed in are all there is.
 */

import { lastOccurrence, occurrencesTouching } from "./occurrences.ts";
import { replacedHours, without } from "./override-precedence.ts";
import { seriesOf } from "./recurrence.ts";
import { distinctAttendees, onTurn, rotationOf, turnOf } from "./rotation.ts";
import { DAY, END_OF_TIME } from "./time.ts";

export type OnCallAttendee = {
  readonly id: string;
  readonly attendeeId: string;
  readonly attendeeType: "AccountUser";
  readonly position: number;
};

export const FREQUENCY_UNITS = ["hourly", "daily", "weekly", "monthly", "yearly"] as const;
export type FrequencyUnit = (typeof FREQUENCY_UNITS)[number];

export type OnCallEvent = {
  readonly id: string;
  /** Epoch ms. Of overrides that cover the same hours the newer counts. */
  readonly createdAt: number;
  /**
   * Set: this is an override of that event. An override is a single interval; it does not repeat.
   */
  readonly parentId: string | null;
  /** For an override: the start (ms) of the parent's occurrence it was made for. */
  readonly overriddenStartAt: number | null;
  /** First occurrence, epoch ms, [startAt, endAt). */
  readonly startAt: number;
  readonly endAt: number;
  readonly layer: number;
  /** A listed name. */
  readonly timeZone: string;
  readonly repeat: boolean;
  readonly frequency: number | null;
  readonly frequencyUnit: FrequencyUnit | null;
  /** Sunday = 0; empty means every day. */
  readonly daysOfWeek: readonly number[];
  /** Inclusive of the local day it falls on. */
  readonly repeatEndAt: number | null;
  /** Exclusive: occurrences that start at it or later do not happen. */
  readonly cutAt: number | null;
  /**
   * Occurrences that start before it do not happen: the series continues another one from here.
   * The rule still counts from `startAt`. Null or absent: from the start.
   */
  readonly beginsAt?: number | null;
  readonly rotation: boolean;
  /** Added to each occurrence's turn; absent: 0. */
  readonly turnOffset?: number;
  /** The positions of the rotation that are nobody's turn; absent: none. */
  readonly emptyPositions?: readonly number[];
  readonly attendees: readonly OnCallAttendee[];
  readonly exceptions: readonly { readonly id: string; readonly startAt: number }[];
};

export type OnCallEntry = {
  readonly layer: number;
  /**
   * As the occurrence has them, not cut to any window; where an override splits it, those of the
   * part.
   */
  readonly startAt: number;
  readonly endAt: number;
  readonly eventId: string;
  readonly attendees: readonly OnCallAttendee[];
};

/** Everyone on call at an instant (epoch ms), ordered by layer, then start, then event id. */
export function onCallAt(events: readonly OnCallEvent[], at: number): OnCallEntry[] {
  return onCallBetween(events, at, at + 1);
}

/**
 * Every occurrence with attendees that touches [from, to) (epoch ms), ordered by layer, then start,
 * then event id. `events` must hold each event once, and with it the overrides that touch its
 * occurrences in the window.
 */
export function onCallBetween(
  events: readonly OnCallEvent[],
  from: number,
  to: number,
): OnCallEntry[] {
  const replacedIn = replacedHours(events);
  const entries: OnCallEntry[] = [];
  for (const event of events) {
    if (event.attendees.length === 0) continue;
    const series = seriesOf(event);
    const occurrences = occurrencesTouching(series, from, to);
    if (occurrences.length === 0) continue;
    const takeTurns = event.rotation && series.rhythm.kind !== "once";
    const line = takeTurns ? rotationOf(event) : [];
    const together = takeTurns ? [] : distinctAttendees(event);
    const replaced = replacedIn(event);
    for (const occurrence of occurrences) {
      const attendees = takeTurns ? onTurn(line, turnOf(event, occurrence)) : together;
      if (attendees.length === 0) continue;
      for (const part of without(occurrence, replaced)) {
        if (part.startAt >= to || part.endAt <= from) continue;
        entries.push({
          layer: event.layer,
          startAt: part.startAt,
          endAt: part.endAt,
          eventId: event.id,
          attendees,
        });
      }
    }
  }
  return entries.sort(byLayerStartAndEvent);
}

/**
 * The instant (epoch ms) from which an event can never again put anyone on call or change an
 * answer; null: never. An override goes on shaping its parent's parts after its own end, until the
 * occurrence it split is over: pass the parent to have that counted.
 */
export function activeUntil(event: OnCallEvent, parent?: OnCallEvent): number | null {
  const series = seriesOf(event);
  const endless = series.lastDay === Number.POSITIVE_INFINITY && event.cutAt === null;
  if (endless && series.rhythm.kind !== "once") return null;
  const end = lastOccurrence(series, Number.POSITIVE_INFINITY)?.endAt ?? event.startAt;
  const split = parent ? occurrencesTouching(seriesOf(parent), event.startAt, event.endAt) : [];
  return Math.max(end, ...split.map((occurrence) => occurrence.endAt));
}

// A search for the next boundary looks a day ahead at first, then four times as far, and gives up
// when this many shifts have begun without a change.
const FIRST_LOOK = DAY;
const SHIFTS_LOOKED_AT = 1000;

/**
 * The next instant strictly after `after` (epoch ms) at which the people on call change on any
 * layer; null: never. Where a thousand shifts begin without a change (one person taking every
 * turn), it is the instant up to which the search went: a timer set to it looks again from there.
 */
export function nextBoundary(events: readonly OnCallEvent[], after: number): number | null {
  const before = peopleOf(onCallAt(events, after));
  let from = after;
  let look = FIRST_LOOK;
  let begun = 0;
  while (from < END_OF_TIME) {
    const to = Math.min(from + look, END_OF_TIME);
    const entries = onCallBetween(events, from, to);
    const change = firstDifference(entries, before, from, to);
    if (change !== null) return change;
    begun += entries.filter((entry) => entry.startAt >= from).length;
    if (begun > SHIFTS_LOOKED_AT) return to;
    from = to;
    look *= 4;
  }
  return null;
}

/**
 * The first instant in [from, to) at which the people of the entries are not those of `before`;
 * null: none.
 */
function firstDifference(
  entries: readonly OnCallEntry[],
  before: ReadonlySet<string>,
  from: number,
  to: number,
): number | null {
  const steps = entries.flatMap((entry) => [
    { at: Math.max(entry.startAt, from), entry, by: 1 },
    { at: entry.endAt, entry, by: -1 },
  ]);
  // The steps of `from` are taken first, also when there are none: everyone may have left.
  const instants = [...new Set([from, ...steps.map((step) => step.at)])].sort((a, b) => a - b);
  const stepsAt = Map.groupBy(steps, (step) => step.at);
  const shifts = new Map<string, number>();
  let joined = 0;
  let missing = before.size;
  for (const at of instants) {
    if (at >= to) break;
    for (const { entry, by } of stepsAt.get(at) ?? []) {
      for (const person of peopleOf([entry])) {
        const was = shifts.get(person) ?? 0;
        shifts.set(person, was + by);
        const change = was + by === 0 ? -1 : was === 0 ? 1 : 0;
        if (before.has(person)) missing -= change;
        else joined += change;
      }
    }
    if (joined > 0 || missing > 0) return at;
  }
  return null;
}

/** Who is on call on which layer. */
function peopleOf(entries: readonly OnCallEntry[]): Set<string> {
  const people = new Set<string>();
  for (const { layer, attendees } of entries) {
    for (const { attendeeId } of attendees) people.add(`${layer} ${attendeeId}`);
  }
  return people;
}

function byLayerStartAndEvent(one: OnCallEntry, other: OnCallEntry): number {
  if (one.layer !== other.layer) return one.layer - other.layer;
  if (one.startAt !== other.startAt) return one.startAt - other.startAt;
  if (one.eventId !== other.eventId) return one.eventId < other.eventId ? -1 : 1;
  return one.endAt - other.endAt;
}
