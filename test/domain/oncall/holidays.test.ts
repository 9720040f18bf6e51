// The public holidays: the files against the library that they come from and against published
// lists, and the holidays of a region between two dates.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHolidayQuery } from "../../../src/domain/oncall/holidays/holiday-query.ts";
import {
  countryOf,
  findRegion,
  HOLIDAY_YEARS,
  type HolidayFile,
  holidaysBetween,
} from "../../../src/domain/oncall/holidays/holidays.ts";
import { parseDate } from "../../../src/domain/shared/calendar.ts";
import {
  countries,
  holidayFileOf,
  textOfFile,
  textOfRegions,
} from "../../../src/setup/holiday-files.ts";
import { selectSome, sized } from "../../support/generated/sizes.ts";
import { root } from "../../support/source/source-files.ts";

const folder = join(root, "src/domain/oncall/holidays/data");
const readText = (name: string) => readFileSync(join(folder, name), "utf8");
const fileOf = (country: string) => JSON.parse(readText(`${country}.json`)) as HolidayFile;

/** `01-06` or `12-24 18:00` for each holiday of a region in a year. */
function datesIn(region: string, year: number): string[] {
  const file = fileOf(region.slice(0, 2));
  const [from, to] = [parseDate(`${year}-01-01`), parseDate(`${year}-12-31`)];
  return holidaysBetween(file, region, from ?? 0, to ?? 0).map(({ day, startsAt }) => {
    const [date, time] = new Date(day * 86_400_000 + startsAt).toISOString().split("T");
    return startsAt === 0 ? `${date?.slice(5)}` : `${date?.slice(5)} ${time?.slice(0, 5)}`;
  });
}

