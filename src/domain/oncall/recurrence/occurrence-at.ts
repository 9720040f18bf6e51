/**
 * Finds an occurrence of an event and the parts that overrides leave of it. Occurrences are
 * identified by their start or by the start of a part.
 */

import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { onCallBetween } from "../oncall.ts";
import {
  nextOccurrence,
  type Occurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "./occurrences.ts";
import { seriesOf } from "./recurrence.ts";
import { attendeesOnTurn, distinctAttendees, rotationOf, turnOf } from "./rotation.ts";

/** An interval [startAt, endAt) in epoch ms. */
export type OccurrencePart = { readonly startAt: number; readonly endAt: number };

export type OccurrenceWithParts = {
  readonly occurrence: Occurrence;
  /** The part that contains the requested instant; the whole occurrence if it is not split. */
  readonly part: OccurrencePart;
  /** All parts, ordered by start. */
  readonly parts: readonly OccurrencePart[];
  /** The people whose turn it is. */
  readonly attendees: readonly OnCallAttendee[];
};

/**
 * The occurrence that an instant identifies (epoch ms): the occurrence, or its part after an
 * override, starts then. An override has a single occurrence, identified by any instant in it. Null
 * if there is none.
 */
export function namedOccurrence(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
): Occurrence | null {
  const series = seriesOf(event);
  const [starting] = occurrencesStarting(series, at, at + 1);
  if (starting) return starting;
  const isPartStart =
    event.parentId !== null ||
    overrides.some((override) => override.parentId === event.id && override.endAt === at);
  if (!isPartStart) return null;
  return occurrencesTouching(series, at, at + 1)[0] ?? null;
}

/** The occurrence that an instant identifies, with its parts and people; null if there is none. */
export function occurrenceAt(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
): OccurrenceWithParts | null {
  const occurrence = namedOccurrence(event, overrides, at);
  if (!occurrence) return null;
  const parts = partsOf(event, overrides, occurrence);
  const whole = { startAt: occurrence.startAt, endAt: occurrence.endAt };
  const part = parts.find(({ startAt, endAt }) => startAt <= at && at < endAt) ?? whole;
  return { occurrence, part, parts, attendees: peopleOf(event, occurrence) };
}

/** The parts that overrides leave of an occurrence, ordered by start, on whoever's turn. */
function partsOf(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  { startAt, endAt }: Occurrence,
): readonly OccurrencePart[] {
  // A single event of the same hours is split in the same places, even if the turn is empty.
  const [placeholder] = event.attendees;
  if (!placeholder) return [];
  const nonRepeating = { ...event, startAt, endAt, repeat: false, beginsAt: null, cutAt: null };
  const single = { ...nonRepeating, exceptions: [], attendees: [placeholder] };
  return onCallBetween([single, ...overrides], startAt, endAt)
    .filter((entry) => entry.eventId === event.id)
    .map((entry) => ({ startAt: entry.startAt, endAt: entry.endAt }));
}

/** The first occurrence of an event and the people on turn; null if it has none. */
export function firstShiftOf(
  event: OnCallEvent,
): (OccurrencePart & { readonly attendees: readonly OnCallAttendee[] }) | null {
  const first = nextOccurrence(seriesOf(event), event.startAt);
  return first && { ...first, attendees: peopleOf(event, first) };
}

function peopleOf(event: OnCallEvent, occurrence: Occurrence): readonly OnCallAttendee[] {
  const rotates = event.rotation && event.repeat && event.parentId === null;
  return rotates
    ? attendeesOnTurn(rotationOf(event), turnOf(event, occurrence))
    : distinctAttendees(event);
}
