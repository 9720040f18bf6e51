// Time on call by rate class: literal hours across changes of the clocks, overlaps and overrides,
// and random schedules against a reference that counts minute by minute.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { onCallTime, type RatedTime, totalOf } from "../../../src/domain/reports/on-call-hours.ts";
import type { RateClass, RateRules } from "../../../src/domain/reports/rate-spans.ts";
import { zoneOf } from "../../../src/domain/shared/time.ts";
import { at, event } from "../../support/oncall/oncall-makers.ts";
import { cases } from "../../support/oncall/oncall-random.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const rulesIn = (zone: string, holidays: readonly string[] = []): RateRules => ({
  zone: zoneOf(zone),
  nightStart: 22 * HOUR,
  nightEnd: 6 * HOUR,
  weekendDays: new Set([0, 6]),
  holidays: holidays.map((date) => ({ day: Date.parse(date) / DAY, startsAt: 0, name: date })),
});

/** `15 weekday 9 night` */
const hoursText = (time: RatedTime) =>
  Object.entries(time)
    .filter(([, ms]) => ms > 0)
    .map(([rateClass, ms]) => `${ms / HOUR} ${rateClass}`)
    .join(" ");

/** The hours of each person, by letter. */
function hoursOf(
  schedules: Readonly<Record<string, readonly OnCallEvent[]>>,
  from: string,
  to: string,
  rules: RateRules,
) {
  const times = onCallTime(
    new Map(Object.entries(schedules).map(([id, events]) => [id, scheduleOf(events)])),
    { from: at(from), to: at(to) },
    rules,
  );
  return Object.fromEntries(
    times.map(({ attendeeId, time, byLayer }) => [
      attendeeId,
      {
        all: hoursText(time),
        layers: byLayer.map((it) => `${it.scheduleId}${it.layer}: ${hoursText(it.time)}`),
      },
    ]),
  );
}

const daily = (zone: string, start: string, end: string, more: Partial<OnCallEvent> = {}) =>
  event({ start, end, timeZone: zone, frequencyUnit: "daily", ...more });

describe("time on call", () => {
  test.each([
    // From Saturday evening to Sunday noon: one day of the weekend, and it is an hour shorter.
    ["Europe/London", "2026-03-28T18:00Z", "2026-03-29T12:00+01:00", "17 weekend"],
    ["Europe/London", "2026-10-24T18:00+01:00", "2026-10-25T12:00Z", "19 weekend"],
    ["America/New_York", "2026-03-07T18:00-05:00", "2026-03-08T12:00-04:00", "17 weekend"],
    ["America/New_York", "2026-10-31T18:00-04:00", "2026-11-01T12:00-05:00", "19 weekend"],
  ])("of a shift across a change of clocks is elapsed time: %s, %s", (zone, start, end, hours) => {
    const shift = event({ start, end, timeZone: zone });
    expect(hoursOf({ S: [shift] }, start, end, rulesIn(zone)).A?.all).toBe(hours);
    const nightly = { ...rulesIn(zone), weekendDays: new Set<number>() };
    const nightHours = hours.startsWith("17") ? 7 : 9;
    expect(hoursOf({ S: [shift] }, start, end, nightly).A?.all).toBe(
      `10 weekday ${nightHours} night`,
    );
  });

  test("of a week of nights counts the weekend's hours once, as weekend", () => {
    const nights = daily("London", "2026-06-01T20:00+01:00", "2026-06-02T08:00+01:00");
    const week = hoursOf(
      { S: [nights] },
      "2026-06-01T12:00+01:00",
      "2026-06-08T12:00+01:00",
      rulesIn("London"),
    );
    // Monday to Thursday night: 4 h of days and 8 h of night. Friday: 2 + 2 h, then the weekend.
    // Sunday to Monday: 4 h of the weekend, 6 h of night, 2 h of the day.
    expect(week.A?.all).toBe("20 weekday 40 night 24 weekend");
  });

  test("of a holiday on a weekend is holiday, and in a night too", () => {
    const shift = event({ start: "2026-10-02T18:00+02:00", end: "2026-10-05T09:00+02:00" });
    const rules = rulesIn("Europe/Berlin", ["2026-10-03"]);
    expect(hoursOf({ S: [shift] }, "2026-10-01T00:00Z", "2026-10-10T00:00Z", rules).A?.all).toBe(
      "7 weekday 8 night 24 weekend 24 holiday",
    );
  });

  test("counts simultaneous shifts of layers and schedules once, and apart for each", () => {
    const first = event({ id: "1", start: "2026-01-05T08:00Z", end: "2026-01-05T18:00Z" });
    const same = event({ id: "2", start: "2026-01-05T10:00Z", end: "2026-01-05T20:00Z" });
    const second = { ...same, id: "3", layer: 2 };
    const elsewhere = event({ id: "4", start: "2026-01-05T16:00Z", end: "2026-01-05T23:00Z" });
    const hours = hoursOf(
      { S: [first, same, second], T: [elsewhere] },
      "2026-01-05T00:00Z",
      "2026-01-06T00:00Z",
      rulesIn("UTC"),
    );
    expect(hours.A).toEqual({
      all: "14 weekday 1 night",
      layers: ["S1: 12 weekday", "S2: 10 weekday", "T1: 6 weekday 1 night"],
    });
  });

  test("goes to whoever serves an override, and nobody serves a removed occurrence", () => {
    const shifts = daily("UTC", "2026-01-05T08:00Z", "2026-01-05T16:00Z", {
      id: "daily",
      exceptions: [{ id: "x", startAt: at("2026-01-07T08:00Z") }],
    });
    const override = event({
      id: "override",
      parentId: "daily",
      start: "2026-01-06T10:00Z",
      end: "2026-01-06T13:00Z",
      who: "B",
    });
    const hours = hoursOf(
      { S: [shifts, override] },
      "2026-01-05T00:00Z",
      "2026-01-08T00:00Z",
      rulesIn("UTC"),
    );
    expect([hours.A?.all, hours.B?.all]).toEqual(["13 weekday", "3 weekday"]);
  });

  test("is cut to the window, and counts only what may be counted", () => {
    const shift = event({ start: "2026-01-01T00:00Z", end: "2027-01-01T00:00Z", who: "AB" });
    const window = { from: at("2026-01-01T00:00Z"), to: at("2027-01-01T00:00Z") };
    const schedules = new Map([["S", scheduleOf([shift])]]);
    const year = onCallTime(schedules, window, rulesIn("Auckland"));
    expect(year.map(({ time }) => totalOf(time) / HOUR)).toEqual([8760, 8760]);
    const own = onCallTime(schedules, window, rulesIn("UTC"), (_, id) => id === "B");
    expect(own.map(({ attendeeId, time }) => [attendeeId, totalOf(time) / HOUR])).toEqual([
      ["B", 8760],
    ]);
    const some = onCallTime(
      schedules,
      { from: window.from + 1, to: window.from + 3 },
      rulesIn("UTC"),
    );
    expect(totalOf(some[0]?.time as RatedTime)).toBe(2);
  });
});

