/**
 * Dates of the proleptic Gregorian calendar as integers: a day is its number since 1970-01-01.
 * Independent of time zones and the clock; exact for the years 1 to 9999.
 */

export type CivilDate = { readonly year: number; readonly month: number; readonly day: number };

/** Days from 1970-01-01 to the date; `month` is 1–12, `day` 1–31 (not checked). */
export function dayNumber(year: number, month: number, day: number): number {
  // Years start in March, so that the leap day is the last of its year.
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1;
  return marchYear * 365 + leapDays + dayOfYear - DAYS_TO_1970;
}

/** Days from 0000-03-01 to 1970-01-01. */
const DAYS_TO_1970 = 719468;
const DAYS_IN_400_YEARS = 146097;

/** The date of a day number. */
export function civilDate(day: number): CivilDate {
  const shifted = day + DAYS_TO_1970;
  const era = Math.floor(shifted / DAYS_IN_400_YEARS);
  const dayOfEra = shifted - era * DAYS_IN_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Sunday = 0 … Saturday = 6. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** 28 to 31. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return leap ? 29 : 28;
  }
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Months since January of year 0. */
export function monthNumber(date: CivilDate): number {
  return date.year * 12 + date.month - 1;
}

/** The day number `months` after `date`, clamped to the last day of the month. */
export function addMonths(date: CivilDate, months: number): number {
  const target = monthNumber(date) + months;
  const year = Math.floor(target / 12);
  const month = target - year * 12 + 1;
  return dayNumber(year, month, Math.min(date.day, daysInMonth(year, month)));
}

/** Parses `YYYY-MM-DD` to a day number; null if there is no such date. */
export function parseDate(text: string): number | null {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (!year || !month || !day || month > 12 || day > daysInMonth(year, month)) return null;
  return dayNumber(year, month, day);
}
