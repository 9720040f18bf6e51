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

/** `from`, `to` (epoch ms) and the starts and ends between them, ascending, each once. */
export function edgesBetween(intervals: readonly Interval[], from: number, to: number): number[] {
  const edges = intervals.flatMap(({ startAt, endAt }) => [startAt, endAt]);
  const inside = edges.filter((at) => at > from && at < to);
  return [...new Set([from, ...inside, to])].sort((one, other) => one - other);
}

/** The intervals that contain each of some ascending instants, in one pass over them. */
export function runningAlong<Item extends Interval>(
  intervals: readonly Item[],
  instants: readonly number[],
): readonly (readonly Item[])[] {
  const sorted = intervals.toSorted((one, other) => one.startAt - other.startAt);
  let running: Item[] = [];
  let next = 0;
  return instants.map((at) => {
    running = running.filter(({ endAt }) => endAt > at);
    for (let item = sorted[next]; item && item.startAt <= at; item = sorted[next]) {
      if (item.endAt > at) running.push(item);
      next++;
    }
    return running;
  });
}
