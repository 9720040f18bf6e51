/**
 * Finds an occurrence of an event and the parts that overrides and absences make of it. Occurrences are
 * identified by their start or by the start of a part.
 */

import type { Absence } from "../absences/absence.ts";
import { type AbsentPerson, type Served, serveAbsences } from "../absences/serve-absences.ts";
import type { PastSeries } from "../changes/past-series.ts";
import { uniteHours } from "../intervals.ts";
import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { servedBetween } from "../oncall.ts";
import { replacedHours, subtractIntervals } from "../override-precedence.ts";
import { restrictedHours } from "../restricted-hours.ts";
import { type ServedPart, servingOf } from "../rosters/serving.ts";
import { isOverride } from "../series-versions.ts";
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
  /** The people of the requested part, and who would be in it but for an absence. */
  readonly attendees: readonly OnCallAttendee[];
  readonly absent: readonly AbsentPerson[];
};

/** An event among all events of its series. */
export type EventInSeries = {
  readonly event: OnCallEvent;
  /** All events of the series, with this one. */
  readonly series: readonly OnCallEvent[];
  /** The absences that concern its schedules, in order. */
  readonly absences: readonly Absence[];
  /** What the series was in hours of the past. */
  readonly past: readonly PastSeries[];
};

/**
 * The occurrence that an instant identifies (epoch ms): the occurrence, or its part after an
 * override, within an absence or since its series changed, starts then. An override has a single
 * occurrence, identified by any instant in it. Null if there is none.
 */
export function namedOccurrence(it: EventInSeries, at: number): Occurrence | null {
  const own = seriesOf(it.event);
  const [starting] = occurrencesStarting(own, at, at + 1);
  if (starting) return starting;
  const containing = occurrencesTouching(own, at, at + 1);
  if (isOverride(it.event)) return containing[0] ?? null;
  const isPartStart = (occurrence: Occurrence) =>
    shownParts(it, occurrence).some(({ startAt }) => startAt === at);
  return containing.find(isPartStart) ?? null;
}

/** The same of what the event was in hours of the past, before its rule changed. */
export function pastOccurrence(
  { event, absences, past }: EventInSeries,
  at: number,
): Occurrence | null {
  const then = past.find(({ startAt, endAt }) => startAt <= at && at < endAt);
  const was = then?.events.find(({ id }) => id === event.id);
  if (!then || !was) return null;
  // What is left of an occurrence of before starts with these hours.
  const [running] = at === then.startAt ? occurrencesTouching(seriesOf(was), at, at + 1) : [];
  const inSeries = { event: was, series: then.events, absences, past: [] };
  return namedOccurrence(inSeries, at) ?? running ?? null;
}

/** The occurrence that an instant identifies, with its parts and people; null if there is none. */
export function occurrenceAt(it: EventInSeries, at: number): OccurrenceWithParts | null {
  const occurrence = namedOccurrence(it, at);
  return occurrence && withParts(it, occurrence, at);
}

/** The same of an occurrence that the event had in the past. */
export function pastOccurrenceAt(it: EventInSeries, at: number): OccurrenceWithParts | null {
  const occurrence = pastOccurrence(it, at);
  return occurrence && withParts(it, occurrence, at);
}

function withParts(it: EventInSeries, occurrence: Occurrence, at: number): OccurrenceWithParts {
  const parts = shownParts(it, occurrence);
  const whole = { startAt: occurrence.startAt, endAt: occurrence.endAt };
  const part = parts.find(({ startAt, endAt }) => startAt <= at && at < endAt);
  return {
    occurrence,
    part: part ?? whole,
    parts: parts.filter(({ attendees }) => attendees.length > 0),
    attendees: part?.attendees ?? servingOf(it.event)(occurrence)[0]?.attendees ?? [],
    absent: part?.absent ?? [],
  };
}

type AbsentPart = ServedPart & { readonly absent: readonly AbsentPerson[] };

/** The parts of an occurrence as who is on call shows them, in order: in the past as it was then. */
function shownParts(it: EventInSeries, occurrence: Occurrence): readonly AbsentPart[] {
  const { event, series, absences, past } = it;
  const { startAt: from, endAt: to } = occurrence;
  if (past.every(({ startAt, endAt }) => startAt >= to || endAt <= from)) {
    return partsOf(it, occurrence);
  }
  return servedBetween({ events: series, absences, past }, from, to)
    .filter(({ eventId }) => eventId === event.id)
    .map(({ startAt, endAt, attendees, absent = [] }) => ({ startAt, endAt, attendees, absent }));
}

/**
 * The parts that roster changes, restrictions, overrides and absences make of it, in order; without
 * hours of the past that are as its series was.
 */
function partsOf(
  { event, series, absences, past }: EventInSeries,
  occurrence: Occurrence,
): readonly AbsentPart[] {
  const { startAt, endAt } = occurrence;
  const turn = isOverride(event) ? {} : { turn: occurrence.turn };
  const replaced = uniteHours([...replacedHours(series)(event), ...past]);
  const restricted = restrictedHours(event, startAt, endAt);
  const parts: readonly Served[] = servingOf(event)(occurrence).flatMap((served) =>
    restricted(served)
      .flatMap((hours) => subtractIntervals(hours, replaced))
      .map((hours) => ({ ...served, ...hours, eventId: event.id, occurrenceAt: startAt, ...turn })),
  );
  return serveAbsences(parts, { events: series, absences }).map((part) => ({
    startAt: part.startAt,
    endAt: part.endAt,
    attendees: part.attendees,
    absent: part.absent ?? [],
  }));
}

/** The first occurrence of an event and the people on turn; null if it has none. */
export function firstShiftOf(
  event: OnCallEvent,
): (OccurrencePart & { readonly attendees: readonly OnCallAttendee[] }) | null {
  const first = nextOccurrence(seriesOf(event), event.startAt);
  return first && { ...first, attendees: servingOf(event)(first)[0]?.attendees ?? [] };
}
