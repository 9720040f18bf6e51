// Hours from a weekday and time to another, and the restrictions that the API has for them.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HOURS,
  hoursText,
  hoursValues,
  restrictionsIn,
  restrictionsOfSpan,
  spanOfRestrictions,
  type WeekSpan,
} from "../../../src/console/oncall/rotation/hours.ts";
import { coverageBetween } from "../../../src/domain/oncall/coverage.ts";
import type { EventRestriction } from "../../../src/features/oncall/events/contract.ts";
import { sized } from "../../support/generated/sizes.ts";
import { at, event } from "../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** The gaps and overlaps of two weeks that some hours of UTC leave together. */
function coverageOf(...hours: readonly (readonly EventRestriction[])[]) {
  const events = hours.map((windows, i) =>
    event({
      ...{ id: String(i), start: "2026-01-01T00:00Z", end: "2027-01-01T00:00Z" },
      restrictions: windows.map((it) => ({
        daysOfWeek: it.days_of_week,
        startMinute: minutes(it.start_time),
        endMinute: minutes(it.end_time),
      })),
    }),
  );
  // From a Sunday.
  const { layers } = coverageBetween(
    scheduleOf(events),
    at("2026-03-01T00:00Z"),
    at("2026-03-15T00:00Z"),
    [1],
  );
  return layers[0];
}

const span = (text: string): WeekSpan => {
  const [fromDay = "", from = "", untilDay = "", until = ""] = text.split(" ");
  return { fromDay: Number(fromDay), from, untilDay: Number(untilDay), until };
};

const anySpan: fc.Arbitrary<WeekSpan> = fc.record({
  fromDay: fc.integer({ min: 0, max: 6 }),
  from: fc.constantFrom("00:00", "09:00", "17:30", "23:59"),
  untilDay: fc.integer({ min: 0, max: 6 }),
  until: fc.constantFrom("00:00", "09:00", "17:30", "23:59"),
});

const minuteOfWeek = (day: number, time: string) => day * 1440 + minutes(time);

describe("a span of the week", () => {
  test.each([
    ["1 09:00 5 17:00", ["1,2,3,4 09:00-09:00", "5 09:00-17:00"]],
    ["5 17:00 1 09:00", ["5,6 17:00-17:00", "0 17:00-09:00"]],
    ["2 09:00 2 17:00", ["2 09:00-17:00"]],
    ["2 22:00 3 06:00", ["2 22:00-06:00"]],
    ["2 09:00 4 09:00", ["2,3 09:00-09:00"]],
    ["1 17:00 1 09:00", ["1,2,3,4,5,6 17:00-17:00", "0 17:00-09:00"]],
    ["3 08:00 3 08:00", ["0,1,2,3,4,5,6 08:00-08:00"]],
  ])("%s is %j", (text, expected) => {
    const windows = restrictionsOfSpan(span(text));
    expect(windows.map((it) => `${it.days_of_week} ${it.start_time}-${it.end_time}`)).toEqual(
      expected,
    );
  });

  test("has the hours that it says, and the rest of the week is the span between its ends", () => {
    fc.assert(
      fc.property(anySpan, (it) => {
        const own = restrictionsOfSpan(it);
        const [from, until] = [
          minuteOfWeek(it.fromDay, it.from),
          minuteOfWeek(it.untilDay, it.until),
        ];
        const length = (until - from + 10_080) % 10_080 || 10_080;
        expect(Math.round((coverageOf(own)?.share ?? 0) * 10_080)).toBe(length);
        if (from === until) return;
        const rest = restrictionsOfSpan({
          ...{ fromDay: it.untilDay, from: it.until },
          ...{ untilDay: it.fromDay, until: it.from },
        });
        expect(coverageOf(own, rest)).toMatchObject({ share: 1, gaps: [], overlaps: [] });
      }),
      { numRuns: sized(50, 1_000) },
    );
  });

  test("is read from the restrictions that were written for it, and is the same after the form", () => {
    fc.assert(
      fc.property(anySpan, (it) => {
        const windows = restrictionsOfSpan(it);
        const read = spanOfRestrictions(windows);
        if (read !== null) expect(restrictionsOfSpan(read)).toEqual(windows);
        expect(restrictionsIn(hoursValues(0, windows), 0)).toEqual(windows);
      }),
      { numRuns: sized(50, 1_000) },
    );
  });

  test.each([
    [[{ days_of_week: [], start_time: "09:00", end_time: "17:00" }]],
    [[{ days_of_week: [1, 3], start_time: "09:00", end_time: "17:00" }]],
    [[{ days_of_week: [1, 2], start_time: "09:00", end_time: "17:00" }]],
    [[{ days_of_week: [1], start_time: "00:00", end_time: "24:00" }]],
    [[]],
  ])("is not what %j are", (windows) => {
    expect(spanOfRestrictions(windows)).toBeNull();
  });
});

test.each([
  [[], null],
  [restrictionsIn({ hours_0: "business" }, 0), "Mon–Fri 09:00–17:00"],
  [restrictionsIn({ hours_0: "weekends" }, 0), "Fri 17:00 – Mon 09:00"],
  [restrictionsOfSpan(span("2 08:00 4 18:30")), "Tue 08:00 – Thu 18:30"],
  [
    [
      { days_of_week: [], start_time: "22:00", end_time: "06:00" },
      { days_of_week: [0, 3], start_time: "12:00", end_time: "13:00" },
    ],
    "every day 22:00–06:00; Sun, Wed 12:00–13:00",
  ],
])("%j in words are %j", (windows, text) => {
  expect(hoursText(windows)).toBe(text);
});

describe("the presets of hours", () => {
  const hoursOf = (value: string) => restrictionsIn({ hours_0: value }, 0);

  test.each([
    ["weekdays", "weekends"],
    ["business", "weeknights", "weekends"],
    ["span", "weekends"],
  ])("%s and %s cover the week once", (...names) => {
    expect(coverageOf(...names.map(hoursOf))).toMatchObject({ share: 1, gaps: [], overlaps: [] });
  });

  test("are all offered", () => {
    expect(HOURS.map(({ value }) => value)).toEqual(
      expect.arrayContaining(["whole", "weekdays", "weekends", "business", "nights", "span"]),
    );
  });
});