// ── Random schedules ──

const ZONES = ["Europe/London", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"];
/** Near a change of the clocks of one of the zones, and at the turn of a year. */
const STARTS = ["2026-03-07", "2026-03-28", "2026-04-04", "2026-10-24", "2026-10-31", "2026-12-30"];

const anyEvent = fc
  .record({
    startsAfter: fc.integer({ min: -3 * 1440, max: 2 * 1440 }),
    minutes: fc.integer({ min: 1, max: 30 * 60 }),
    layer: fc.integer({ min: 1, max: 2 }),
    who: fc.constantFrom("A", "B", "AB", "ABC", "CA"),
    timeZone: fc.constantFrom(...ZONES),
    unit: fc.constantFrom(null, "hourly", "daily", "weekly"),
    rotation: fc.boolean(),
  })
  .map(({ startsAfter, minutes, unit, ...rest }) => (base: number, id: string) => {
    const startAt = base + startsAfter * MINUTE;
    const fields = { ...rest, id, startAt, endAt: startAt + minutes * MINUTE };
    return event(unit === null ? fields : { ...fields, frequencyUnit: unit as "daily" });
  });

const anyCase = fc.record({
  start: fc.constantFrom(...STARTS),
  offset: fc.integer({ min: 0, max: 36 * 60 }),
  length: fc.integer({ min: 1, max: 30 * 60 }),
  zone: fc.constantFrom(...ZONES),
  nightStart: fc.integer({ min: 0, max: 1439 }),
  nightLength: fc.integer({ min: 1, max: 1439 }),
  weekendDays: fc.subarray([0, 1, 5, 6]),
  holidays: fc.array(
    fc.record({
      day: fc.integer({ min: -1, max: 3 }),
      startsAt: fc.integer({ min: 0, max: 1439 }),
    }),
    { maxLength: 2 },
  ),
  schedules: fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 2,
  }),
});

/** The local date (as a number) and minute of the day, as the runtime formats them. */
function localMinuteAt(clock: Intl.DateTimeFormat, instant: number) {
  const parts = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
  const day = Date.UTC(part("year"), part("month") - 1, part("day")) / DAY;
  return { day, minute: part("hour") * 60 + part("minute") };
}

