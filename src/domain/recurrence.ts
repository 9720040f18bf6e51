/**
 * The rule of one event: on which dates it falls by the wall clock, for how long, and whose turn it
 * is. The k-th occurrence is worked out by arithmetic; nothing here walks from the event's start,
 * and nothing here knows of exceptions, cuts or changes of clocks (`occurrences.ts` does).
 */

import { addMonths, type CivilDate, civilDate, monthNumber, weekday } from "./calendar.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { DAY, HOUR, localOf, type Zone, zoneOf } from "./time.ts";

/**
 * An event with what its occurrences have in common. Days are day numbers, clocks ms since
 * midnight.
 */
export type Series = {
  readonly event: OnCallEvent;
  readonly zone: Zone;
  readonly rhythm: Rhythm;
  readonly startDay: number;
  readonly startDate: CivilDate;
  readonly startClock: number;
  /**
   * Where an occurrence ends: days after its start's date, at this clock; every few months: by
   * whole months.
   */
  readonly spanDays: number;
  readonly endClock: number;
  readonly spanMonths: number | null;
  /** No occurrence lasts longer, ms. */
  readonly longest: number;
  /** The last local date on which an occurrence may start; Infinity without one. */
  readonly lastDay: number;
};

/**
 * `elapsed`: every `step` ms. `months`: every so many months. The others count days of the
 * calendar.
 */
type Rhythm =
  | { readonly kind: "once" }
  | { readonly kind: "elapsed"; readonly step: number }
  | { readonly kind: "days"; readonly every: number; readonly weekdays: readonly boolean[] | null }
  | { readonly kind: "weeks"; readonly every: number; readonly weekdays: readonly boolean[] }
  | { readonly kind: "months"; readonly every: number };

/**
 * An occurrence as the rule has it: the wall clock's start and end, and the turn in a rotation,
 * from 0.
 */
export type Nominal = {
  readonly localStart: number;
  readonly localEnd: number;
  readonly turn: number;
  /** The first occurrence is the instants given, whatever the wall clock would make of them. */
  readonly first: boolean;
};

/** Reads an event's rule. Throws a RangeError where the event's zone is unknown. */
export function seriesOf(event: OnCallEvent): Series {
  const zone = zoneOf(event.timeZone);
  const localStart = localOf(zone, event.startAt);
  const elapsed = event.endAt - event.startAt;
  // Begun in the first pass of a repeated hour and ended in the second, a shift may read backwards:
  // keep its length.
  const readEnd = localOf(zone, event.endAt);
  const localEnd = readEnd > localStart ? readEnd : localStart + elapsed;
  const startDay = Math.floor(localStart / DAY);
  const startDate = civilDate(startDay);
  const startClock = localStart - startDay * DAY;
  const endDay = Math.floor(localEnd / DAY);
  const endClock = localEnd - endDay * DAY;
  const rhythm = rhythmOf(event, startDay);
  const calendar = rhythm.kind !== "once" && rhythm.kind !== "elapsed";
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
    // On the calendar a length may grow: by what clocks are put back, and a month's by three days.
    longest: calendar ? localEnd - localStart + 4 * DAY : elapsed,
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
  const filtered = event.daysOfWeek.length > 0;
  switch (frequencyUnit) {
    case "hourly":
      return { kind: "elapsed", step: every * HOUR };
    case "daily":
      return { kind: "days", every, weekdays: filtered ? weekdaySet(event.daysOfWeek) : null };
    case "weekly": {
      const days = filtered ? event.daysOfWeek : [weekday(startDay)];
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

/**
 * The number of months from a date to a day, if it is a whole number of at least one; else null.
 */
function monthsBetween(startDate: CivilDate, endDay: number): number | null {
  const months = monthNumber(civilDate(endDay)) - monthNumber(startDate);
  return months >= 1 && addMonths(startDate, months) === endDay ? months : null;
}

function lastDayOf(event: OnCallEvent, zone: Zone, rhythm: Rhythm): number {
  if (rhythm.kind === "once" || event.repeatEndAt === null) return Number.POSITIVE_INFINITY;
  return Math.floor(localOf(zone, event.repeatEndAt) / DAY);
}

/**
 * The occurrences whose nominal local date lies in [fromDay, toDay], in order. For rhythms of the
 * calendar only; `once` and `elapsed` count in instants and give none.
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
    found.push(nominalOn(series, day, weekdays ? letThrough(series, every, weekdays, k) : k));
  }
  return found;
}

/**
 * How many of the first `count` dates fall on one of the weekdays: seven dates in a row repeat the
 * pattern.
 */
function letThrough(
  series: Series,
  every: number,
  weekdays: readonly boolean[],
  count: number,
): number {
  const rounds = Math.floor(count / 7);
  const rest = count - rounds * 7;
  let inRound = 0;
  let inRest = 0;
  for (let k = 0; k < 7; k++) {
    if (!weekdays[weekday(series.startDay + k * every)]) continue;
    inRound++;
    if (k < rest) inRest++;
  }
  return rounds * inRound + inRest;
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
    // Counted from the first start, not from this one, so that it meets the next one's clamped
    // date.
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
