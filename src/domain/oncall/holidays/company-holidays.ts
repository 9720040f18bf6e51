/**
 * An account's own holidays: local dates, once or every year. Pure.
 */

import { civilDate, dayNumber, daysInMonth, parseDate } from "../../shared/calendar.ts";
import type { FieldError } from "../../shared/refusal.ts";
import type { Holiday } from "./holidays.ts";

export type CompanyHoliday = {
  readonly name: string;
  /** `YYYY-MM-DD`, both inclusive. */
  readonly startDate: string;
  readonly endDate: string;
  readonly repeatsYearly: boolean;
};

/** The longest holiday, in days: one that repeats does not overlap itself. */
const LONGEST_HOLIDAY_DAYS = 365;

/** More than this an account does not have. */
export const MOST_COMPANY_HOLIDAYS = 500;

/** Errors of the dates of a holiday, each of which is a date. */
export function datesFaults({
  startDate,
  endDate,
}: Pick<CompanyHoliday, "startDate" | "endDate">): readonly FieldError[] {
  const days = (parseDate(endDate) ?? 0) - (parseDate(startDate) ?? 0) + 1;
  if (days < 1) {
    return [{ field: "end_date", message: "end_date must not be before start_date" }];
  }
  if (days <= LONGEST_HOLIDAY_DAYS) return [];
  const message = `end_date must be less than ${LONGEST_HOLIDAY_DAYS} days after start_date`;
  return [{ field: "end_date", message }];
}

/**
 * The days of holidays in the local dates `from` to `to`, both inclusive, by date. One that repeats
 * begins in its first year; on 29 February it is on the 28th in other years.
 */
export function companyHolidaysBetween(
  holidays: readonly CompanyHoliday[],
  from: number,
  to: number,
): Holiday[] {
  return holidays
    .flatMap((holiday) => daysOf(holiday, from, to).map((day) => ({ day, name: holiday.name })))
    .sort((one, other) => one.day - other.day || (one.name < other.name ? -1 : 1))
    .map((it) => ({ ...it, startsAt: 0 }));
}

function daysOf(holiday: CompanyHoliday, from: number, to: number): number[] {
  const start = parseDate(holiday.startDate) ?? 0;
  const length = (parseDate(holiday.endDate) ?? 0) - start + 1;
  return startsOf(start, holiday.repeatsYearly, from - length, to).flatMap((first) =>
    Array.from({ length }, (_, index) => first + index).filter((day) => from <= day && day <= to),
  );
}

/** The first days, of those that matter between two dates. */
function startsOf(start: number, repeatsYearly: boolean, from: number, to: number): number[] {
  if (!repeatsYearly) return [start];
  const { year: firstYear, month, day } = civilDate(start);
  const years: number[] = [];
  const lastYear = civilDate(to).year;
  for (let year = Math.max(firstYear, civilDate(from).year); year <= lastYear; year++) {
    years.push(dayNumber(year, month, Math.min(day, daysInMonth(year, month))));
  }
  return years;
}

/** Holidays of two sources together, by date and start. */
export const joinHolidays = (one: readonly Holiday[], other: readonly Holiday[]): Holiday[] =>
  [...one, ...other].sort((a, b) => a.day - b.day || a.startsAt - b.startsAt);
