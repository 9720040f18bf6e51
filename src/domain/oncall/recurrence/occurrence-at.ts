/**
 * Finds an occurrence of an event and the parts that overrides and absences make of it. Occurrences are
 * identified by their start or by the start of a part.
 */

import type { Absence } from "../absences/absence.ts";
import { type AbsentPerson, type Served, serveAbsences } from "../absences/serve-absences.ts";
import { uniteHours } from "../intervals.ts";
import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";
import { servedBetween } from "../oncall.ts";
import { replacedHours, subtractIntervals } from "../override-precedence.ts";
import type { PastFamily } from "../past/past-family.ts";
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
  /**
   * The same as shifts of their own: with the people whom an absence goes on replacing there too. Those
   * whom the line of a rotation replaces are replaced for good.
   */
  readonly ownParts: readonly ServedPart[];
  /** The people of the requested part, and who would be in it but for an absence. */
  readonly attendees: readonly OnCallAttendee[];
  readonly absent: readonly AbsentPerson[];
};

/**
 * The occurrence that an instant identifies (epoch ms): the occurrence, or its part after an
 * override, within an absence or since its series changed, starts then. An override has a single occurrence, identified by any instant in it. Null
 * if there is none.
 */
export function namedOccurrence(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
  absences: readonly Absence[] = [],
  past: readonly PastFamily[] = [],
): Occurrence | null {
  const series = seriesOf(event);
  const [starting] = occurrencesStarting(series, at, at + 1);
  if (starting) return starting;
  const containing = occurrencesTouching(series, at, at + 1);
  if (event.parentId !== null) return containing[0] ?? null;
  const isPartStart = (occurrence: Occurrence) =>
    shownParts({ event, overrides, absences, past }, occurrence).some(
      ({ startAt }) => startAt === at,
    );
  return containing.find(isPartStart) ?? null;
}

/** The same of what the event was in hours of the past, before its rule changed. */
export function pastOccurrence(
  event: OnCallEvent,
  at: number,
  absences: readonly Absence[],
  past: readonly PastFamily[],
): Occurrence | null {
  const then = past.find(({ startAt, endAt }) => startAt <= at && at < endAt);
  const was = then?.events.find(({ id }) => id === event.id);
  if (!then || !was) return null;
  const others = then.events.filter((it) => it !== was);
  // What is left of an occurrence of before starts with these hours.
  const [running] = at === then.startAt ? occurrencesTouching(seriesOf(was), at, at + 1) : [];
  return namedOccurrence(was, others, at, absences) ?? running ?? null;
}

/**
 * The occurrence that an instant identifies, with its parts and people; null if there is none.
 *
 * @param absences those that concern the event's schedules
 * @param above of an override: the events above it, up to the series, which says who is next in line
 * @param past what the series was in hours of the past
 */
export function occurrenceAt(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
  absences: readonly Absence[] = [],
  { above = [], past = [] }: Partial<Pick<Family, "above" | "past">> = {},
): OccurrenceWithParts | null {
  const occurrence = namedOccurrence(event, overrides, at, absences, past);
  return occurrence && withParts({ event, overrides, absences, above, past }, occurrence, at);
}

/** The same of an occurrence that the event had in the past. */
export function pastOccurrenceAt(family: Family, at: number): OccurrenceWithParts | null {
  const { event, absences, past } = family;
  const occurrence = pastOccurrence(event, at, absences, past);
  return occurrence && withParts(family, occurrence, at);
}

function withParts(family: Family, occurrence: Occurrence, at: number): OccurrenceWithParts {
  const { event, absences } = family;
  const parts = shownParts(family, occurrence);
  const whole = { startAt: occurrence.startAt, endAt: occurrence.endAt };
  const part = parts.find(({ startAt, endAt }) => startAt <= at && at < endAt);
  const attendees = part?.attendees ?? servingOf(event)(occurrence)[0]?.attendees ?? [];
  const served = (some: readonly ServedPart[]) => some.filter((it) => it.attendees.length > 0);
  const present = partsOf(family, occurrence);
  const planned = partsOf({ ...family, absences: [] }, occurrence);
  return {
    occurrence,
    part: part ?? whole,
    parts: served(parts),
    ownParts: served(present.map((it) => ownPart(it, planned, absences))),
    attendees,
    absent: part?.absent ?? [],
  };
}

type Family = {
  readonly event: OnCallEvent;
  readonly overrides: readonly OnCallEvent[];
  readonly absences: readonly Absence[];
  readonly above?: readonly OnCallEvent[];
  readonly past: readonly PastFamily[];
};

type AbsentPart = ServedPart & { readonly absent: readonly AbsentPerson[] };

/** @param planned the parts of the occurrence without absences */
function ownPart(part: AbsentPart, planned: readonly ServedPart[], absences: readonly Absence[]) {
  const { startAt, endAt, absent } = part;
  const ids = new Set(absent.map(({ absenceId }) => absenceId));
  const applied = absences.filter(
    (it) => ids.has(it.id) && it.startAt < endAt && it.endAt > startAt,
  );
  const isOfSeries = ({ instead, released = [] }: Absence) =>
    released.length > 0 || (instead !== "person" && instead !== "empty");
  if (applied.length === 0 || applied.some(isOfSeries)) return part;
  const people = planned.find((it) => it.startAt <= startAt && it.endAt >= endAt)?.attendees;
  return { ...part, attendees: people ?? part.attendees };
}

/** The parts of an occurrence as who is on call shows them, in order: in the past as it was then. */
function shownParts(family: Family, occurrence: Occurrence): readonly AbsentPart[] {
  const { event, overrides, absences, above = [], past } = family;
  const { startAt: from, endAt: to } = occurrence;
  if (past.every(({ startAt, endAt }) => startAt >= to || endAt <= from)) {
    return partsOf(family, occurrence);
  }
  const events = [event, ...overrides, ...above];
  return servedBetween({ events, absences, past }, from, to)
    .filter(({ eventId }) => eventId === event.id)
    .map(({ startAt, endAt, attendees, absent = [] }) => ({ startAt, endAt, attendees, absent }));
}

/**
 * The parts that roster changes, restrictions, overrides and absences make of it, in order; without
 * hours of the past that are as its series was.
 */
function partsOf(
  { event, overrides, absences, above = [], past }: Family,
  occurrence: Occurrence,
): readonly AbsentPart[] {
  const { startAt, endAt } = occurrence;
  const events = [event, ...overrides];
  const turn = event.parentId === null ? { turn: occurrence.turn } : {};
  const replaced = uniteHours([...replacedHours(events)(event), ...past]);
  const restricted = restrictedHours(event, startAt, endAt);
  const parts: readonly Served[] = servingOf(event)(occurrence).flatMap((served) =>
    restricted(served)
      .flatMap((hours) => subtractIntervals(hours, replaced))
      .map((hours) => ({ ...served, ...hours, eventId: event.id, occurrenceAt: startAt, ...turn })),
  );
  return serveAbsences(parts, { events: [...events, ...above], absences }).map((part) => ({
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
