/**
 * The rate classes of time on call. Each instant has one class, by the wall clock of a zone: a
 * holiday before a weekend day before a night hour before a weekday. Pure.
 */

import type { Holiday } from "../oncall/holidays/holidays.ts";
import { weekday } from "../shared/calendar.ts";
import { changesBetween, DAY, offsetAt, type Zone } from "../shared/time.ts";

export const RATE_CLASSES = ["weekday", "night", "weekend", "holiday"] as const;
export type RateClass = (typeof RATE_CLASSES)[number];

export type RateRules = {
  readonly zone: Zone;
  /** Local times in ms since midnight; a start after the end means overnight. */
  readonly nightStart: number;
  readonly nightEnd: number;
  /** Sunday is 0. */
  readonly weekendDays: ReadonlySet<number>;
  readonly holidays: readonly Holiday[];
};

/** [startAt, endAt) in epoch ms, of one class. */
export type RateSpan = {
  readonly startAt: number;
  readonly endAt: number;
  readonly rateClass: RateClass;
};

/**
 * Divides [from, to) (epoch ms) into spans of one class, in order and without gaps. A span has its
 * elapsed time: a night across a change of clocks is an hour shorter or longer.
 */
export function rateSpansBetween(rules: RateRules, from: number, to: number): RateSpan[] {
  const { zone } = rules;
  const holidayStarts = new Map<number, number>();
  for (const { day, startsAt } of rules.holidays) {
    holidayStarts.set(day, Math.min(startsAt, holidayStarts.get(day) ?? DAY));
  }
  const spans: { startAt: number; endAt: number; rateClass: RateClass }[] = [];
  const add = (startAt: number, endAt: number, rateClass: RateClass) => {
    if (startAt >= endAt) return;
    const last = spans.at(-1);
    if (last?.rateClass === rateClass) last.endAt = endAt;
    else spans.push({ startAt, endAt, rateClass });
  };
  // Between two changes of the clocks, local times are instants moved by a constant.
  const changes = changesBetween(zone, from, to).map(({ at }) => at);
  const starts = [from, ...changes];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const offset = offsetAt(zone, start);
    const lastDay = Math.floor((end - 1 + offset) / DAY);
    for (let day = Math.floor((start + offset) / DAY); day <= lastDay; day += 1) {
      for (const part of partsOfDay(rules, day, holidayStarts.get(day) ?? DAY)) {
        const at = (time: number) => Math.min(end, Math.max(start, day * DAY + time - offset));
        add(at(part.from), at(part.to), part.rateClass);
      }
    }
  }
  return spans;
}

/** A local day in parts of one class, in ms since midnight. */
function partsOfDay(rules: RateRules, day: number, holidayStart: number) {
  const { nightStart, nightEnd, weekendDays } = rules;
  const isWeekend = weekendDays.has(weekday(day));
  const isNight = (time: number) =>
    nightStart < nightEnd
      ? nightStart <= time && time < nightEnd
      : nightStart <= time || time < nightEnd;
  const classAt = (time: number): RateClass => {
    if (time >= holidayStart) return "holiday";
    if (isWeekend) return "weekend";
    return isNight(time) ? "night" : "weekday";
  };
  const cuts = [...new Set([0, nightStart, nightEnd, holidayStart, DAY])].sort((a, b) => a - b);
  return cuts
    .slice(0, -1)
    .map((from, index) => ({ from, to: cuts[index + 1] ?? DAY, rateClass: classAt(from) }));
}
