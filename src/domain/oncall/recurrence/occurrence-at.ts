/**
 * Finds an occurrence of an event and the parts that overrides leave of it. Occurrences are
 * identified by their start or by the start of a part.
 */

import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { replacedHours, subtractIntervals } from "../override-precedence.ts";
import { restrictedHours } from "../restricted-hours.ts";
import { type ServedPart, servingOf } from "../rosters/serving.ts";
import {
  nextOccurrence,
  type Occurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "./occurrences.ts";
import { seriesOf } from "./recurrence.ts";

/** An interval [startAt, endAt) in epoch ms. */
export type OccurrencePart = { readonly startAt: number; readonly endAt: number };

export type OccurrenceWithParts = {
  readonly occurrence: Occurrence;
  /** The part that contains the requested instant; the whole occurrence if it is not split. */
  readonly part: OccurrencePart;
  /** All parts with people, ordered by start. */
  readonly parts: readonly ServedPart[];
  /** The people of the requested part. */
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
  const containing = occurrencesTouching(series, at, at + 1);
  if (event.parentId !== null) return containing[0] ?? null;
  const isPartStart = (occurrence: Occurrence) =>
    partsOf(event, overrides, occurrence).some(({ startAt }) => startAt === at);
  return containing.find(isPartStart) ?? null;
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
  const part = parts.find(({ startAt, endAt }) => startAt <= at && at < endAt);
  const attendees = part?.attendees ?? servingOf(event)(occurrence)[0]?.attendees ?? [];
  const served = parts.filter((it) => it.attendees.length > 0);
  return { occurrence, part: part ?? whole, parts: served, attendees };
}

/** The parts that roster changes, restrictions and overrides leave of an occurrence, in order. */
function partsOf(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  occurrence: Occurrence,
): readonly ServedPart[] {
  const { startAt, endAt } = occurrence;
  const replaced = replacedHours([event, ...overrides])(event);
  const restricted = restrictedHours(event, startAt, endAt);
  return servingOf(event)(occurrence).flatMap((served) =>
    restricted(served)
      .flatMap((hours) => subtractIntervals(hours, replaced))
      .map((hours) => ({ ...served, ...hours })),
  );
}

/** The first occurrence of an event and the people on turn; null if it has none. */
export function firstShiftOf(
  event: OnCallEvent,
): (OccurrencePart & { readonly attendees: readonly OnCallAttendee[] }) | null {
  const first = nextOccurrence(seriesOf(event), event.startAt);
  return first && { ...first, attendees: servingOf(event)(first)[0]?.attendees ?? [] };
}
