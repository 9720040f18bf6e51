import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addMonths,
  civilDate,
  dayNumber,
  daysInMonth,
  monthNumber,
  weekday,
} from "../../../src/domain/shared/calendar.ts";

describe("dates as day numbers", () => {
  it.each([
    [1970, 1, 1, 0],
    [1970, 2, 1, 31],
    [1971, 1, 1, 365],
    [1969, 12, 31, -1],
    [2000, 3, 1, 11017], // 30 years of 365 days, 7 leap days, and 31 + 29 days of 2000
  ])("converts %i-%i-%i to day %i and back", (year, month, day, number) => {
    expect(dayNumber(year, month, day)).toBe(number);
    expect(civilDate(number)).toEqual({ year, month, day });
  });

  it("agrees with the runtime's calendar over six centuries", () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 120_000 }), (day) => {
        const date = new Date(day * 86_400_000);
        const [year, month, dayOfMonth] = [
          date.getUTCFullYear(),
          date.getUTCMonth() + 1,
          date.getUTCDate(),
        ];
        expect(civilDate(day)).toEqual({ year, month, day: dayOfMonth });
        expect(dayNumber(year, month, dayOfMonth)).toBe(day);
        expect(weekday(day)).toBe(date.getUTCDay());
      }),
    );
  });

  it.each([
    [2026, 2, 28],
    [2024, 2, 29],
    [2000, 2, 29],
    [2100, 2, 28],
    [2026, 4, 30],
    [2026, 12, 31],
  ])("gives %i-%i %i days", (year, month, days) => {
    expect(daysInMonth(year, month)).toBe(days);
  });
});

describe("months", () => {
  it.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2024-01-31", 1, "2024-02-29"],
    ["2026-01-31", 2, "2026-03-31"],
    ["2024-02-29", 12, "2025-02-28"],
    ["2024-02-29", 48, "2028-02-29"],
    ["2026-11-15", 3, "2027-02-15"],
    ["2026-03-31", -1, "2026-02-28"],
  ])("%s plus %i months is %s", (from, months, to) => {
    const [year = 0, month = 0, day = 0] = from.split("-").map(Number);
    const result = civilDate(addMonths({ year, month, day }, months));
    expect(new Date(Date.UTC(result.year, result.month - 1, result.day)).toISOString()).toBe(
      `${to}T00:00:00.000Z`,
    );
  });

  it("are numbered without a gap at the turn of the year", () => {
    const december = monthNumber({ year: 2026, month: 12, day: 31 });
    expect(monthNumber({ year: 2027, month: 1, day: 1 })).toBe(december + 1);
  });
});
