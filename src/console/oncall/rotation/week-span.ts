// Hours of the week without a break, from a weekday and time to another, as the restrictions that the
// API has: a window per day, or per run of whole days.
import type { EventRestriction } from "../../../features/oncall/events/contract.ts";

/** On the wall clock; the end is exclusive, and may be in the next week. */
export type WeekSpan = {
  /** Sunday is 0. */
  readonly fromDay: number;
  /** `HH:mm` */
  readonly from: string;
  readonly untilDay: number;
  readonly until: string;
};

const DAYS = 7;

/** A number of days from one on, at most those of a week. */
const daysBetween = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (first + at) % DAYS);

/**
 * The restrictions that cover a span: whole days of 24 hours from its start on, and a last one that
 * ends earlier or later than that clock time. A span that ends where it starts is the whole week.
 */
export function restrictionsOfSpan(span: WeekSpan): readonly EventRestriction[] {
  const { fromDay, from, untilDay, until } = span;
  const distance = (untilDay - fromDay + DAYS) % DAYS;
  if (distance === 0 && from === until) {
    return [{ days_of_week: daysBetween(fromDay, DAYS).sort(), start_time: from, end_time: from }];
  }
  const endsEarlier = until < from;
  // It ends on the day on which it starts; if before its start, a week later.
  const days = distance === 0 && endsEarlier ? DAYS : distance;
  const whole = daysBetween(fromDay, endsEarlier ? days - 1 : days);
  const last = (fromDay + whole.length) % DAYS;
  return [
    { days_of_week: whole.toSorted(), start_time: from, end_time: from },
    { days_of_week: from === until ? [] : [last], start_time: from, end_time: until },
  ].filter(({ days_of_week }) => days_of_week.length > 0);
}

/** The span that some restrictions cover as `restrictionsOfSpan` writes them; null: none. */
export function spanOfRestrictions(restrictions: readonly EventRestriction[]): WeekSpan | null {
  const days = restrictions.flatMap((it) => it.days_of_week);
  const starts = days.filter((day) => !days.includes((day + DAYS - 1) % DAYS));
  const [fromDay] = starts;
  const [first] = restrictions;
  if (first === undefined || fromDay === undefined || starts.length > 1) return null;
  const lastDay = (fromDay + days.length - 1) % DAYS;
  const last = restrictions.find((it) => it.days_of_week.includes(lastDay));
  if (last === undefined) return null;
  const { start_time: from } = first;
  const { end_time: until } = last;
  const untilDay = until > from ? lastDay : (lastDay + 1) % DAYS;
  // A field for a time has no 24:00.
  if (until === "24:00") return null;
  const span = { fromDay, from, untilDay, until };
  return JSON.stringify(restrictionsOfSpan(span)) === JSON.stringify(restrictions) ? span : null;
}
