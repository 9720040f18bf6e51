/**
 * The recurrence rule of one event: its dates on the wall clock, its length, and the turn of each
 * occurrence. The k-th occurrence is computed directly, without iterating from the start. Ignores
 * exceptions, cuts and clock changes (`occurrences.ts` applies them).
 */

import {
  addMonths,
  type CivilDate,
  civilDate,
  monthNumber,
  weekday,
} from "../../shared/calendar.ts";
import { DAY, HOUR, localOf, type Zone, zoneOf } from "../../shared/time.ts";
import type { OnCallEvent } from "../on-call-event.ts";

/** An event with what its occurrences share. Days are day numbers; clocks are ms since midnight. */
export type Series = {
  readonly event: OnCallEvent;
  readonly zone: Zone;
  readonly rhythm: Rhythm;
  readonly startDay: number;
  readonly startDate: CivilDate;
  readonly startClock: number;
  /**
   * The end: `spanDays` after the start date at `endClock`, or after whole months if it spans them.
   */
  readonly spanDays: number;
  readonly endClock: number;
  readonly spanMonths: number | null;
  /** Maximum length of an occurrence (ms). */
  readonly longest: number;
  /** The last local date on which an occurrence may start; Infinity without one. */
  readonly lastDay: number;
};

/** `elapsed`: every `step` ms. `months`: every `every` months. Others count calendar days. */
type Rhythm =
  | { readonly kind: "once" }
  | { readonly kind: "elapsed"; readonly step: number }
  | { readonly kind: "days"; readonly every: number; readonly weekdays: readonly boolean[] | null }
  | { readonly kind: "weeks"; readonly every: number; readonly weekdays: readonly boolean[] }
  | { readonly kind: "months"; readonly every: number };

/** An occurrence on the wall clock, as the rule defines it, and its zero-based turn. */
export type Nominal = {
  readonly localStart: number;
  readonly localEnd: number;
  readonly turn: number;
  /** The first occurrence uses the event's instants, whatever the wall clock makes of them. */
  readonly first: boolean;
};

/** Parses an event's rule. Throws a RangeError for an unknown zone. */
export function seriesOf(event: OnCallEvent): Series {
  const zone = zoneOf(event.timeZone);
  const localStart = localOf(zone, event.startAt);
  const elapsed = event.endAt - event.startAt;
  // A shift that starts in the first pass of a repeated hour and ends in the second may read
  // backwards: use its length.
  const readEnd = localOf(zone, event.endAt);
  const localEnd = readEnd > localStart ? readEnd : localStart + elapsed;
  const startDay = Math.floor(localStart / DAY);
  const startDate = civilDate(startDay);
  const startClock = localStart - startDay * DAY;
  const endDay = Math.floor(localEnd / DAY);
  const endClock = localEnd - endDay * DAY;
  const rhythm = rhythmOf(event, startDay);
  const isCalendar = rhythm.kind !== "once" && rhythm.kind !== "elapsed";
  return {
    event,
    zone,
    rhythm,
    startDay,
    startDate,
    startClock,
    spanDays: endDay - startDay,
    endClock,
    spanMonths: endClock === startClock ? monthsBetween(startDate, endDay) : null,
    // Calendar lengths vary: by clock changes, and by up to three days per month.
    longest: isCalendar ? localEnd - localStart + 4 * DAY : elapsed,
    lastDay: lastDayOf(event, zone, rhythm),
  };
}

function rhythmOf(event: OnCallEvent, startDay: number): Rhythm {
  const { frequency, frequencyUnit } = event;
  const repeats = event.repeat && event.parentId === null;
  if (!repeats || frequency === null || frequencyUnit === null || frequency < 1) {
    return { kind: "once" };
  }
  const every = Math.floor(frequency);
  const hasWeekdays = event.daysOfWeek.length > 0;
  switch (frequencyUnit) {
    case "hourly":
      return { kind: "elapsed", step: every * HOUR };
    case "daily":
      return { kind: "days", every, weekdays: hasWeekdays ? weekdaySet(event.daysOfWeek) : null };
    case "weekly": {
      const days = hasWeekdays ? event.daysOfWeek : [weekday(startDay)];
      return { kind: "weeks", every, weekdays: weekdaySet(days) };
    }
    case "monthly":
      return { kind: "months", every };
    case "yearly":
      return { kind: "months", every: every * 12 };
  }
}

function weekdaySet(days: readonly number[]): boolean[] {
  return [0, 1, 2, 3, 4, 5, 6].map((day) => days.includes(day));
}

