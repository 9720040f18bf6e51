// The rate classes of time: nights across changes of the clocks, weekends and holidays.
import { describe, expect, test } from "vitest";
import { type RateRules, rateSpansBetween } from "../../../src/domain/reports/rate-spans.ts";
import { parseDate } from "../../../src/domain/shared/calendar.ts";
import { zoneOf } from "../../../src/domain/shared/time.ts";
import { at, read } from "../../support/oncall/oncall-makers.ts";

const HOUR = 3_600_000;

function rulesIn(
  zone: string,
  holidays: readonly (readonly [date: string, startsAt?: number])[] = [],
  more: Partial<RateRules> = {},
): RateRules {
  return {
    zone: zoneOf(zone),
    nightStart: 22 * HOUR,
    nightEnd: 6 * HOUR,
    weekendDays: new Set([0, 6]),
    holidays: holidays.map(([date, startsAt = 0]) => {
      return { day: parseDate(date) ?? 0, startsAt: startsAt * HOUR, name: date };
    }),
    ...more,
  };
}

/** `Mon 2026-03-30 22:00+01:00 7 night` for each span, with its elapsed hours. */
const spansOf = (rules: RateRules, from: string, to: string, zone: string) =>
  rateSpansBetween(rules, at(from), at(to)).map(
    ({ startAt, endAt, rateClass }) =>
      `${read(startAt, zone)} ${(endAt - startAt) / HOUR} ${rateClass}`,
  );

