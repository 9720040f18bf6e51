// Company holidays: their days, once or every year.
import { expect, test } from "vitest";
import {
  companyHolidaysBetween,
  datesFaults,
  joinHolidays,
} from "../../../../src/domain/oncall/holidays/company-holidays.ts";
import { parseDate } from "../../../../src/domain/shared/calendar.ts";
import { DAY, formatInstant } from "../../../../src/domain/shared/time.ts";

const dayOf = (date: string) => parseDate(date) ?? 0;
const dateOf = (day: number) => formatInstant(day * DAY).slice(0, 10);

const between = (startDate: string, endDate: string, repeatsYearly: boolean) =>
  companyHolidaysBetween(
    [{ name: "X", startDate, endDate, repeatsYearly }],
    dayOf("2026-12-30"),
    dayOf("2028-03-01"),
  ).map(({ day }) => dateOf(day));

test.each<[string, string, boolean, string[]]>([
  ["2027-05-07", "2027-05-07", false, ["2027-05-07"]],
  ["2026-12-29", "2027-01-01", false, ["2026-12-30", "2026-12-31", "2027-01-01"]],
  ["2026-05-07", "2026-05-07", false, []],
  ["2020-05-07", "2020-05-07", true, ["2027-05-07"]],
  ["2020-02-29", "2020-02-29", true, ["2027-02-28", "2028-02-29"]],
  ["2028-01-05", "2028-01-05", true, ["2028-01-05"]],
  ["2029-01-05", "2029-01-05", true, []],
  ["2020-12-31", "2021-01-01", true, ["2026-12-31", "2027-01-01", "2027-12-31", "2028-01-01"]],
])("%s to %s, every year: %s", (start, end, repeats, dates) => {
  expect(between(start, end, repeats)).toEqual(dates);
});

test("one that repeats and is almost a year long has each day once", () => {
  const days = between("2020-03-01", "2021-02-27", true);
  expect(new Set(days).size).toBe(days.length);
  expect(days).not.toContain("2027-02-28");
});

test.each([
  ["2026-01-02", "2026-01-01", 1],
  ["2026-01-01", "2026-01-01", 0],
  ["2026-01-01", "2026-12-31", 0],
  ["2026-01-01", "2027-01-01", 1],
])("%s to %s has %i faults", (startDate, endDate, faults) => {
  expect(datesFaults({ startDate, endDate })).toHaveLength(faults);
});

test("public and company holidays are together by date and start", () => {
  const on = (date: string, name: string, startsAt = 0) => ({ day: dayOf(date), startsAt, name });
  const eve = on("2026-12-24", "Eve", 5);
  expect(joinHolidays([eve, on("2026-12-25", "A")], [on("2026-12-24", "B")])).toEqual([
    on("2026-12-24", "B"),
    eve,
    on("2026-12-25", "A"),
  ]);
});
