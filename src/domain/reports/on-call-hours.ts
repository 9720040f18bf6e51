/**
 * Time on call of each person by rate class: over all schedules, where simultaneous shifts count
 * once, and for each schedule and layer. Based on `onCallBetween`, like whoever is paged.
 */

import type { OnCallSchedule } from "../oncall/absences/absence.ts";
import type { CoverageInterval } from "../oncall/coverage.ts";
import { uniteHours } from "../oncall/intervals.ts";
import { onCallBetween } from "../oncall/oncall.ts";
import type { Window } from "../oncall/window.ts";
import { DAY } from "../shared/time.ts";
import { RATE_CLASSES, type RateClass, type RateRules, rateSpansBetween } from "./rate-spans.ts";

/** Time on call in ms. */
export type RatedTime = Readonly<Record<RateClass, number>>;

type LayerTime = {
  readonly scheduleId: string;
  readonly layer: number;
  readonly time: RatedTime;
};

export type PersonRatedTime = {
  readonly attendeeId: string;
  readonly time: RatedTime;
  /** By schedule id, then layer; shifts on the same layer count once. */
  readonly byLayer: readonly LayerTime[];
};

/** The window is calculated in parts, so that memory does not grow with its length. */
const PART = 31 * DAY;

type Sum = Record<RateClass, number>;
type PersonSums = { readonly all: Sum; readonly layers: Map<string, LayerTime & { time: Sum }> };

/**
 * The time on call in a window of everybody with a shift in it, by person id.
 *
 * @param schedules by id, as for `onCallBetween`
 * @param counts whether a person's shifts on a schedule count
 */
export function onCallTime(
  schedules: ReadonlyMap<string, OnCallSchedule>,
  { from, to }: Window,
  rules: RateRules,
  counts: (scheduleId: string, attendeeId: string) => boolean = () => true,
): PersonRatedTime[] {
  const people = new Map<string, PersonSums>();
  for (let start = from; start < to; start += PART) {
    addPart(people, schedules, { from: start, to: Math.min(start + PART, to) }, rules, counts);
  }
  return [...people]
    .map(([attendeeId, { all, layers }]) => ({
      attendeeId,
      time: all,
      byLayer: [...layers.values()].sort(byScheduleAndLayer),
    }))
    .sort((one, other) => (one.attendeeId < other.attendeeId ? -1 : 1));
}

/** The sum of all classes. */
export const totalOf = (time: RatedTime): number =>
  RATE_CLASSES.reduce((sum, rateClass) => sum + time[rateClass], 0);

type Shifts = {
  readonly scheduleId: string;
  readonly layer: number;
  readonly intervals: CoverageInterval[];
};

function addPart(
  people: Map<string, PersonSums>,
  schedules: ReadonlyMap<string, OnCallSchedule>,
  { from, to }: Window,
  rules: RateRules,
  counts: (scheduleId: string, attendeeId: string) => boolean,
): void {
  const served = new Map<string, Map<string, Shifts>>();
  for (const [scheduleId, schedule] of schedules) {
    for (const { layer, startAt, endAt, attendees } of onCallBetween(schedule, from, to)) {
      const interval = { startAt: Math.max(startAt, from), endAt: Math.min(endAt, to) };
      for (const { attendeeId } of attendees) {
        if (!counts(scheduleId, attendeeId)) continue;
        const layers = getOrAdd(served, attendeeId, () => new Map<string, Shifts>());
        const shifts = getOrAdd(layers, `${scheduleId} ${layer}`, () => {
          return { scheduleId, layer, intervals: [] };
        });
        shifts.intervals.push(interval);
      }
    }
  }
  const spans = rateSpansBetween(rules, from, to);
  for (const [attendeeId, layers] of served) {
    const sums = getOrAdd(people, attendeeId, () => ({ all: noTime(), layers: new Map() }));
    const unions = [...layers].map(([key, { scheduleId, layer, intervals }]) => {
      const merged = uniteHours(intervals);
      const sum = getOrAdd(sums.layers, key, () => ({ scheduleId, layer, time: noTime() }));
      addTime(sum.time, merged, spans);
      return merged;
    });
    addTime(sums.all, uniteHours(unions.flat()), spans);
  }
}

/** Adds what intervals and spans share; both ascending, the intervals without overlaps. */
function addTime(
  sum: Sum,
  intervals: readonly CoverageInterval[],
  spans: ReturnType<typeof rateSpansBetween>,
): void {
  let next = 0;
  for (const { startAt, endAt } of intervals) {
    for (let span = spans[next]; span && span.startAt < endAt; span = spans[next]) {
      sum[span.rateClass] += Math.max(
        0,
        Math.min(endAt, span.endAt) - Math.max(startAt, span.startAt),
      );
      if (span.endAt > endAt) break;
      next += 1;
    }
  }
}

const noTime = (): Sum => ({ weekday: 0, night: 0, weekend: 0, holiday: 0 });

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function byScheduleAndLayer(one: LayerTime, other: LayerTime): number {
  if (one.scheduleId !== other.scheduleId) return one.scheduleId < other.scheduleId ? -1 : 1;
  return one.layer - other.layer;
}
