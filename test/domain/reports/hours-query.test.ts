// The query of the report of hours on call: defaults, forms of lists, and refusals.
import { expect, test } from "vitest";
import { readHoursQuery } from "../../../src/domain/reports/hours-query.ts";

const WINDOW = "start=2026-01-01 00:00:00&end=2026-02-01 00:00:00";
const read = (query: string) => readHoursQuery(new URLSearchParams(`${WINDOW}&${query}`));

test("has the defaults of the contract", () => {
  expect(read("")).toEqual({
    window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) },
    timeZone: "UTC",
    nightStart: "22:00",
    nightEnd: "06:00",
    weekendDays: [0, 6],
    holidayRegion: null,
    companyHolidays: true,
    scheduleIds: [],
    teamIds: [],
  });
});

test.each([
  ["schedule_ids=a&schedule_ids=b", { scheduleIds: ["a", "b"] }],
  ["team_ids[]=a&team_ids[]=b&team_ids[]=a", { teamIds: ["a", "b"] }],
  ["schedule_ids=a, b,,c", { scheduleIds: ["a", "b", "c"] }],
  ["weekend_days=6,5", { weekendDays: [5, 6] }],
  ["weekend_days=", { weekendDays: [] }],
  ["weekend_days[]=4&weekend_days[]=5", { weekendDays: [4, 5] }],
  ["night_start=00:00&night_end=05:30", { nightStart: "00:00", nightEnd: "05:30" }],
  ["night_start=&time_zone=&holiday_region=", { nightStart: "22:00", holidayRegion: null }],
  ["company_holidays=false", { companyHolidays: false }],
  ["company_holidays=1", { companyHolidays: true }],
  ["holiday_region= gb-sct ", { holidayRegion: "gb-sct" }],
])("reads %s", (query, expected) => expect(read(query)).toMatchObject(expected));

test.each([
  ["time_zone=Nowhere", ["time_zone"]],
  ["night_start=24:00", ["night_start"]],
  ["night_end=6:00", ["night_end"]],
  ["night_start=06:00", ["night_end"]],
  ["company_holidays=toString", ["company_holidays"]],
  ["weekend_days=7", ["weekend_days"]],
  ["weekend_days=sat", ["weekend_days"]],
  ["holiday_region=Bavaria!", ["holiday_region"]],
  [`schedule_ids=${Array.from({ length: 1001 }, (_, i) => i).join(",")}`, ["schedule_ids"]],
  [
    "time_zone=x&night_start=y&weekend_days=z&holiday_region=DE",
    ["time_zone", "night_start", "weekend_days"],
  ],
])("refuses %s with every fault", (query, fields) => {
  expect(read(query)).toMatchObject({
    kind: "refusal",
    reason: "invalid",
    errors: fields.map((field) => ({ field })),
  });
});

test.each([
  // The window's local dates count: in Auckland it is 2037 already.
  ["2036-12-31 00:00:00", "2036-12-31 12:00:00", "Auckland", false],
  ["2036-12-31 00:00:00", "2036-12-31 12:00:00", "UTC", true],
  ["2024-12-31 12:00:00", "2025-01-01 00:00:00", "Auckland", true],
  ["2024-12-31 12:00:00", "2025-01-01 00:00:00", "UTC", false],
  ["2036-12-31 00:00:00", "2037-01-01 00:00:00", "UTC", true],
])("has holidays for %s to %s in %s: %s", (start, end, zone, known) => {
  const query = new URLSearchParams({ start, end, time_zone: zone, holiday_region: "NZ" });
  const read = readHoursQuery(query);
  expect("kind" in read).toBe(!known);
  if ("kind" in read) expect(read.errors[0]?.field).toBe("holiday_region");
  query.delete("holiday_region");
  expect("kind" in readHoursQuery(query)).toBe(false);
});