/** The number of months from a date to a day if it is a whole number of at least one; else null. */
function monthsBetween(startDate: CivilDate, endDay: number): number | null {
  const months = monthNumber(civilDate(endDay)) - monthNumber(startDate);
  return months >= 1 && addMonths(startDate, months) === endDay ? months : null;
}

function lastDayOf(event: OnCallEvent, zone: Zone, rhythm: Rhythm): number {
  if (rhythm.kind === "once" || event.repeatEndAt === null) return Number.POSITIVE_INFINITY;
  return Math.floor(localOf(zone, event.repeatEndAt) / DAY);
}

/**
 * The occurrences whose nominal local date is in [fromDay, toDay], in order. Only for calendar
 * rhythms; `once` and `elapsed` use instants and yield none.
 */
export function nominalBetween(series: Series, fromDay: number, toDay: number): Nominal[] {
  const last = Math.min(toDay, series.lastDay);
  switch (series.rhythm.kind) {
    case "days":
      return dailyBetween(series, series.rhythm, fromDay, last);
    case "weeks":
      return weeklyBetween(series, series.rhythm, fromDay, last);
    case "months":
      return monthlyBetween(series, series.rhythm, fromDay, last);
    default:
      return [];
  }
}

function dailyBetween(
  series: Series,
  rhythm: Rhythm & { kind: "days" },
  fromDay: number,
  toDay: number,
): Nominal[] {
  const found: Nominal[] = [];
  const { every, weekdays } = rhythm;
  const last = Math.floor((toDay - series.startDay) / every);
  for (let k = Math.max(0, Math.ceil((fromDay - series.startDay) / every)); k <= last; k++) {
    const day = series.startDay + k * every;
    if (weekdays && !weekdays[weekday(day)]) continue;
    found.push(nominalOn(series, day, weekdays ? countOnWeekdays(series, every, weekdays, k) : k));
  }
  return found;
}

/** How many of the first `count` dates fall on the weekdays; the pattern repeats after seven. */
function countOnWeekdays(
  series: Series,
  every: number,
  weekdays: readonly boolean[],
  count: number,
): number {
  const cycles = Math.floor(count / 7);
  const remainder = count - cycles * 7;
  let perCycle = 0;
  let inRemainder = 0;
  for (let k = 0; k < 7; k++) {
    if (!weekdays[weekday(series.startDay + k * every)]) continue;
    perCycle++;
    if (k < remainder) inRemainder++;
  }
  return cycles * perCycle + inRemainder;
}

function weeklyBetween(
  series: Series,
  rhythm: Rhythm & { kind: "weeks" },
  fromDay: number,
  toDay: number,
): Nominal[] {
  const found: Nominal[] = [];
  const blockDays = rhythm.every * 7;
  const last = Math.floor((toDay - series.startDay) / blockDays);
  let block = Math.max(0, Math.floor((fromDay - series.startDay) / blockDays));
  for (; block <= last; block++) {
    for (let offset = 0; offset < 7; offset++) {
      const day = series.startDay + block * blockDays + offset;
      if (day < fromDay || day > toDay || !rhythm.weekdays[weekday(day)]) continue;
      found.push(nominalOn(series, day, block));
    }
  }
  return found;
}

function monthlyBetween(
  series: Series,
  rhythm: Rhythm & { kind: "months" },
  fromDay: number,
  toDay: number,
): Nominal[] {
  if (toDay < fromDay) return [];
  const found: Nominal[] = [];
  const { startDate, startClock, spanMonths } = series;
  const startMonth = monthNumber(startDate);
  const monthsTo = (day: number) => monthNumber(civilDate(day)) - startMonth;
  const last = Math.floor(monthsTo(toDay) / rhythm.every);
  for (let k = Math.max(0, Math.ceil(monthsTo(fromDay) / rhythm.every)); k <= last; k++) {
    const day = addMonths(startDate, k * rhythm.every);
    if (day < fromDay || day > toDay) continue;
    const nominal = nominalOn(series, day, k);
    if (spanMonths === null) {
      found.push(nominal);
      continue;
    }
    // Count from the first start, to match the clamped date of the next occurrence.
    const endDay = addMonths(startDate, k * rhythm.every + spanMonths);
    found.push({ ...nominal, localEnd: endDay * DAY + startClock });
  }
  return found;
}

function nominalOn(series: Series, day: number, turn: number): Nominal {
  return {
    localStart: day * DAY + series.startClock,
    localEnd: (day + series.spanDays) * DAY + series.endClock,
    turn,
    first: day === series.startDay,
  };
}
