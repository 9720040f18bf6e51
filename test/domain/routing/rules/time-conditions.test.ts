// Conditions on the time, in zones, over midnight and over clock changes; formats; quiet hours.
import { describe, expect, test } from "vitest";
import { compileFormat } from "../../../../src/domain/routing/conditions/moment-format.ts";
import { parseTimeOfDay } from "../../../../src/domain/routing/conditions/time-conditions.ts";
import { holdEndsAt } from "../../../../src/domain/routing/rules/quiet-hours.ts";
import { faultsOf, holds } from "./make.ts";

const at = (condition: unknown, now: string) => holds(condition, {}, now);

describe("$timeBetween", () => {
  const office = { starttime: "08:00 am", endtime: "05:00 pm" };
  const night = { starttime: "22:00", endtime: "06:30" };
  test.each<[parameters: object, now: string, expected: boolean]>([
    [office, "2026-01-15T07:59:59.999Z", false],
    [office, "2026-01-15T08:00:00Z", true],
    [office, "2026-01-15T17:00:00Z", true],
    [office, "2026-01-15T17:00:59.999Z", true],
    [office, "2026-01-15T17:01:00Z", false],
    [night, "2026-01-15T21:59:00Z", false],
    [night, "2026-01-15T22:00:00Z", true],
    [night, "2026-01-16T00:00:00Z", true],
    [night, "2026-01-16T06:30:00Z", true],
    [night, "2026-01-16T06:31:00Z", false],
    [{ starttime: "09:00", endtime: "09:00" }, "2026-01-15T09:00:30Z", true],
    [{ starttime: "09:00", endtime: "09:00" }, "2026-01-15T09:01:00Z", false],
    [{ ...office, timezone: "Europe/Berlin" }, "2026-01-15T07:00:00Z", true],
    [{ ...office, timezone: "Europe/Berlin" }, "2026-07-15T06:00:00Z", true],
    [{ ...office, timezone: "Europe/Berlin" }, "2026-07-15T15:01:00Z", false],
    [{ ...office, timezone: "Berlin" }, "2026-07-15T06:00:00Z", true],
    [{ ...office, timezone: "Pacific Time (US & Canada)" }, "2026-07-15T15:00:00Z", true],
    [{ ...office, timezone: "Asia/Kathmandu" }, "2026-07-15T02:15:00Z", true],
    [{ ...office, timezone: "Asia/Kathmandu" }, "2026-07-15T02:14:59Z", false],
    // Clocks go from 01:59 to 03:00; and from 02:59 back to 02:00, which occurs twice.
    [
      { starttime: "02:00", endtime: "02:59", timezone: "Europe/Berlin" },
      "2026-03-29T01:30:00Z",
      false,
    ],
    [
      { starttime: "02:00", endtime: "02:59", timezone: "Europe/Berlin" },
      "2026-10-25T00:30:00Z",
      true,
    ],
    [
      { starttime: "02:00", endtime: "02:59", timezone: "Europe/Berlin" },
      "2026-10-25T01:30:00Z",
      true,
    ],
    [{ ...office, timeformat: "hh:mm a" }, "2026-01-15T12:00:00Z", true],
  ])("%j at %s is %j", (parameters, now, expected) => {
    expect(at({ $timeBetween: parameters }, now)).toBe(expected);
  });

  test.each<[text: string, minutes: number | null]>([
    ["08:00", 480],
    ["8:00", 480],
    ["08:00 am", 480],
    ["08:00 AM", 480],
    ["08:00pm", 1200],
    ["12:00 am", 0],
    ["12:30 pm", 750],
    ["23:59", 1439],
    ["24:00", null],
    ["13:00 pm", null],
    ["00:30 am", null],
    ["08:60", null],
    ["8", null],
    ["noon", null],
  ])("%s is %j minutes past midnight", (text, minutes) => {
    expect(parseTimeOfDay(text)).toBe(minutes);
  });

  test.each<[condition: object, message: string]>([
    [{ $timeBetween: { starttime: "08:00" } }, "endtime must be a time of day"],
    [{ $timeBetween: { starttime: 800, endtime: "17:00" } }, "starttime must be a time of day"],
    [{ $timeBetween: { ...office, timezone: "Mars/Olympus" } }, "no such time zone Mars/Olympus"],
    [{ $timeBetween: { ...office, timezone: "+02:00" } }, "no such time zone +02:00"],
    [{ $timeBetween: { ...office, timeformat: "mm:hh" } }, "timeformat must be"],
    [{ $timeBetween: { ...office, zone: "UTC" } }, "unknown key zone"],
    [{ $timeBetween: ["08:00", "17:00"] }, "must be a map"],
    [{ $day: { timezone: "UTC" } }, "needs an operator"],
    [{ $day: { $in: [0, 1] } }, "1 (Monday) to 7 (Sunday)"],
    [{ $day: { $eq: "monday" } }, "1 (Monday) to 7 (Sunday)"],
    [{ $day: 1 }, "must be a map"],
    [{ $now: { format: "YYYY-QQ", $eq: "x" } }, "letters that are none of YYYY"],
    [{ $now: { format: "YYYY" } }, "needs an operator"],
    [{ $now: { $where: "x" } }, "unknown operator $where"],
  ])("%j: %s", (condition, message) => {
    expect(faultsOf(condition).join("\n")).toContain(message);
  });
});