describe("the holidays of a year as governments publish them", () => {
  test.each([
    [
      "GB-ENG",
      2026,
      ["01-01", "04-03", "04-06", "05-04", "05-25", "08-31", "12-25", "12-26", "12-28"],
    ],
    ["GB-ENG", 2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28".split(" ")],
    ["DE-BE", 2026, "01-01 03-08 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26".split(" ")],
    [
      "DE-BY-KATH",
      2026,
      "01-01 01-06 04-03 04-06 05-01 05-14 05-25 06-04 08-15 10-03 11-01 12-25 12-26".split(" "),
    ],
    ["FR", 2026, "01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25".split(" ")],
    // A Saturday's holiday is observed on the Friday before.
    [
      "US",
      2026,
      "01-01 01-19 02-16 05-25 06-19 07-03 07-04 09-07 10-12 11-11 11-26 12-25".split(" "),
    ],
    // Christmas Eve is a holiday in Queensland from 18:00.
    [
      "AU-QLD",
      2026,
      [
        ..."01-01 01-26 04-03 04-04 04-05 04-06 04-25 05-04 10-05".split(" "),
        ...["12-24 18:00", "12-25", "12-26", "12-28"],
      ],
    ],
    // Religious holidays are civil days, and several days where the law says so.
    [
      "TR",
      2026,
      [
        ..."01-01 03-20 03-21 03-22 04-23 05-01 05-19 05-27 05-28 05-29 05-30".split(" "),
        ..."07-15 08-30 10-29".split(" "),
      ],
    ],
  ])("%s %i", (region, year, dates) => expect(datesIn(region, year)).toEqual(dates));
});

describe("the files", () => {
  test.each(sized(["CK", "DE", "TR"], countries()))(
    "of %s is what npm run holidays generates",
    (country) => expect(textOfFile(holidayFileOf(country))).toBe(readText(`${country}.json`)),
  );

  test("are of every country, and the list of regions is theirs", () => {
    const names = countries();
    expect(readdirSync(folder).sort()).toEqual(
      [...names.map((it) => `${it}.json`), "LICENSE", "regions.json"].sort(),
    );
    const regions = Object.assign({}, ...names.map((country) => fileOf(country).regions));
    expect(readText("regions.json")).toBe(textOfRegions(regions));
  });

  test("have a holiday in every year for every region, on dates that exist, in order", () => {
    const regions = Object.keys(JSON.parse(readText("regions.json")) as object);
    expect(regions.length).toBeGreaterThan(600);
    for (const region of selectSome(regions, 60, 0)) {
      for (let year = HOLIDAY_YEARS.first; year <= HOLIDAY_YEARS.last; year += 1) {
        expect(datesIn(region, year), `${region} ${year}`).not.toEqual([]);
      }
    }
    for (const country of countries()) {
      for (const { name, dates } of fileOf(country).holidays) {
        expect(dates, `${country} ${name}`).toEqual([...new Set(dates)].sort());
        expect(dates.filter((date) => parseDate(date) === null)).toEqual([]);
      }
    }
  });

  test("name their licence, and the articles that it asks to name", () => {
    expect(existsSync(join(folder, "LICENSE"))).toBe(true);
    expect(readText("LICENSE")).toContain("CC BY-SA 3.0");
    expect(readText("LICENSE").match(/^https:\/\/\S+$/gm)?.length).toBeGreaterThan(100);
  });
});

const SMALL: HolidayFile = {
  regions: { XX: "Example", "XX-A": "Part", "XX-Atoll": "Atoll" },
  holidays: [
    { name: "Late", regions: ["XX-A"], starts_at: "18:30", dates: ["2026-12-24"] },
    { name: "Common", dates: ["2026-01-01", "2026-12-24", "2027-01-01"] },
    { name: "Of the country only", regions: ["XX"], dates: ["2026-06-01"] },
  ],
};

describe("the holidays of a region", () => {
  const between = (region: string, from: string, to: string) =>
    holidaysBetween(SMALL, region, parseDate(from) ?? 0, parseDate(to) ?? 0);

  test("are those of its rows and of rows without regions, in order, both ends included", () => {
    const names = (region: string) =>
      between(region, "2026-01-01", "2026-12-24").map(({ name }) => name);
    expect(names("XX")).toEqual(["Common", "Of the country only", "Common"]);
    expect(names("XX-A")).toEqual(["Common", "Common", "Late"]);
    expect(between("XX-A", "2026-01-02", "2026-12-23")).toEqual([]);
    expect(between("XX-A", "2026-12-24", "2026-12-24").at(-1)).toEqual({
      day: 20_811,
      startsAt: 18.5 * 3_600_000,
      name: "Late",
    });
  });

  test.each([
    ["XX", "XX"],
    ["xx-a", "XX-A"],
    ["xx-ATOLL", "XX-Atoll"],
    ["XX-B", null],
    ["XX-A-B", null],
    ["toString", null],
  ])("%s is found as %s", (code, found) => expect(findRegion(SMALL, code)).toBe(found));

  test.each([
    ["de-by", "DE"],
    ["US", "US"],
    ["../DE", null],
    ["D", null],
    ["DE-", null],
    ["DE-BY-A-B", null],
    ["DÉ", null],
    ["", null],
  ])("%j is a code of the country %s", (code, country) => expect(countryOf(code)).toBe(country));
});

test.each([
  ["", ["region", "from", "to"]],
  ["region=DE&from=2026-01-01", ["to"]],
  ["region=DE&from=2026-02-30&to=2026-03-01", ["from"]],
  ["region=DE&from=2026-02-03&to=tomorrow", ["to"]],
  ["region=Germany&from=2026-01-01&to=2026-02-01", ["region"]],
  ["region=DE&from=2024-12-31&to=2037-01-01", ["from", "to"]],
  ["region=DE&from=2026-01-02&to=2026-01-01", ["to"]],
])("refuses the query %j because of %j", (query, fields) => {
  const refusal = readHolidayQuery(new URLSearchParams(query));
  expect(refusal).toMatchObject({ kind: "refusal", errors: fields.map((field) => ({ field })) });
});
