// The query for the public holidays of a region (contract 2, Public holidays). Pure.

import { parseDate } from "../../shared/calendar.ts";
import { type FieldError, type Refusal, refuse, refuseFields } from "../../shared/refusal.ts";
import { countryOf, HOLIDAY_YEARS, isCovered } from "./holidays.ts";

export type HolidayQuery = {
  /** A well-formed code of a region that may not exist. */
  readonly region: string;
  /** Local dates as numbers, both inclusive. */
  readonly from: number;
  readonly to: number;
};

const NAMES = ["region", "from", "to"] as const;

/** The refusal of a parameter that is not the code of a region. */
export const unknownRegion = (field: string): Refusal =>
  refuse("invalid", `${field} must be a code that GET /holidays/regions lists`, field);

/** Reads the query; 400 for an invalid date, 422 for an invalid region or range. */
export function readHolidayQuery(query: URLSearchParams): HolidayQuery | Refusal {
  const texts = NAMES.map((name) => ({ name, text: query.get(name)?.trim() ?? "" }));
  const missing = texts.filter(({ text }) => text === "");
  if (missing.length > 0) {
    return refuseFields(
      missing.map(({ name }) => ({ field: name, message: `${name} can't be blank` })),
    );
  }
  const [region, from, to] = texts.map(({ text }) => text) as [string, string, string];
  const days = { from: parseDate(from), to: parseDate(to) };
  for (const name of ["from", "to"] as const) {
    if (days[name] === null) {
      return refuse("malformed", `${name} is not a date; use YYYY-MM-DD`, name);
    }
  }
  if (countryOf(region) === null) return unknownRegion("region");
  const { first, last } = HOLIDAY_YEARS;
  const faults: FieldError[] = (["from", "to"] as const)
    .filter((name) => !isCovered(Number(days[name])))
    .map((name) => ({ field: name, message: `${name} must be in the years ${first} to ${last}` }));
  if (faults.length > 0) return refuseFields(faults);
  const range = { from: Number(days.from), to: Number(days.to) };
  return range.to < range.from
    ? refuse("invalid", "to must not be before from", "to")
    : { region, ...range };
}
