// Expands recurrence rules with `ical.js`, in local time and up to a bound: left alone, the library
// searches for ever for an occurrence that a rule cannot have (30 February), and yields some that the
// rule excludes.
import ICAL from "ical.js";
import { DAY, HOUR } from "../../domain/shared/time.ts";
import {
  type CalendarFault,
  type CalendarZone,
  dayOf,
  INVALID,
  readTime,
  type WrittenTime,
} from "./calendar-times.ts";

/** Units of work of one calendar, and of one of its series: a century of daily shifts is 75,000. */
const MAX_WORK = 300_000;
const MAX_WORK_OF_SERIES = 100_000;

/** Counts the work of one calendar: a unit takes some microseconds. */
export class RecurrenceBudget {
  #all = 0;
  #series = 0;

  /** Begins another series. */
  begin(): void {
    this.#series = 0;
  }

  /** Whether the series, and all of them, may go on after this work. */
  spend(work: number): boolean {
    this.#all += work;
    this.#series += work;
    return this.#series <= MAX_WORK_OF_SERIES && !this.isExhausted;
  }

  /** Whether all of the calendar's rules took too much work. */
  get isExhausted(): boolean {
    return this.#all > MAX_WORK;
  }
}

/**
 * Leaves an iteration of the library, which asks nobody whether it should go on: beyond the bound, or
 * without work left. Caught where the iteration begins.
 */
const STOP = new Error("the iteration is stopped");

/** Days of an interval that is beyond any bound: 270 years. */
const BEYOND = 100_000;

/** A longer interval ends the series at its start: 270 years again. */
const LONGEST_INTERVAL: Readonly<Record<string, number>> = {
  HOURLY: BEYOND * 24,
  DAILY: BEYOND,
  WEEKLY: BEYOND / 7,
  MONTHLY: 3_240,
  YEARLY: 270,
};

const listOf = (rule: ICAL.Recur, part: string): readonly (string | number)[] =>
  (rule.parts as Record<string, readonly (string | number)[] | undefined>)[part] ?? [];

/** The library's work per step: it tries every weekday of the rule on every day of a month or year. */
function workOf(rule: ICAL.Recur) {
  const weekdays = listOf(rule, "BYDAY").length;
  const all = Object.values(rule.parts).reduce((sum, list) => sum + list.length, 0);
  const month = rule.freq === "MONTHLY" ? 16 * weekdays : 0;
  return {
    // It sorts the weekdays by exchanging pairs.
    begin: weekdays ** 2 / 5 + all,
    check: 1 + all / 10 + (listOf(rule, "BYSETPOS").length > 0 ? month : 0),
    month: 1 + month,
    year: 1 + (rule.freq === "YEARLY" ? 30 * weekdays + all : 0),
  };
}

type Bound = { readonly lastYear: number; readonly budget: RecurrenceBudget };

/** The library's iterator within a bound. Every step of it ends in one of these methods. */
function boundedIterator(rule: ICAL.Recur, dtstart: ICAL.Time, { lastYear, budget }: Bound) {
  const work = workOf(rule);
  const check = ({ last }: ICAL.RecurIterator, spent: number) => {
    if (!budget.spend(spent) || last.year > lastYear) throw STOP;
  };
  if (!budget.spend(work.begin)) throw STOP;
  class BoundedIterator extends ICAL.RecurIterator {
    override increment_year(years: number): void {
      super.increment_year(years);
      check(this, work.year);
    }
    override increment_month(): void {
      super.increment_month();
      check(this, work.month);
    }
    override increment_monthday(days: number): void {
      if (days > BEYOND) throw STOP;
      super.increment_monthday(days);
      check(this, 1 + days / 10);
    }
    /** As the library does, without the weeks and days of the year: no rule has them here. */
    override check_contracting_rules(): boolean {
      check(this, work.check);
      const { second, minute, hour, day, month } = this.last;
      const parts = {
        BYSECOND: second,
        BYMINUTE: minute,
        BYHOUR: hour,
        BYMONTHDAY: day,
        BYMONTH: month,
      };
      const weekday = ICAL.Recur.numericDayToIcalDay(this.last.dayOfWeek());
      return (
        this.check_contract_restriction("BYDAY", weekday) &&
        Object.entries(parts).every(([part, value]) => this.check_contract_restriction(part, value))
      );
    }
  }
  return new BoundedIterator({ rule, dtstart });
}

/** The local time that the library's time shows (ms). */
const localTime = ({ year, month, day, hour, minute, second, isDate }: ICAL.Time): number =>
  isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second);

/** The library's time of a local time (ms), without a zone. */
function timeOfLocal(local: number, isDate: boolean): ICAL.Time {
  const date = new Date(local);
  return ICAL.Time.fromData({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    isDate,
  });
}

