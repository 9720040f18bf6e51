// The hours of regions that follow the sun, and where they overlap or leave a gap.
import { describe, expect, test } from "vitest";
import {
  regionField,
  regionHours,
  regionHoursFields,
  regionMeetings,
  regionNotes,
} from "../../../src/console/oncall/rotation/regions.ts";
import {
  blankRotation,
  newEvents,
  templateNamed,
} from "../../../src/console/oncall/rotation/templates.ts";
import type { Values } from "../../../src/kernel/console/values.ts";

const NOW = Date.parse("2026-11-18T10:30:00Z"); // A Wednesday.

const dateOf = (at: number) => new Date(at).toISOString().slice(5, 10);

function valuesOf(...regions: readonly (readonly [zone: string, hours?: string])[]): Values {
  const values = blankRotation(templateNamed(`sun-${regions.length}`), "UTC");
  const own = regions.flatMap(([zone, hours], part) => {
    const names = regionHoursFields(part);
    const [from = "", until = ""] = (hours ?? "").split("-");
    return [
      [regionField(part), zone],
      [names.hours, hours === undefined ? "share" : "own"],
      [names.from, from],
      [names.until, until],
    ];
  });
  return { ...values, ...Object.fromEntries(own) };
}

const notesOf = (values: Values, count: number) =>
  regionNotes(values, NOW, {
    names: ["One", "Two", "Three"].slice(0, count),
    zone: String(values[regionField(0)]),
    dateOf,
  }).map(({ text, isGap }) => (isGap ? `! ${text}` : text));

describe("regions that follow the sun", () => {
  test("share the day equally unless their hours are chosen", () => {
    const values = valuesOf(["UTC"], ["Tokyo", "08:00-16:00"]);
    expect(regionHours(values, 0, 2, NOW)).toEqual({ from: 540, until: 1260 });
    expect(regionHours(values, 1, 2, NOW)).toEqual({ from: 480, until: 960 });
    const [one, two] = newEvents(templateNamed("sun-2"), values, NOW);
    expect(one?.body.restrictions).toEqual([
      { days_of_week: [], start_time: "09:00", end_time: "21:00" },
    ]);
    expect(two?.body.restrictions).toEqual([
      { days_of_week: [], start_time: "08:00", end_time: "16:00" },
    ]);
    expect(two?.body.start_datetime).toBe("2026-11-15T23:00:00.000Z");
  });

  test("without clock changes neither overlap nor leave a gap", () => {
    expect(notesOf(valuesOf(["UTC"], ["Tokyo"]), 2)).toEqual([
      "One: 09:00–21:00 in UTC",
      "Two: 06:00–18:00 in Tokyo",
      "The regions leave no gap and do not overlap.",
    ]);
  });

  test("overlap and leave gaps every day where their hours do", () => {
    const values = valuesOf(["UTC", "08:00-17:00"], ["Tokyo", "08:00-18:00"]);
    expect(notesOf(values, 2).slice(2)).toEqual([
      "! Nobody is on call, in UTC: 17:00–23:00 every day.",
      "One and Two are on call together, in UTC: 08:00–09:00 every day.",
    ]);
  });

  test("say from when to when clock changes make them overlap", () => {
    // Berlin is an hour ahead of UTC in winter and two in summer.
    const values = valuesOf(["UTC", "09:00-21:00"], ["Berlin", "22:00-10:00"]);
    expect(notesOf(values, 2).slice(2)).toEqual([
      "! Nobody is on call, in UTC: 08:00–09:00 from 03-28 to 10-30.",
      "One and Two are on call together, in UTC: 20:00–21:00 from 03-28 to 10-30.",
    ]);
    expect(regionMeetings(values, 2, NOW).map((it) => it.parts)).toEqual([[], [0, 1]]);
  });

  test("that are all on call all day are said to be once", () => {
    const values = valuesOf(["UTC", "00:00-00:00"], ["Tokyo", "09:00-09:00"]);
    expect(notesOf(values, 2).slice(2)).toEqual([
      "One and Two are on call together, in UTC: all day every day.",
    ]);
  });

  test("of a third of the day each leave no gap in a year, with any three clocks", () => {
    const zones = [["London"], ["Pacific Time (US & Canada)"], ["Sydney"]] as const;
    const meetings = regionMeetings(valuesOf(...zones), 3, NOW);
    expect(meetings.filter(({ parts }) => parts.length === 0)).toEqual([]);
    expect(meetings.length).toBeGreaterThan(0);
    expect(notesOf(valuesOf(...zones), 3).slice(3)).toEqual([
      expect.stringMatching(/^Two and Three are on call together, in London: 23:00–02:00 until /),
      expect.stringMatching(/^One and Two are on call together, in London: 16:00–17:00 from /),
      expect.stringMatching(/^One and Three are on call together, in London: 09:00–10:00 from /),
    ]);
  });
});