test("the classes sum up to the union, and equal a count of each minute", () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const base = Date.parse(one.start);
      const window = { from: base + one.offset * MINUTE, to: 0 };
      window.to = window.from + one.length * MINUTE;
      const nightEnd = (one.nightStart + one.nightLength) % 1440;
      const rules: RateRules = {
        zone: zoneOf(one.zone),
        nightStart: one.nightStart * MINUTE,
        nightEnd: nightEnd * MINUTE,
        weekendDays: new Set(one.weekendDays),
        holidays: one.holidays.map(({ day, startsAt }) => {
          return { day: base / DAY + day, startsAt: startsAt * MINUTE, name: "Holiday" };
        }),
      };
      const schedules = new Map(
        one.schedules.map((events, s) => [
          `S${s}`,
          scheduleOf(events.map((make, e) => make(base, `e${e}`))),
        ]),
      );
      const expected = new Map<string, Map<RateClass, number>>();
      const count = (key: string, rateClass: RateClass) => {
        const sums = expected.get(key) ?? new Map<RateClass, number>();
        expected.set(key, sums.set(rateClass, (sums.get(rateClass) ?? 0) + MINUTE));
      };
      const entries = [...schedules].flatMap(([id, schedule]) =>
        onCallBetween(schedule, window.from, window.to).map((entry) => ({
          id,
          ...entry,
        })),
      );
      const clock = new Intl.DateTimeFormat("en-US", {
        ...{ timeZone: one.zone, hourCycle: "h23", year: "numeric", month: "numeric" },
        ...{ day: "numeric", hour: "numeric", minute: "numeric" },
      });
      for (let minute = window.from; minute < window.to; minute += MINUTE) {
        const now = entries.filter(({ startAt, endAt }) => startAt <= minute && minute < endAt);
        if (now.length === 0) continue;
        const local = localMinuteAt(clock, minute);
        const isHoliday = one.holidays.some(
          (it) => base / DAY + it.day === local.day && local.minute >= it.startsAt,
        );
        const sinceNight = (local.minute - one.nightStart + 1440) % 1440;
        const rateClass: RateClass = isHoliday
          ? "holiday"
          : one.weekendDays.includes(new Date(local.day * DAY).getUTCDay())
            ? "weekend"
            : sinceNight < one.nightLength
              ? "night"
              : "weekday";
        const keys = now.flatMap(({ id, layer, attendees }) =>
          attendees.flatMap((it) => [it.attendeeId, `${it.attendeeId} ${id} ${layer}`]),
        );
        for (const key of new Set(keys)) count(key, rateClass);
      }
      const result = onCallTime(schedules, window, rules);
      const shown = new Map<string, RatedTime>();
      for (const { attendeeId, time, byLayer } of result) {
        shown.set(attendeeId, time);
        for (const it of byLayer) shown.set(`${attendeeId} ${it.scheduleId} ${it.layer}`, it.time);
      }
      expect([...shown.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [key, time] of shown) {
        const none = { weekday: 0, night: 0, weekend: 0, holiday: 0 };
        expect(time).toEqual({ ...none, ...Object.fromEntries(expected.get(key) ?? []) });
        const minutes = [...(expected.get(key)?.values() ?? [])].reduce((a, b) => a + b, 0);
        expect(totalOf(time)).toBe(minutes);
      }
    }),
    cases(150),
  );
});

test("the classes sum up to the union over long windows", () => {
  const anyLong = fc.record({
    zone: fc.constantFrom(...ZONES),
    days: fc.integer({ min: 1, max: 366 }),
    offset: fc.integer({ min: 0, max: 300 * DAY }),
    events: fc.array(anyEvent, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(anyLong, ({ zone, days, offset, events }) => {
      const base = Date.parse("2026-01-01");
      const window = { from: base + offset, to: base + offset + days * DAY };
      const made = events.map((make, e) => make(base, `e${e}`));
      const entries = onCallBetween(scheduleOf(made), window.from, window.to);
      const times = onCallTime(
        new Map([["S", scheduleOf(made)]]),
        window,
        rulesIn(zone, ["2026-05-01"]),
      );
      for (const { attendeeId, time } of times) {
        // The union, by the instants at which the number of running shifts leaves or reaches zero.
        const steps = entries
          .filter(({ attendees }) => attendees.some((it) => it.attendeeId === attendeeId))
          .flatMap(({ startAt, endAt }) => [
            [Math.max(startAt, window.from), 1] as const,
            [Math.min(endAt, window.to), -1] as const,
          ])
          .sort(([one], [other]) => one - other);
        let running = 0;
        let total = 0;
        for (const [index, [instant, by]] of steps.entries()) {
          running += by;
          if (running > 0) total += (steps[index + 1]?.[0] ?? instant) - instant;
        }
        expect(totalOf(time)).toBe(total);
      }
    }),
    cases(60),
  );
});
