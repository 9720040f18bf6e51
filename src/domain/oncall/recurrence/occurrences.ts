/**
 * The occurrences of one event as instants: applies the zone's clock to the rule (`recurrence.ts`),
 * then removes exceptions, occurrences after a cut, and those lost to clock changes. Ignores
 * overrides.
 */

import { clockChangeAt, DAY, END_OF_TIME, instantOf, localOf } from "../../shared/time.ts";
import { type Nominal, nominalBetween, type Series } from "./recurrence.ts";

/** One occurrence: [startAt, endAt) in epoch ms, and its zero-based turn in a rotation. */
export type Occurrence = {
  readonly startAt: number;
  readonly endAt: number;
  readonly turn: number;
};

/** Every occurrence that overlaps [from, to), ordered by start. */
export function occurrencesTouching(series: Series, from: number, to: number): Occurrence[] {
  return candidates(series, from - series.longest, to).filter(
    (occurrence) => occurrence.startAt < to && occurrence.endAt > from,
  );
}

/** Every occurrence that starts in [from, to), ordered by start. */
export function occurrencesStarting(series: Series, from: number, to: number): Occurrence[] {
  return candidates(series, from, to).filter(
    (occurrence) => occurrence.startAt >= from && occurrence.startAt < to,
  );
}

/** The last occurrence that starts before an instant (Infinity: the last of all), or null. */
export function lastOccurrence(series: Series, before: number): Occurrence | null {
  let to = Math.min(before, lastStartBound(series));
  let span = searchSpan(series);
  while (to > series.event.startAt) {
    const from = Math.max(series.event.startAt, to - span);
    const found = occurrencesStarting(series, from, to).at(-1);
    if (found) return found;
    to = from;
    span *= 2;
  }
  return null;
}

/** The first occurrence that starts at or after an instant, or null. */
export function nextOccurrence(series: Series, at: number): Occurrence | null {
  const end = lastStartBound(series);
  let from = Math.max(at, earliestStart(series));
  let span = searchSpan(series);
  while (from < end) {
    const to = Math.min(from + span, end);
    const found = occurrencesStarting(series, from, to)[0];
    if (found) return found;
    from = to;
    span *= 2;
  }
  return null;
}

/**
 * The interval [startAt, endAt) of a nominal occurrence; null if clock changes leave no time
 * between its start and end, or all of it falls on a date that the zone skipped.
 */
export function nominalInterval(
  series: Series,
  nominal: Nominal,
): { readonly startAt: number; readonly endAt: number } | null {
  const { event, zone } = series;
  if (nominal.first) return event.endAt > event.startAt ? event : null;
  const startAt = instantOf(zone, nominal.localStart);
  const endAt = instantOf(zone, nominal.localEnd);
  if (endAt <= startAt) return null;
  const moved = localOf(zone, startAt) !== nominal.localStart;
  return moved && isOnSkippedDate(series, nominal) ? null : { startAt, endAt };
}

// An occurrence that extends past the skipped date is kept: otherwise a weekly shift would have
// nobody on call.
function isOnSkippedDate(series: Series, nominal: Nominal): boolean {
  const change = clockChangeAt(series.zone, nominal.localStart);
  if (!change) return false;
  const midnight = Math.floor(nominal.localStart / DAY) * DAY;
  const resumes = change.at + change.after;
  return (
    change.at + change.before <= midnight &&
    resumes >= midnight + DAY &&
    nominal.localEnd <= resumes
  );
}

/** All occurrences that start in [from, to), ordered by start, possibly with some around it. */
function candidates(series: Series, from: number, to: number): Occurrence[] {
  const begin = Math.max(from, earliestStart(series));
  const end = Math.min(to, END_OF_TIME);
  if (begin >= end) return [];
  const { rhythm, event } = series;
  const found =
    rhythm.kind === "once"
      ? [{ startAt: event.startAt, endAt: event.endAt, turn: 0 }]
      : rhythm.kind === "elapsed"
        ? elapsedCandidates(series, rhythm.step, begin, end)
        : calendarCandidates(series, begin, end);
  return found.filter((occurrence) => isIncluded(series, occurrence));
}

function isIncluded(series: Series, { startAt, endAt }: Occurrence): boolean {
  const { cutAt, exceptions } = series.event;
  if (endAt <= startAt || startAt < earliestStart(series)) return false;
  if (cutAt !== null && startAt >= cutAt) return false;
  return !exceptions.some((exception) => exception.startAt === startAt);
}

function elapsedCandidates(series: Series, step: number, from: number, to: number): Occurrence[] {
  const { startAt, endAt } = series.event;
  const found: Occurrence[] = [];
  const last = Math.ceil((to - startAt) / step) - 1;
  for (let turn = Math.ceil((from - startAt) / step); turn <= last; turn++) {
    const at = startAt + turn * step;
    if (Math.floor(localOf(series.zone, at) / DAY) > series.lastDay) break;
    found.push({ startAt: at, endAt: at + endAt - startAt, turn });
  }
  return found;
}

function calendarCandidates(series: Series, from: number, to: number): Occurrence[] {
  // A wall clock is at most one day from UTC, and a clock change moves it by at most one day.
  const firstDay = Math.floor(from / DAY) - 2;
  const lastDay = Math.floor(to / DAY) + 2;
  const found: Occurrence[] = [];
  for (const nominal of nominalBetween(series, firstDay, lastDay)) {
    const interval = nominalInterval(series, nominal);
    if (interval) {
      found.push({ startAt: interval.startAt, endAt: interval.endAt, turn: nominal.turn });
    }
  }
  return found;
}

/** No occurrence starts before this instant. */
const earliestStart = ({ event }: Series): number => Math.max(event.startAt, event.beginsAt ?? 0);

/** No occurrence starts at this instant or later. */
function lastStartBound(series: Series): number {
  const { event, rhythm, lastDay } = series;
  if (rhythm.kind === "once") return event.startAt + 1;
  return Math.min(event.cutAt ?? END_OF_TIME, (lastDay + 3) * DAY, END_OF_TIME);
}

/** Approximate time between occurrences (ms): the initial span of a search. */
function searchSpan(series: Series): number {
  const { rhythm } = series;
  switch (rhythm.kind) {
    case "once":
      return DAY;
    case "elapsed":
      return rhythm.step;
    case "days":
      return rhythm.every * DAY;
    case "weeks":
      return rhythm.every * 7 * DAY;
    case "months":
      return rhythm.every * 31 * DAY;
  }
}
