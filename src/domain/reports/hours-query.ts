// The query of the report of hours on call (contract 2, Hours on call). Pure.

import { countryOf, HOLIDAY_YEARS, isCovered } from "../oncall/holidays/holidays.ts";
import { readWindow, type Window } from "../oncall/window.ts";
import { type FieldError, isRefusal, type Refusal, refuseFields } from "../shared/refusal.ts";
import { DAY, HOUR, localOf, MINUTE, zoneOf } from "../shared/time.ts";
import { isKnownZone } from "../shared/time-zones.ts";

export type HoursQuery = {
  readonly window: Window;
  readonly timeZone: string;
  /** `HH:mm`. */
  readonly nightStart: string;
  readonly nightEnd: string;
  /** Sunday is 0; ascending. */
  readonly weekendDays: readonly number[];
  /** The code of a region that may not exist; null: no holidays. */
  readonly holidayRegion: string | null;
  /** Whether the company holidays count. */
  readonly companyHolidays: boolean;
  /** Identifiers of schedules, and of teams whose schedules count; both empty: all schedules. */
  readonly scheduleIds: readonly string[];
  readonly teamIds: readonly string[];
};

const NIGHT = { start: "22:00", end: "06:00" } as const;
const WEEKEND = [0, 6];
export const MOST_IDENTIFIERS = 1000;

/** Reads the query; 400 and 422 as of every window, 422 for the other parameters, all at once. */
export function readHoursQuery(query: URLSearchParams): HoursQuery | Refusal {
  const window = readWindow(query);
  if (isRefusal(window)) return window;
  const faults: FieldError[] = [];
  const fault = (field: string, message: string) => {
    faults.push({ field, message: `${field} ${message}` });
  };
  const timeZone = query.get("time_zone") || "UTC";
  if (!isKnownZone(timeZone)) fault("time_zone", "is not a time zone");
  const nightStart = query.get("night_start") || NIGHT.start;
  const nightEnd = query.get("night_end") || NIGHT.end;
  for (const [name, text] of [
    ["night_start", nightStart],
    ["night_end", nightEnd],
  ] as const) {
    if (readClockTime(text) === null) fault(name, "must be a time as HH:mm");
  }
  if (nightStart === nightEnd) fault("night_end", "must differ from night_start");
  const weekendDays = readWeekendDays(query);
  if (weekendDays === null) fault("weekend_days", "must be numbers from 0 (Sunday) to 6");
  const holidayRegion = query.get("holiday_region")?.trim() || null;
  if (holidayRegion !== null) {
    const problem = holidayFault(holidayRegion, window, timeZone);
    if (problem !== null) fault("holiday_region", problem);
  }
  const companyHolidays = readFlag(query.get("company_holidays") || "true");
  if (companyHolidays === null) fault("company_holidays", "must be true or false");
  const [scheduleIds, teamIds] = ["schedule_ids", "team_ids"].map((name) => {
    const ids = listOf(query, name);
    if (ids.length > MOST_IDENTIFIERS) fault(name, `has more than ${MOST_IDENTIFIERS} elements`);
    return ids;
  }) as [string[], string[]];
  if (faults.length > 0) return refuseFields(faults);
  return {
    ...{ window, timeZone, nightStart, nightEnd, holidayRegion, scheduleIds, teamIds },
    weekendDays: weekendDays ?? WEEKEND,
    companyHolidays: companyHolidays ?? true,
  };
}

/** The local dates of a window, as numbers, both inclusive. */
export function localDaysOf({ from, to }: Window, timeZone: string) {
  const zone = zoneOf(timeZone);
  const dayAt = (at: number) => Math.floor(localOf(zone, at) / DAY);
  return { first: dayAt(from), last: dayAt(to - 1) };
}

/** `HH:mm` in ms since midnight; null if it is no such time. */
export function readClockTime(text: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * HOUR + Number(minute) * MINUTE;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

const readFlag = (text: string): boolean | null =>
  (Object.hasOwn(FLAGS, text) ? FLAGS[text] : null) ?? null;

/** Why the holidays of a region cannot be counted in the window; null if they can. */
function holidayFault(code: string, window: Window, timeZone: string): string | null {
  if (countryOf(code) === null) return "must be a code that GET /holidays/regions lists";
  if (!isKnownZone(timeZone)) return null;
  const { first, last } = localDaysOf(window, timeZone);
  if (isCovered(first) && isCovered(last)) return null;
  return `has holidays from ${HOLIDAY_YEARS.first} to ${HOLIDAY_YEARS.last} only`;
}

/** Repeated or comma-separated values, also as `name[]`, without blanks and repeats. */
export function listOf(query: URLSearchParams, name: string): string[] {
  const values = [...query.getAll(name), ...query.getAll(`${name}[]`)];
  const parts = values.flatMap((value) => value.split(",")).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

/** The weekend days; Saturday and Sunday without the parameter, none if it is empty. */
function readWeekendDays(query: URLSearchParams): number[] | null {
  if (!query.has("weekend_days") && !query.has("weekend_days[]")) return WEEKEND;
  const days = listOf(query, "weekend_days");
  return days.every((day) => /^[0-6]$/.test(day)) ? days.map(Number).sort() : null;
}
