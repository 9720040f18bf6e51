/**
 * One occurrence of an event as people see it: its own hours, and, where overrides split it, the
 * part that was asked for. Names occurrences by their start or by the start of a part.
 */

import {
  nextOccurrence,
  type Occurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "./occurrences.ts";
import type { OnCallAttendee, OnCallEvent } from "./on-call-event.ts";
import { onCallBetween } from "./oncall.ts";
import { seriesOf } from "./recurrence.ts";
import { distinctAttendees, onTurn, rotationOf, turnOf } from "./rotation.ts";

/** Hours of an event, [startAt, endAt) in epoch ms. */
export type Hours = { readonly startAt: number; readonly endAt: number };

export type ShownOccurrence = {
  readonly occurrence: Occurrence;
  /** What overrides leave of it at the instant asked for; the whole of it when none touches it. */
  readonly part: Hours;
  /** Every part of it, by start. */
  readonly parts: readonly Hours[];
  /** Whoever has its turn. */
  readonly attendees: readonly OnCallAttendee[];
};

/**
 * The occurrence that an instant names (epoch ms): it starts then, or the part of it after an
 * override does. An override has one occurrence, which any instant in it names. Null: the instant
 * names none.
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

/** The occurrence that an instant names, with its parts and people; null: the instant names none. */
export function occurrenceAt(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
): ShownOccurrence | null {
  const occurrence = namedOccurrence(event, overrides, at);
  if (!occurrence) return null;
  const parts = partsOf(event, overrides, occurrence);
  const whole = { startAt: occurrence.startAt, endAt: occurrence.endAt };
  const part = parts.find(({ startAt, endAt }) => startAt <= at && at < endAt) ?? whole;
  return { occurrence, part, parts, attendees: peopleOf(event, occurrence) };
}

/** What overrides leave of an occurrence, by start; whoever has its turn does not matter. */
function partsOf(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  { startAt, endAt }: Occurrence,
): readonly Hours[] {
  // A single event of the same hours is split in the same places, also when the turn is nobody's.
  const [anybody] = event.attendees;
  if (!anybody) return [];
  const alone = { ...event, startAt, endAt, repeat: false, beginsAt: null, cutAt: null };
  const single = { ...alone, exceptions: [], attendees: [anybody] };
  return onCallBetween([single, ...overrides], startAt, endAt)
    .filter((entry) => entry.eventId === event.id)
    .map((entry) => ({ startAt: entry.startAt, endAt: entry.endAt }));
}

/** The first occurrence of an event and whoever has its turn; null: it has none. */
export function firstShiftOf(
  event: OnCallEvent,
): (Hours & { readonly attendees: readonly OnCallAttendee[] }) | null {
  const first = nextOccurrence(seriesOf(event), event.startAt);
  return first && { ...first, attendees: peopleOf(event, first) };
}

function peopleOf(event: OnCallEvent, occurrence: Occurrence): readonly OnCallAttendee[] {
  const takesTurns = event.rotation && event.repeat && event.parentId === null;
  return takesTurns
    ? onTurn(rotationOf(event), turnOf(event, occurrence))
    : distinctAttendees(event);
}