describe("rate classes", () => {
  test("divide weekdays into days and nights, and change to the weekend at midnight", () => {
    const spans = spansOf(rulesIn("UTC"), "2026-01-08T12:00Z", "2026-01-12T12:00Z", "UTC");
    expect(spans).toEqual([
      "Thu 2026-01-08 12:00+00:00 10 weekday",
      "Thu 2026-01-08 22:00+00:00 8 night",
      "Fri 2026-01-09 06:00+00:00 16 weekday",
      "Fri 2026-01-09 22:00+00:00 2 night",
      "Sat 2026-01-10 00:00+00:00 48 weekend",
      "Mon 2026-01-12 00:00+00:00 6 night",
      "Mon 2026-01-12 06:00+00:00 6 weekday",
    ]);
  });

  test("a holiday precedes a weekend and a night", () => {
    // 2026-10-03, the German national holiday, is a Saturday; 2026-05-14 is a Thursday.
    const rules = rulesIn("Europe/Berlin", [["2026-10-03"], ["2026-05-14"]]);
    expect(
      spansOf(rules, "2026-10-02T22:00+02:00", "2026-10-05T00:00+02:00", "Europe/Berlin"),
    ).toEqual([
      "Fri 2026-10-02 22:00+02:00 2 night",
      "Sat 2026-10-03 00:00+02:00 24 holiday",
      "Sun 2026-10-04 00:00+02:00 24 weekend",
    ]);
    expect(
      spansOf(rules, "2026-05-13T23:00+02:00", "2026-05-15T01:00+02:00", "Europe/Berlin"),
    ).toEqual([
      "Wed 2026-05-13 23:00+02:00 1 night",
      "Thu 2026-05-14 00:00+02:00 24 holiday",
      "Fri 2026-05-15 00:00+02:00 1 night",
    ]);
  });

  test("a holiday may begin within its date, within a night, and twice on a date", () => {
    const rules = rulesIn("UTC", [
      ["2026-12-24", 18],
      ["2026-12-31", 23],
      ["2026-12-31", 20],
    ]);
    expect(spansOf(rules, "2026-12-24T12:00Z", "2026-12-25T06:00Z", "UTC")).toEqual([
      "Thu 2026-12-24 12:00+00:00 6 weekday",
      "Thu 2026-12-24 18:00+00:00 6 holiday",
      "Fri 2026-12-25 00:00+00:00 6 night",
    ]);
    expect(spansOf(rules, "2026-12-31T12:00Z", "2027-01-01T00:00Z", "UTC")).toEqual([
      "Thu 2026-12-31 12:00+00:00 8 weekday",
      "Thu 2026-12-31 20:00+00:00 4 holiday",
    ]);
  });

  test.each([
    // On Sunday at 01:00, London skips an hour: the night of a zone without weekend days.
    ["London forward", "2026-03-28T22:00Z", "2026-03-29T06:00+01:00", 7],
    ["London back", "2026-10-24T22:00+01:00", "2026-10-25T06:00Z", 9],
    ["London, another night", "2026-03-29T22:00+01:00", "2026-03-30T06:00+01:00", 8],
  ])("a night across a change of clocks has its elapsed hours: %s", (_, from, to, hours) => {
    const rules = rulesIn("London", [], { weekendDays: new Set() });
    const day = spansOf(
      rules,
      from.replace("T22", "T20"),
      to.replace("T06", "T08"),
      "Europe/London",
    );
    expect(day.map((it) => it.split(" ").slice(2).join(" "))).toEqual([
      `20:00${from.slice(16).replace("Z", "+00:00")} 2 weekday`,
      `22:00${from.slice(16).replace("Z", "+00:00")} ${hours} night`,
      `06:00${to.slice(16).replace("Z", "+00:00")} 2 weekday`,
    ]);
  });

  test.each([
    ["2026-03-07T22:00-05:00", "2026-03-08T06:00-04:00", 7],
    ["2026-10-31T22:00-04:00", "2026-11-01T06:00-05:00", 9],
  ])("and in New York: %s to %s", (from, to, hours) => {
    const rules = rulesIn("America/New_York", [], { weekendDays: new Set() });
    expect(spansOf(rules, from, to, "America/New_York")).toEqual([
      `Sat ${from.slice(0, 10)} 22:00${from.slice(16)} ${hours} night`,
    ]);
    const weekend = rulesIn("America/New_York");
    const sunday = at(to) - 6 * HOUR - (hours === 9 ? HOUR : -HOUR);
    const spans = rateSpansBetween(weekend, sunday, sunday + (16 + hours) * HOUR);
    expect(spans).toEqual([
      { startAt: sunday, endAt: sunday + (16 + hours) * HOUR, rateClass: "weekend" },
    ]);
  });

  test("a local time that occurs twice counts twice, and one that is skipped not at all", () => {
    const rules = rulesIn("London", [], {
      nightStart: 1 * HOUR,
      nightEnd: 2 * HOUR,
      weekendDays: new Set(),
    });
    const nights = (from: string, to: string) =>
      spansOf(rules, from, to, "Europe/London").filter((it) => it.endsWith("night"));
    expect(nights("2026-10-25T00:00+01:00", "2026-10-25T06:00Z")).toEqual([
      "Sun 2026-10-25 01:00+01:00 2 night",
    ]);
    expect(nights("2026-03-29T00:00Z", "2026-03-29T06:00+01:00")).toEqual([]);
  });

  test("a local date that a zone skips has no time", () => {
    // Samoa skipped 30 December 2011, a Friday.
    const rules = rulesIn("Pacific/Apia", [["2011-12-30"]]);
    const spans = spansOf(
      rules,
      "2011-12-29T00:00-10:00",
      "2012-01-01T00:00+14:00",
      "Pacific/Apia",
    );
    expect(spans).toEqual([
      "Thu 2011-12-29 00:00-10:00 6 night",
      "Thu 2011-12-29 06:00-10:00 16 weekday",
      "Thu 2011-12-29 22:00-10:00 2 night",
      "Sat 2011-12-31 00:00+14:00 24 weekend",
    ]);
  });

  test("night hours may lie within a day, and weekends may be other days", () => {
    const rules = rulesIn("UTC", [], {
      nightStart: 0,
      nightEnd: 5 * HOUR,
      weekendDays: new Set([5]),
    });
    expect(spansOf(rules, "2026-01-08T00:00Z", "2026-01-10T12:00Z", "UTC")).toEqual([
      "Thu 2026-01-08 00:00+00:00 5 night",
      "Thu 2026-01-08 05:00+00:00 19 weekday",
      "Fri 2026-01-09 00:00+00:00 24 weekend",
      "Sat 2026-01-10 00:00+00:00 5 night",
      "Sat 2026-01-10 05:00+00:00 7 weekday",
    ]);
  });

  test("spans begin and end with the window, to the millisecond", () => {
    const rules = rulesIn("UTC");
    const from = at("2026-01-08T21:59:59.999Z");
    expect(rateSpansBetween(rules, from, from + 2)).toEqual([
      { startAt: from, endAt: from + 1, rateClass: "weekday" },
      { startAt: from + 1, endAt: from + 2, rateClass: "night" },
    ]);
    expect(rateSpansBetween(rules, from, from)).toEqual([]);
  });
});
