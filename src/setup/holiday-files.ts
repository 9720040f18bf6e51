// Converts the public holidays of the library date-holidays to the files that the worker reads
// (`src/domain/oncall/holidays/data`).
import Holidays, { type HolidaysTypes } from "date-holidays";
import {
  HOLIDAY_YEARS,
  type HolidayFile,
  type HolidayRow,
} from "../domain/oncall/holidays/holidays.ts";
import { DAY, HOUR } from "../domain/shared/time.ts";

const LANGUAGE = "en";
/** Days on which only banks, schools or some people rest are not public holidays. */
const OPTIONS: HolidaysTypes.Options = { types: ["public"], languages: LANGUAGE };

const library = new Holidays();

/** The codes of all countries, ascending. */
export const countries = (): string[] => Object.keys(library.getCountries(LANGUAGE)).sort();

/** A region's code, and the codes by which the library finds it: country, state, region. */
type Region = { readonly code: string; readonly name: string; readonly path: readonly string[] };

function regionsOf(country: string): Region[] {
  const named = (codes: Record<string, string> | undefined, path: readonly string[]): Region[] =>
    Object.entries(codes ?? {})
      .map(([code, name]) => ({ code: [...path, code].join("-"), name, path: [...path, code] }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
  const name = library.getCountries(LANGUAGE)[country] ?? country;
  const states = named(library.getStates(country, LANGUAGE), [country]);
  return [
    { code: country, name, path: [country] },
    ...states.flatMap((state) => {
      const code = state.path[1] ?? "";
      return [state, ...named(library.getRegions(country, code, LANGUAGE), state.path)];
    }),
  ];
}

/**
 * The local dates of a holiday, and the time at which each begins. Religious holidays begin at
 * sunset for the library; by law they are the civil days. A last half day is left out.
 */
function daysOf({ date, start, end }: HolidaysTypes.Holiday): { date: string; startsAt: string }[] {
  const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  const startsAt = date.slice(11, 16);
  const length = end.getTime() - start.getTime();
  if (startsAt !== "00:00") return [{ date: date.slice(0, 10), startsAt }];
  // An hour is lost or gained where the clocks change during the holiday.
  const count = Math.floor((length + HOUR) / DAY);
  if (count < 1) throw new Error(`a holiday of ${length / HOUR} hours on ${date}`);
  return Array.from({ length: count }, (_, at) => ({
    date: new Date(first + at * DAY).toISOString().slice(0, 10),
    startsAt,
  }));
}

/** The dates of a region's holidays, by `<name>\n<HH:mm>`. */
function datesOf({ path }: Region): Map<string, Set<string>> {
  const [country = "", state = "", region = ""] = path;
  const calendar = new Holidays(country, state, region, OPTIONS);
  const dates = new Map<string, Set<string>>();
  // A holiday of several days may begin in the year before.
  for (let year = HOLIDAY_YEARS.first - 1; year <= HOLIDAY_YEARS.last; year += 1) {
    for (const holiday of calendar.getHolidays(year, LANGUAGE)) {
      for (const { date, startsAt } of daysOf(holiday)) {
        const dated = Number(date.slice(0, 4));
        if (dated < HOLIDAY_YEARS.first || dated > HOLIDAY_YEARS.last) continue;
        const key = `${holiday.name}\n${startsAt}`;
        dates.set(key, (dates.get(key) ?? new Set<string>()).add(date));
      }
    }
  }
  return dates;
}

/** The file of a country: regions with the same dates of a holiday share a row. */
export function holidayFileOf(country: string): HolidayFile {
  const regions = regionsOf(country);
  const rows = new Map<string, { row: HolidayRow; codes: string[] }>();
  for (const region of regions) {
    for (const [key, dates] of datesOf(region)) {
      const [name = "", startsAt = ""] = key.split("\n");
      const sorted = [...dates].sort();
      const row = { name, ...(startsAt !== "00:00" && { starts_at: startsAt }), dates: sorted };
      const identity = JSON.stringify(row);
      const known = rows.get(identity) ?? { row, codes: [] as string[] };
      known.codes.push(region.code);
      rows.set(identity, known);
    }
  }
  const holidays = [...rows.values()].map(({ row: { name, ...rest }, codes }) => ({
    name,
    ...(codes.length < regions.length && { regions: codes }),
    ...rest,
  }));
  const orderOf = ({ dates, name, regions: only = [] }: HolidayRow) =>
    [dates[0]?.slice(5), name, only[0]].join(" ");
  return {
    regions: Object.fromEntries(regions.map(({ code, name }) => [code, name])),
    holidays: holidays.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
  };
}

/** The text of a country's file: a line for each holiday. */
export const textOfFile = ({ regions, holidays }: HolidayFile): string =>
  `{"regions":${JSON.stringify(regions)},"holidays":[\n${holidays
    .map((row) => JSON.stringify(row))
    .join(",\n")}\n]}\n`;

/** The text of the file of all regions: a line for each code and its name. */
export const textOfRegions = (regions: Readonly<Record<string, string>>): string =>
  `{\n${Object.entries(regions)
    .map(([code, name]) => `${JSON.stringify(code)}:${JSON.stringify(name)}`)
    .join(",\n")}\n}\n`;

/**
 * The licence of the files, with the attributions that the library's licence lists.
 *
 * @param libraryLicence the text of the library's `LICENSE`
 */
export function licenceOf(libraryLicence: string, version: string): string {
  const [, attributions = ""] =
    /<attribution>\s*([\s\S]*?)\s*<\/attribution>/.exec(libraryLicence) ?? [];
  if (attributions === "") throw new Error("the library's licence lists no attributions");
  return `The files in this folder are derived from the data of date-holidays ${version}
<https://github.com/commenthol/date-holidays>, which is available under CC BY-SA 3.0
<https://creativecommons.org/licenses/by-sa/3.0/>, because it relies on the articles of Wikipedia below.
They are available under the same licence.

Changes: \`npm run holidays\` calculates the dates of the public holidays of the years ${HOLIDAY_YEARS.first} to ${HOLIDAY_YEARS.last},
with their English names. Other kinds of holidays are left out.

Attributions:

${attributions}
`;
}
