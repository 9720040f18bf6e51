/**
 * The public holidays of countries and their subdivisions, from the data files beside this one.
 * Pure: the file of a country is passed in. Days are local dates, as numbers since 1970-01-01.
 */

import { civilDate, parseDate } from "../../shared/calendar.ts";
import { HOUR, MINUTE } from "../../shared/time.ts";

/** The years that the data covers. */
export const HOLIDAY_YEARS = { first: 2025, last: 2036 } as const;

/** A holiday on the same days of every year, or its substitute days, in the file of a country. */
export type HolidayRow = {
  readonly name: string;
  /** The codes of the regions with this holiday; absent: the country and all its subdivisions. */
  readonly regions?: readonly string[];
  /** The local time (`HH:mm`) at which it begins; absent: it lasts the whole day. */
  readonly starts_at?: string;
  /** `YYYY-MM-DD`, ascending. */
  readonly dates: readonly string[];
};

/** The file of a country, `data/<country>.json`. */
export type HolidayFile = {
  /** Names by code: the country (`DE`) first, then its subdivisions (`DE-BY`, `DE-BY-A`). */
  readonly regions: Readonly<Record<string, string>>;
  readonly holidays: readonly HolidayRow[];
};

/** A public holiday; it ends with its local date. */
export type Holiday = {
  readonly day: number;
  /** The local time at which it begins, in ms since midnight; 0: it lasts the whole day. */
  readonly startsAt: number;
  readonly name: string;
};

const CODE = /^[a-z]{2}(?:-[a-z0-9]{1,20}){0,2}$/i;

/** The country of a region's code, as in the name of its file; null if the code is malformed. */
export function countryOf(code: string): string | null {
  return CODE.test(code) ? code.slice(0, 2).toUpperCase() : null;
}

/** The code of a region as the file writes it, for any case; null if there is no such region. */
export function findRegion({ regions }: HolidayFile, code: string): string | null {
  const folded = code.toUpperCase();
  return Object.keys(regions).find((it) => it.toUpperCase() === folded) ?? null;
}

/**
 * The holidays of a region in the local dates `from` to `to`, both inclusive, by date and start.
 *
 * @param region a code that `findRegion` returned
 */
export function holidaysBetween(
  { holidays }: HolidayFile,
  region: string,
  from: number,
  to: number,
): Holiday[] {
  return holidays
    .filter(({ regions }) => regions === undefined || regions.includes(region))
    .flatMap(({ name, starts_at = "00:00", dates }) =>
      dates.map((date) => ({ day: parseDate(date) ?? 0, startsAt: clockTimeOf(starts_at), name })),
    )
    .filter(({ day }) => from <= day && day <= to)
    .sort((a, b) => a.day - b.day || a.startsAt - b.startsAt || (a.name < b.name ? -1 : 1));
}

/** Whether the data covers a local date. */
export function isCovered(day: number): boolean {
  const { year } = civilDate(day);
  return HOLIDAY_YEARS.first <= year && year <= HOLIDAY_YEARS.last;
}

/** `HH:mm` in ms since midnight. */
const clockTimeOf = (text: string): number =>
  Number(text.slice(0, 2)) * HOUR + Number(text.slice(3, 5)) * MINUTE;
