// The model's recurrence (contract 4, Recurrence): the occurrences of a rule and the hours of the week in which they
// are served, by counting from the first one.
import {
  addMonths,
  DAY,
  dateOf,
  HOUR,
  instantOf,
  isDateSkipped,
  localOf,
  MINUTE,
  weekdayOf,
} from "./clock.ts";

/** [from, to) in epoch ms. */
export type Hours = { readonly from: number; readonly to: number };

/** Hours of the week on the wall clock; minutes after midnight, an end that is not after its start is the next day's. */
export type Restriction = {
  readonly days: readonly number[];
  readonly start: number;
  readonly end: number;
};

export type Rule = {
  /** The first occurrence, epoch ms. */
  readonly start: number;
  readonly end: number;
  readonly zone: string;
  readonly layer: number;
  readonly priority: number;
  /** Null: it happens once. */
  readonly unit: "hourly" | "daily" | "weekly" | "monthly" | null;
  readonly every: number;
  /** Sunday 0; none: every day. */
  readonly days: readonly number[];
  /** An instant of the last day on which an occurrence may start. */
  readonly lastDay: number | null;
  readonly restrictions: readonly Restriction[];
  /** Whether the rotation gives the hours of people who are unavailable to the next in line. */
  readonly skipsAway: boolean;
};

/** An occurrence [from, to) and its turn, from 0. */
export type Occurrence = Hours & { readonly turn: number };

/** All occurrences of a rule that start before an instant, in order. */
export function occurrencesOf(rule: Rule, until: number): readonly Occurrence[] {
  const { start, end, zone, unit, every } = rule;
  if (unit === null) return start < until ? [{ from: start, to: end, turn: 0 }] : [];
  const found: Occurrence[] = [];
  if (unit === "hourly") {
    for (let turn = 0; start + turn * every * HOUR < until; turn++) {
      const from = start + turn * every * HOUR;
      if (isInTime(rule, localOf(zone, from))) found.push({ from, to: from + end - start, turn });
    }
    return found;
  }
  const first = localOf(zone, start);
  for (const nominal of nominalOf(rule, localOf(zone, until) + 2 * DAY)) {
    if (!isInTime(rule, nominal.from)) break;
    const [from, to] = [instantOf(zone, nominal.from), instantOf(zone, nominal.to)];
    const hours = nominal.from === first ? { from: start, to: end } : { from, to };
    const isLost = isDateSkipped(zone, nominal.from) && nominal.to <= localOf(zone, from);
    if (hours.to > hours.from && hours.from < until && !isLost) {
      found.push({ ...hours, turn: nominal.turn });
    }
  }
  return found;
}

/** Whether the last day of repetition includes a wall clock time. */
const isInTime = ({ zone, lastDay }: Rule, local: number): boolean =>
  lastDay === null || dateOf(local) <= dateOf(localOf(zone, lastDay));

/** The occurrences on the wall clock, as the rule says, before the clock changes. */
function* nominalOf(rule: Rule, until: number): Generator<Occurrence> {
  const { zone, unit, every, days } = rule;
  const first = localOf(zone, rule.start);
  const read = localOf(zone, rule.end);
  // A shift from the first to the second pass of an hour that occurs twice.
  const last = read > first ? read : first + rule.end - rule.start;
  const isOn = (local: number) => days.length === 0 || days.includes(weekdayOf(local));
  const span = dateOf(last) - dateOf(first);
  const lasting = (from: number) => dateOf(from) + span + last - dateOf(last);
  if (unit === "monthly") {
    const months = monthsIn(first, last);
    for (let turn = 0; ; turn++) {
      const from = addMonths(first, turn * every);
      if (from > until) return;
      const to = months === null ? lasting(from) : addMonths(first, turn * every + months);
      yield { from, to, turn };
    }
  }
  for (let step = 0, turn = 0; ; step++) {
    const from = first + step * every * (unit === "weekly" ? 7 : 1) * DAY;
    if (from > until) return;
    if (unit === "weekly" && days.length > 0) {
      // The chosen days of the block of seven that begins on the first day, in one turn.
      for (let day = 0; day < 7; day++) {
        const on = from + day * DAY;
        if (isOn(on)) yield { from: on, to: lasting(on), turn: step };
      }
    } else if (unit === "weekly" || isOn(from)) yield { from, to: lasting(from), turn: turn++ };
  }
}

/** How many whole months there are between two wall clock times; null: not a whole number. */
function monthsIn(first: number, last: number): number | null {
  for (let months = 1; addMonths(first, months) <= last; months++) {
    if (addMonths(first, months) === last) return months;
  }
  return null;
}

/** The parts of some hours in which a rule is served; hours of the week that touch are one part. */
export function restrict({ zone, restrictions }: Rule, hours: Hours): readonly Hours[] {
  if (restrictions.length === 0) return [hours];
  const served: Hours[] = [];
  const last = localOf(zone, hours.to) + 2 * DAY;
  for (let day = dateOf(localOf(zone, hours.from)) - 3 * DAY; day < last; day += DAY) {
    for (const { days, start, end } of restrictions) {
      if (days.length > 0 && !days.includes(weekdayOf(day))) continue;
      const from = Math.max(hours.from, instantOf(zone, day + start * MINUTE));
      const ends = day + end * MINUTE + (end > start ? 0 : DAY);
      const to = Math.min(hours.to, instantOf(zone, ends));
      if (from < to) served.push({ from, to });
    }
  }
  return unite(served);
}

/** Hours in any order as a list without overlap. */
export function unite(all: readonly Hours[]): Hours[] {
  const joined: Hours[] = [];
  for (const next of all.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (!last || last.to < next.from) joined.push(next);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
  }
  return joined;
}

/** The hours without others. */
export const subtract = (hours: Hours, others: readonly Hours[]): Hours[] =>
  others.reduce<Hours[]>(
    (left, other) =>
      left.flatMap((it) =>
        [
          { from: it.from, to: Math.min(it.to, other.from) },
          { from: Math.max(it.from, other.to), to: it.to },
        ].filter(({ from, to }) => from < to),
      ),
    [hours],
  );

/** Whether two hours share time. */
export const touches = (one: Hours, other: Hours): boolean =>
  one.from < other.to && other.from < one.to;
