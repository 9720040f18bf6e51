// Expands recurrence rules with `ical.js`, in local time and up to a bound: left alone, the library
// searches for ever for an occurrence that a rule cannot have (30 February), and yields some that the
// rule excludes.
import ICAL from "ical.js";
import { type CalendarZone, localTime, timeOfLocal } from "./calendar-zones.ts";

/** Steps for all rules of one calendar: a century of daily shifts is 36,500. */
const MAX_STEPS = 300_000;

/** Counts the steps of all rules of one calendar. */
export class RecurrenceBudget {
  #steps = 0;

  /** @throws if the calendar's rules take too many steps */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new RecurrenceTooLong();
  }
}

/** Thrown when a calendar's rules take too many steps to expand. */
export class RecurrenceTooLong extends Error {
  constructor() {
    super("the calendar's events repeat too often to be expanded");
  }
}

/** Ends the iteration: the rule has no further occurrence before the bound. */
class PastBound extends Error {}

type Bound = { readonly lastYear: number; readonly budget: RecurrenceBudget };

/** Days of an interval that is beyond any bound: 270 years. */
const BEYOND = 100_000;

/** The library's iterator within a bound. Every step of it ends in one of these methods. */
function boundedIterator(rule: ICAL.Recur, dtstart: ICAL.Time, { lastYear, budget }: Bound) {
  const check = ({ last }: ICAL.RecurIterator) => {
    budget.spend(1);
    if (last.year > lastYear) throw new PastBound();
  };
  class BoundedIterator extends ICAL.RecurIterator {
    override increment_year(years: number): void {
      super.increment_year(years);
      check(this);
    }
    override increment_month(): void {
      super.increment_month();
      check(this);
    }
    override increment_monthday(days: number): void {
      if (days > BEYOND) throw new PastBound();
      super.increment_monthday(days);
      budget.spend(days / 30);
      check(this);
    }
    override check_contracting_rules(): boolean {
      check(this);
      return super.check_contracting_rules();
    }
  }
  return new BoundedIterator({ rule, dtstart });
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

const listOf = (rule: ICAL.Recur, part: string): readonly (string | number)[] =>
  (rule.parts as Record<string, readonly (string | number)[] | undefined>)[part] ?? [];

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

/** The local time after which a rule ends (inclusive); infinite if it does not say. */
function untilOf(rule: ICAL.Recur, zone: CalendarZone, isDate: boolean): number {
  const { until } = rule;
  if (!until) return Number.POSITIVE_INFINITY;
  const local = localTime(until);
  if (isDate) return local;
  // A date includes its whole day.
  if (until.isDate) return local + 86_399_999;
  return until.zone === ICAL.Timezone.utcTimezone ? zone.toLocal(local) : local;
}

/**
 * The local starts of a rule's occurrences, in order, up to `before` (local ms, exclusive).
 *
 * @param start the local start of the first occurrence
 * @throws for a rule that the library cannot read, or that takes too many steps
 */
export function* occurrencesOf(
  rule: ICAL.Recur,
  start: { readonly local: number; readonly isDate: boolean; readonly zone: CalendarZone },
  before: number,
  budget: RecurrenceBudget,
): Generator<number> {
  if (rule.freq === "SECONDLY" || rule.freq === "MINUTELY") {
    throw new Error("it repeats more often than hourly");
  }
  const { local, isDate, zone } = start;
  const until = untilOf(rule, zone, isDate);
  const most = rule.count ?? Number.POSITIVE_INFINITY;
  const unbounded = rule.clone();
  // Counted here, without the occurrences that the rule excludes.
  unbounded.count = null;
  unbounded.until = null;
  const bound = { lastYear: new Date(Math.min(before, until)).getUTCFullYear(), budget };
  try {
    const iterator = boundedIterator(unbounded, timeOfLocal(local, isDate), bound);
    for (let count = 0; count < most; ) {
      const next = iterator.next();
      if (!next) return;
      const at = localTime(next);
      if (at > until || at >= before) return;
      if (at < local || !fits(rule, at)) continue;
      count += 1;
      yield at;
    }
  } catch (error) {
    if (!(error instanceof PastBound)) throw error;
  }
}
