/**
 * The occurrences of one event as instants: the rule (`recurrence.ts`) put on the zone's clock,
 * less what exceptions, a cut and changes of clocks leave out. Overrides are not looked at here.
 */

import { type Nominal, nominalBetween, type Series } from "./recurrence.ts";
import { clockChangeAt, DAY, END_OF_TIME, instantOf, localOf } from "./time.ts";

/** One occurrence: [startAt, endAt) in epoch ms, and its turn in a rotation, from 0. */
export type Occurrence = {
  readonly startAt: number;
  readonly endAt: number;
  readonly turn: number;
};

/** Every occurrence with some of its time in [from, to), by start. */
export function occurrencesTouching(series: Series, from: number, to: number): Occurrence[] {
  return candidates(series, from - series.longest, to).filter(
    (occurrence) => occurrence.startAt < to && occurrence.endAt > from,
  );
}

/** Every occurrence that starts in [from, to), by start. */
export function occurrencesStarting(series: Series, from: number, to: number): Occurrence[] {
  return candidates(series, from, to).filter(
    (occurrence) => occurrence.startAt >= from && occurrence.startAt < to,
  );
}

/** The latest occurrence that starts before an instant (Infinity: the last of all), or null. */
export function lastOccurrence(series: Series, before: number): Occurrence | null {
  let to = Math.min(before, endOfStarts(series));
  let span = stride(series);
  while (to > series.event.startAt) {
    const from = Math.max(series.event.startAt, to - span);
    const found = occurrencesStarting(series, from, to).at(-1);
    if (found) return found;
    to = from;
    span *= 2;
  }
  return null;
}

/** The earliest occurrence that starts at an instant or after it, or null. */
export function nextOccurrence(series: Series, at: number): Occurrence | null {
  const end = endOfStarts(series);
  let from = Math.max(at, beginOf(series));
  let span = stride(series);
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
 * A nominal occurrence on the zone's clock, [startAt, endAt), or null where the clocks leave it no
 * time of its own: nothing between its start and end, or all of it on a date that the zone skipped.
 */
export function onTheClock(
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

// The one that reaches past the skipped date is kept: without it a week's duty would be nobody's.
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

/** All occurrences that start in [from, to), by start, and perhaps some that start around it. */
function candidates(series: Series, from: number, to: number): Occurrence[] {
  const begin = Math.max(from, beginOf(series));
  const end = Math.min(to, END_OF_TIME);
  if (begin >= end) return [];
  const { rhythm, event } = series;
  const found =
    rhythm.kind === "once"
      ? [{ startAt: event.startAt, endAt: event.endAt, turn: 0 }]
      : rhythm.kind === "elapsed"
        ? elapsedCandidates(series, rhythm.step, begin, end)
        : calendarCandidates(series, begin, end);
  return found.filter((occurrence) => happens(series, occurrence));
}

function happens(series: Series, { startAt, endAt }: Occurrence): boolean {
  const { cutAt, exceptions } = series.event;
  if (endAt <= startAt || startAt < beginOf(series)) return false;
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
  // No wall clock is more than a day from UTC, nor moved by more than a day.
  const firstDay = Math.floor(from / DAY) - 2;
  const lastDay = Math.floor(to / DAY) + 2;
  const found: Occurrence[] = [];
  for (const nominal of nominalBetween(series, firstDay, lastDay)) {
    const interval = onTheClock(series, nominal);
    if (interval) {
      found.push({ startAt: interval.startAt, endAt: interval.endAt, turn: nominal.turn });
    }
  }
  return found;
}

/** No occurrence starts before this instant. */
const beginOf = ({ event }: Series): number => Math.max(event.startAt, event.beginsAt ?? 0);

/** No occurrence starts at this instant or later. */
function endOfStarts(series: Series): number {
  const { event, rhythm, lastDay } = series;
  if (rhythm.kind === "once") return event.startAt + 1;
  return Math.min(event.cutAt ?? END_OF_TIME, (lastDay + 3) * DAY, END_OF_TIME);
}

/** About the time from one occurrence to the next, ms: how far a search looks at first. */
function stride(series: Series): number {
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
