// Sets of hours as lists of half-open intervals (epoch ms): disjoint, not touching, by start. Pure.
import { type Interval, subtractIntervals } from "./override-precedence.ts";

export type Hours = readonly Interval[];

/** Merges intervals, in any order, that overlap or touch. */
export function uniteHours(intervals: readonly Interval[]): Interval[] {
  const joined: { startAt: number; endAt: number }[] = [];
  for (const { startAt, endAt } of intervals.toSorted((a, b) => a.startAt - b.startAt)) {
    const last = joined.at(-1);
    if (last && startAt <= last.endAt) last.endAt = Math.max(last.endAt, endAt);
    else joined.push({ startAt, endAt });
  }
  return joined;
}

/** The hours that are in `hours` and not in `without`. */
export const subtractHours = (hours: Hours, without: Hours): Interval[] =>
  hours.flatMap((interval) => subtractIntervals(interval, without));

/** The part of the hours in [from, to). */
export const clipHours = (hours: Hours, from: number, to: number): Interval[] =>
  hours
    .filter(({ startAt, endAt }) => startAt < to && endAt > from)
    .map(({ startAt, endAt }) => ({
      startAt: Math.max(startAt, from),
      endAt: Math.min(endAt, to),
    }));
