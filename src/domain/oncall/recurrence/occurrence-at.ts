/**
 * Finds an occurrence of an event and the parts that overrides and absences make of it. Occurrences are
 * identified by their start or by the start of a part.
 */

import type { Absence } from "../absences/absence.ts";
import { type AbsentPerson, type Served, serveAbsences } from "../absences/serve-absences.ts";
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
 * override or within an absence, starts then. An override has a single occurrence, identified by any instant in it. Null
 * if there is none.
 */
export function namedOccurrence(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
  absences: readonly Absence[] = [],
): Occurrence | null {
  const series = seriesOf(event);
  const [starting] = occurrencesStarting(series, at, at + 1);
  if (starting) return starting;
  const containing = occurrencesTouching(series, at, at + 1);
  if (event.parentId !== null) return containing[0] ?? null;
  const isPartStart = (occurrence: Occurrence) =>
    partsOf(event, overrides, absences, occurrence).some(({ startAt }) => startAt === at);
  return containing.find(isPartStart) ?? null;
}

/**
 * The occurrence that an instant identifies, with its parts and people; null if there is none.
 *
 * @param absences those that concern the event's schedules
 * @param above of an override: the events above it, up to the series, which says who is next in line
 */
export function occurrenceAt(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  at: number,
  absences: readonly Absence[] = [],
  above: readonly OnCallEvent[] = [],
): OccurrenceWithParts | null {
  const occurrence = namedOccurrence(event, overrides, at, absences);
  if (!occurrence) return null;
  const parts = partsOf(event, overrides, absences, occurrence, above);
  const whole = { startAt: occurrence.startAt, endAt: occurrence.endAt };
  const part = parts.find(({ startAt, endAt }) => startAt <= at && at < endAt);
  const attendees = part?.attendees ?? servingOf(event)(occurrence)[0]?.attendees ?? [];
  const served = (some: readonly ServedPart[]) => some.filter((it) => it.attendees.length > 0);
  const planned = partsOf(event, overrides, [], occurrence);
  return {
    occurrence,
    part: part ?? whole,
    parts: served(parts),
    ownParts: served(parts.map((it) => ownPart(it, planned, absences))),
    attendees,
    absent: part?.absent ?? [],
  };
}

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

/** The parts that roster changes, restrictions, overrides and absences make of it, in order. */
function partsOf(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  absences: readonly Absence[],
  occurrence: Occurrence,
  above: readonly OnCallEvent[] = [],
): readonly AbsentPart[] {
  const { startAt, endAt } = occurrence;
  const events = [event, ...overrides];
  const turn = event.parentId === null ? { turn: occurrence.turn } : {};
  const replaced = replacedHours(events)(event);
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
