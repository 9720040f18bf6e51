import { Temporal } from "@js-temporal/polyfill";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInstant, parseUtc, parseWallClock } from "../../../src/domain/shared/parse-time.ts";
import {
  changesBetween,
  clockChangeAt,
  DAY,
  END_OF_TIME,
  formatInstant,
  HOUR,
  instantOf,
  localOf,
  MINUTE,
  offsetAt,
  wallClockAt,
  zoneOf,
} from "../../../src/domain/shared/time.ts";
import { ianaZone, TIME_ZONE_NAMES } from "../../../src/domain/shared/time-zones.ts";
import { sized } from "../../support/generated/sizes.ts";

const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

describe("reading instants", () => {
  it.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00.123Z", "2026-01-31T09:30:00.123Z"],
    ["2026-01-31T09:30:00.123456+00:00", "2026-01-31T09:30:00.123Z"],
    ["2026-01-31T09:30:00.5Z", "2026-01-31T09:30:00.500Z"],
    ["2026-01-31T09:30Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31 09:30:00+01:00", "2026-01-31T08:30:00.000Z"],
    ["2026-01-31T09:30:00+0530", "2026-01-31T04:00:00.000Z"],
    ["2026-01-31T23:30:00-03", "2026-02-01T02:30:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["2199-12-31T23:59:59.999Z", "2199-12-31T23:59:59.999Z"],
  ])("reads %s as %s", (text, expected) => {
    expect(iso(parseInstant(text))).toBe(expected);
  });

  it.each([
    "",
    "soon",
    "2026-01-31",
    "2026-01-31T09:30:00",
    "2026-02-30T09:30:00Z",
    "2025-02-29T09:30:00Z",
    "2026-04-31T09:30:00Z",
    "2026-13-01T09:30:00Z",
    "2026-00-10T09:30:00Z",
    "2026-01-00T09:30:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T09:60:00Z",
    "2026-01-31T09:30:60Z",
    "2026-01-31T09:30:00+24:00",
    "2026-01-31T09:30:00+01:60",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00+01:00",
    "2200-01-01T00:00:00Z",
    "2199-12-31T23:00:00-01:00",
    "12026-01-31T09:30:00Z",
    "2026-1-31T9:30:00Z",
    " 2026-01-31T09:30:00Z",
    "2026-01-31T09:30:00Z\n",
    "2026-01-31T09:30:00Zz",
    "1769851800000",
  ])("rejects %j", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it("formats an instant and parses it back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: END_OF_TIME - 1 }), (instant) => {
        expect(formatInstant(instant)).toBe(new Date(instant).toISOString());
        expect(parseInstant(formatInstant(instant))).toBe(instant);
      }),
    );
  });

  it("never throws and stays in range for any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const read of [parseInstant(text), parseUtc(text), parseWallClock(text, "London")]) {
          expect(read === null || (read >= 0 && read < END_OF_TIME)).toBe(true);
        }
      }),
    );
  });
});