describe("$day and $now", () => {
  test.each<[condition: unknown, now: string, expected: boolean]>([
    [{ $day: { $in: [1, 2, 3, 4, 5] } }, "2026-01-12T00:00:00Z", true],
    [{ $day: { $eq: 7 } }, "2026-01-18T12:00:00Z", true],
    [{ $day: { $lte: 5 } }, "2026-01-17T12:00:00Z", false],
    [{ $day: { timezone: "Asia/Tokyo", $eq: 1 } }, "2026-01-11T15:00:00Z", true],
    [{ $day: { timezone: "Hawaii", $eq: 7 } }, "2026-01-12T09:59:00Z", true],
    [{ $now: { $eq: "2026-12-25" } }, "2026-12-25T23:59:59Z", true],
    [{ $now: { $in: ["2026-12-24", "2026-12-25"] } }, "2026-12-26T00:00:00Z", false],
    [{ $now: { $gte: "2026-12-24", $lt: "2027-01-02" } }, "2026-12-31T00:00:00Z", true],
    [{ $now: { timezone: "Pacific/Auckland", $eq: "2026-12-26" } }, "2026-12-25T12:00:00Z", true],
    [{ $now: { format: "MM-DD", $eq: "12-25" } }, "2030-12-25T00:00:00Z", true],
    [{ $now: { format: "dddd", $regex: "^S" } }, "2026-01-17T12:00:00Z", true],
    [{ $not: { $day: { $gte: 6 } } }, "2026-01-17T12:00:00Z", false],
    [
      {
        $and: [
          { $timeBetween: { starttime: "08:00 am", endtime: "05:00 pm" } },
          { $day: { $in: [1, 2, 3, 4, 5] } },
        ],
      },
      "2026-01-16T16:59:00Z",
      true,
    ],
  ])("%j at %s is %j", (condition, now, expected) => {
    expect(at(condition, now)).toBe(expected);
  });
});

describe("a format", () => {
  const now = Date.UTC(2026, 2, 1, 0, 5, 9);
  test.each<[format: string, text: string | null]>([
    ["YYYY-MM-DD", "2026-03-01"],
    ["YY M D", "26 3 1"],
    ["HH:mm:ss", "00:05:09"],
    ["H:m:s", "0:5:9"],
    ["hh:mm a", "12:05 am"],
    ["h A", "12 AM"],
    ["dddd ddd E", "Sunday Sun 7"],
    ["MMMM MMM", "March Mar"],
    ["[day] D.", "day 1."],
    ["X", null],
    ["d", null],
    ["YYY", null],
    ["DD/MM".repeat(30), null],
  ])("%s is %j", (format, text) => {
    expect(compileFormat(format)?.(now, "Etc/UTC") ?? null).toBe(text);
  });
});

describe("a held notification", () => {
  test.each<[until: number, zone: string, now: string, expected: string]>([
    [480, "Etc/UTC", "2026-01-15T07:59:59.999Z", "2026-01-15T08:00:00.000Z"],
    [480, "Etc/UTC", "2026-01-15T08:00:00.000Z", "2026-01-16T08:00:00.000Z"],
    [480, "Europe/Berlin", "2026-03-28T22:00:00.000Z", "2026-03-29T06:00:00.000Z"],
    [480, "Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25T07:00:00.000Z"],
    [150, "Europe/Berlin", "2026-03-29T00:00:00.000Z", "2026-03-29T01:30:00.000Z"],
    [0, "Asia/Tokyo", "2026-01-15T12:00:00.000Z", "2026-01-15T15:00:00.000Z"],
  ])("until %i in %s, from %s, is sent at %s", (until, zone, now, expected) => {
    expect(new Date(holdEndsAt(until, zone, Date.parse(now))).toISOString()).toBe(expected);
  });
});