/** Empties the library's caches, which otherwise hold every date that was ever looked at. */
export function forgetDates(): void {
  ICAL.Time._dowCache = {};
  ICAL.Time._wnCache = {};
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

/** Whether an occurrence has the months, days of the month and weekdays that the rule names. */
function fits(rule: ICAL.Recur, local: number): boolean {
  const date = new Date(local);
  const month = date.getUTCMonth() + 1;
  const day = date.getUTCDate();
  const fromEnd = day - new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate() - 1;
  const months = listOf(rule, "BYMONTH");
  const days = listOf(rule, "BYMONTHDAY");
  const weekdays = listOf(rule, "BYDAY").map((it) => String(it).slice(-2));
  return (
    (months.length === 0 || months.includes(month)) &&
    (days.length === 0 || days.includes(day) || days.includes(fromEnd)) &&
    (weekdays.length === 0 || weekdays.includes(WEEKDAYS[date.getUTCDay()] ?? ""))
  );
}

export type CalendarRule = {
  readonly recur: ICAL.Recur;
  /** The last occurrence is not after it; null: the rule does not say. */
  readonly until: WrittenTime | null;
};

const PART = /^(?:FREQ|INTERVAL|COUNT|WKST|BY[A-Z]+)=/;

/** Whether the library applies the positions of a rule; elsewhere it leaves them out. */
const appliesPositions = (recur: ICAL.Recur): boolean =>
  listOf(recur, "BYSETPOS").length === 0 ||
  (listOf(recur, "BYDAY").length > 0 &&
    listOf(recur, "BYMONTHDAY").length === 0 &&
    (recur.freq === "MONTHLY" || (recur.freq === "YEARLY" && listOf(recur, "BYMONTH").length > 0)));

/** The library's rule; null for a text that it does not understand. */
function parseRule(text: string): ICAL.Recur | null {
  try {
    return ICAL.Recur.fromString(text);
  } catch {
    return null;
  }
}

/** Reads a rule that can be expanded as it means. */
export function readRule(text: string): CalendarRule | CalendarFault {
  const parts = text.toUpperCase().split(";");
  const recur = parseRule(parts.filter((it) => PART.test(it)).join(";"));
  if (!recur?.freq || recur.freq === "SECONDLY" || recur.freq === "MINUTELY") return INVALID;
  // The library reads one digit of the twentieth Monday, and ignores weeks of the year.
  const isUnknown = listOf(recur, "BYDAY").some((it) => /\d\d/.test(String(it)));
  if (isUnknown || listOf(recur, "BYWEEKNO").length > 0 || !appliesPositions(recur)) return INVALID;
  const end = parts.find((it) => it.startsWith("UNTIL="))?.slice(6);
  const until = end === undefined ? null : readTime(end);
  return end !== undefined && until === null ? INVALID : { recur, until };
}

/** The local date of a time in a calendar of dates: midnight in UTC names its own date. */
export const dateOf = (time: WrittenTime, zone: CalendarZone): number =>
  dayOf(time.isUtc && time.local % DAY !== 0 ? zone.toLocal(time.local) : time.local);

/** The local time after which a rule ends (inclusive); infinite if it does not say. */
function endOf({ until }: CalendarRule, zone: CalendarZone, isDate: boolean): number {
  if (!until) return Number.POSITIVE_INFINITY;
  if (isDate) return dateOf(until, zone);
  // A date includes its whole day.
  if (until.isDate) return until.local + DAY - 1;
  return until.isUtc ? zone.toLocal(until.local) : until.local;
}

/** The periods whose length is the same always, by the wall clock. */
const PERIODS: Readonly<Record<string, number>> = { HOURLY: HOUR, DAILY: DAY, WEEKLY: 7 * DAY };

/** Where the expansion may begin: whole intervals after the start, unless occurrences are counted. */
function expandedFrom({ freq, interval, count }: ICAL.Recur, start: number, from: number): number {
  const step = (PERIODS[freq] ?? 0) * interval;
  const skipped = count === null && step > 0 ? Math.floor((from - start) / step) - 1 : 0;
  return start + Math.max(skipped, 0) * step;
}

/**
 * The local starts of a rule's occurrences, in order, from before `from` (local ms) up to `before`
 * (exclusive).
 *
 * @param start the local start of the first occurrence
 */
export function occurrencesOf(
  rule: CalendarRule,
  start: { readonly local: number; readonly isDate: boolean; readonly zone: CalendarZone },
  { from, before }: { readonly from: number; readonly before: number },
  budget: RecurrenceBudget,
): readonly number[] | CalendarFault {
  const { local, isDate, zone } = start;
  const until = endOf(rule, zone, isDate);
  if (until < from) return [];
  const unbounded = rule.recur.clone();
  const { count, freq, interval } = unbounded;
  // Confluence writes COUNT=-1 for a series without an end.
  const most = count !== null && count >= 1 ? count : Number.POSITIVE_INFINITY;
  if (interval > (LONGEST_INTERVAL[freq] ?? 0)) {
    return local <= until && local < before && fits(unbounded, local) ? [local] : [];
  }
  const first = expandedFrom(rule.recur, local, from);
  // Counted here, without the occurrences that the rule excludes.
  unbounded.count = null;
  const bound = { lastYear: new Date(Math.min(before, until)).getUTCFullYear(), budget };
  const found: number[] = [];
  try {
    const iterator = boundedIterator(unbounded, timeOfLocal(first, isDate), bound);
    while (found.length < most) {
      const next = iterator.next();
      if (!next) break;
      const at = localTime(next);
      if (at > until || at >= before) break;
      if (at >= local && fits(unbounded, at)) found.push(at);
    }
  } catch (error) {
    // Whatever else the library throws comes from the rule.
    if (error !== STOP) return INVALID;
  }
  // Asks whether there is work left.
  return budget.spend(0) ? found : INVALID;
}