describe("reading UTC and wall clocks", () => {
  it.each([
    ["2026-01-31 09:30:00", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00+01:00", "2026-01-31T08:30:00.000Z"],
    ["2026-02-30 09:30:00", null],
    ["tomorrow", null],
  ])("reads %s as UTC: %s", (text, expected) => {
    expect(iso(parseUtc(text))).toBe(expected);
  });

  it.each([
    ["2026-01-31 09:30", "Berlin", "2026-01-31T08:30:00.000Z"],
    ["2026-07-31 09:30", "Berlin", "2026-07-31T07:30:00.000Z"],
    ["2026-01-31 09:30", "Eastern Time (US & Canada)", "2026-01-31T14:30:00.000Z"],
    ["2026-01-31 09:30", "America/New_York", "2026-01-31T14:30:00.000Z"],
    ["2026-01-31T09:30:00Z", "Berlin", "2026-01-31T09:30:00.000Z"],
    ["2026-03-29 02:30", "Berlin", "2026-03-29T01:30:00.000Z"], // skipped: 03:30 summer time
    ["2026-10-25 02:30", "Berlin", "2026-10-25T00:30:00.000Z"], // twice: the first, summer time
    ["2026-02-30 09:30", "Berlin", null],
    ["1970-01-01 00:30", "Berlin", null], // an hour before 1970 by UTC
  ])("reads %s in %s as %s", (text, zone, expected) => {
    expect(iso(parseWallClock(text, zone))).toBe(expected);
  });

  it("throws for an unknown zone: callers check zones before", () => {
    expect(() => parseWallClock("2026-01-31 09:30", "Atlantis")).toThrow(RangeError);
  });

  it("returns the fields of a wall clock", () => {
    expect(wallClockAt("Tokyo", Date.parse("2026-11-21T15:04:05Z"))).toEqual({
      year: 2026,
      month: 11,
      day: 22,
      hour: 0,
      minute: 4,
      second: 5,
      weekday: 0,
    });
  });
});

describe("the clock of a zone", () => {
  const local = (text: string) => Date.parse(`${text}Z`);

  it.each([
    ["a skipped time moves by the gap", "America/New_York", "2026-03-08T02:30", "2026-03-08T07:30"],
    ["the gap's first minute", "America/New_York", "2026-03-08T02:00", "2026-03-08T07:00"],
    ["the minute after the gap", "America/New_York", "2026-03-08T03:00", "2026-03-08T07:00"],
    [
      "a repeated time is the first pass",
      "America/New_York",
      "2026-11-01T01:30",
      "2026-11-01T05:30",
    ],
    [
      "the minute after the repeated hour",
      "America/New_York",
      "2026-11-01T02:00",
      "2026-11-01T07:00",
    ],
    ["half an hour skipped", "Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45"],
    ["half an hour repeated", "Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45"],
    ["midnight skipped", "America/Santiago", "2026-09-06T00:00", "2026-09-06T04:00"],
    ["a date skipped", "Pacific/Apia", "2011-12-30T09:00", "2011-12-30T19:00"],
    ["the date after the skipped one", "Pacific/Apia", "2011-12-31T09:00", "2011-12-30T19:00"],
    ["before a change of rules", "Europe/Istanbul", "2015-12-01T12:00", "2015-12-01T10:00"],
    ["after a change of rules", "Europe/Istanbul", "2016-12-01T12:00", "2016-12-01T09:00"],
  ])("%s", (_, zone, wall, utc) => {
    expect(iso(instantOf(zoneOf(zone), local(wall)))).toBe(iso(local(utc)));
  });

  it("returns the change that skips or repeats a time, and null elsewhere", () => {
    const zone = zoneOf("America/New_York");
    const spring = { at: local("2026-03-08T07:00"), before: -5 * HOUR, after: -4 * HOUR };
    const autumn = { at: local("2026-11-01T06:00"), before: -4 * HOUR, after: -5 * HOUR };
    expect(clockChangeAt(zone, local("2026-03-08T01:59"))).toBeNull();
    expect(clockChangeAt(zone, local("2026-03-08T02:00"))).toEqual(spring);
    expect(clockChangeAt(zone, local("2026-03-08T03:00"))).toBeNull();
    expect(clockChangeAt(zone, local("2026-11-01T00:59"))).toBeNull();
    expect(clockChangeAt(zone, local("2026-11-01T01:00"))).toEqual(autumn);
    expect(clockChangeAt(zone, local("2026-11-01T02:00"))).toBeNull();
    const year = [local("2026-01-01T00:00"), local("2027-01-01T00:00")] as const;
    expect(changesBetween(zone, ...year)).toEqual([spring, autumn]);
  });

  it("finds the pause of summer time in Ramadan", () => {
    const changes = changesBetween(
      zoneOf("Casablanca"),
      local("2017-01-01T00:00"),
      local("2018-01-01T00:00"),
    );
    expect(changes.map((change) => [iso(change.at), change.after / HOUR])).toEqual([
      ["2017-03-26T02:00:00.000Z", 1],
      ["2017-05-21T02:00:00.000Z", 0],
      ["2017-07-02T02:00:00.000Z", 1],
      ["2017-10-29T02:00:00.000Z", 0],
    ]);
  });

  it("finds a change at the start of a cached stretch", () => {
    // Stretches start every six days from 1970 at midnight UTC: 02:00 in Jerusalem, when its summer
    // time begins.
    const from = local("2020-03-27T00:00");
    expect(from).toBe(3058 * 6 * DAY);
    expect(changesBetween(zoneOf("Jerusalem"), from, from + DAY)).toEqual([
      { at: from, before: 2 * HOUR, after: 3 * HOUR },
    ]);
    expect(clockChangeAt(zoneOf("Jerusalem"), local("2020-03-27T02:30"))).not.toBeNull();
  });

  it("agrees with Temporal on offsets and wall clocks in every listed zone", () => {
    const zones = fc.constantFrom(...TIME_ZONE_NAMES);
    const minutes = fc.integer({ min: 3 * 1440, max: 130 * 365 * 1440 });
    fc.assert(
      fc.property(zones, minutes, (name, minute) => {
        const instant = minute * MINUTE;
        const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(
          ianaZone(name),
        );
        expect(offsetAt(zoneOf(name), instant)).toBe(zoned.offsetNanoseconds / 1e6);
        const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO("UTC");
        const resolved = wall.toPlainDateTime().toZonedDateTime(ianaZone(name));
        expect(instantOf(zoneOf(name), instant)).toBe(resolved.epochMilliseconds);
      }),
      { numRuns: sized(300, 14_000) },
    );
  });

  it("agrees with Temporal on every change of every listed zone from 2007 to 2016", () => {
    const from = Date.UTC(2007, 0, 1);
    const to = Date.UTC(2017, 0, 1);
    const samples = TIME_ZONE_NAMES.flatMap((name) =>
      changesBetween(zoneOf(name), from, to).map((change) => ({ name, change })),
    );
    expect(samples.length).toBeGreaterThan(1000);
    const offset = (name: string, instant: number) =>
      Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ianaZone(name))
        .offsetNanoseconds / 1e6;
    for (const { name, change } of samples) {
      expect(offset(name, change.at - 1), name).toBe(change.before);
      expect(offset(name, change.at), name).toBe(change.after);
    }
  });

  it("agrees with Temporal on wall clocks around every change", () => {
    const zones = fc.constantFrom(
      "Cairo",
      "Casablanca",
      "Samoa",
      "Caracas",
      "Chatham Is.",
      "Moscow",
    );
    fc.assert(
      fc.property(zones, fc.nat(), fc.integer({ min: -1600, max: 1600 }), (name, pick, minutes) => {
        const zone = zoneOf(name);
        const changes = changesBetween(zone, Date.UTC(2005, 0, 1), Date.UTC(2025, 0, 1));
        const change = changes[pick % changes.length];
        if (!change) throw new Error("no change");
        const wall = localOf(zone, change.at) + minutes * MINUTE;
        const plain = Temporal.Instant.fromEpochMilliseconds(wall)
          .toZonedDateTimeISO("UTC")
          .toPlainDateTime();
        const first = plain.toZonedDateTime(ianaZone(name), { disambiguation: "earlier" });
        const second = plain.toZonedDateTime(ianaZone(name), { disambiguation: "later" });
        const resolved = plain.toZonedDateTime(ianaZone(name), { disambiguation: "compatible" });
        expect(instantOf(zone, wall)).toBe(resolved.epochMilliseconds);
        const isPlain = first.epochMilliseconds === second.epochMilliseconds;
        expect(clockChangeAt(zone, wall) === null).toBe(isPlain);
      }),
      { numRuns: sized(150, 6_000) },
    );
  });

  it("has no offset in UTC", () => {
    expect(DAY).toBe(86_400_000);
    expect(localOf(zoneOf("UTC"), 5 * DAY)).toBe(5 * DAY);
  });
});
