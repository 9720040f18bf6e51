/** Random events for the properties of the on-call calculation. */

import { Temporal } from "@js-temporal/polyfill";
import * as fc from "fast-check";
import type { FrequencyUnit, OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { ianaZone, TIME_ZONE_NAMES } from "../../../src/domain/shared/time-zones.ts";
import { sized } from "../generated/sizes.ts";
import { event } from "./oncall-makers.ts";

export const DAY = 86_400_000;
const MINUTE = 60_000;

/** The factor for the number of random cases. */
const TIMES = sized(0.4, 8);

export function cases(usual: number): { numRuns: number } {
  return { numRuns: Math.ceil(usual * TIMES) };
}

// Zones with unusual clock changes are chosen more often.
const UNUSUAL_ZONES = [
  "Samoa",
  "Cairo",
  "Casablanca",
  "Pacific/Kwajalein",
  "Australia/Lord_Howe",
  "Santiago",
];

export const anyZone = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...TIME_ZONE_NAMES) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...UNUSUAL_ZONES, "Eastern Time (US & Canada)", "London"),
  },
);

/** Most starts are within forty years; some are near a date that a zone skipped. */
export const anyStart = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 * 365 * 96 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 * 96 }).map((n) => 21 * 365 * 96 + n * 96) },
);

/** The instant that is `quarters` quarter hours after 1990 on a zone's wall clock. */
export function onWallClock(zone: string, quarters: number): number {
  const wall = Temporal.PlainDateTime.from("1990-01-01").add({ minutes: quarters * 15 });
  return wall.toZonedDateTime(ianaZone(zone)).epochMilliseconds;
}

/**
 * Adds a duration to an instant on the wall clock; null if the clocks skip the result.
 */
export function endOnWallClock(
  zone: string,
  startAt: number,
  length: Temporal.DurationLike,
): number | null {
  const start = Temporal.Instant.fromEpochMilliseconds(startAt).toZonedDateTimeISO(ianaZone(zone));
  const end = start.add(length);
  if (length.hours) return end.epochMilliseconds;
  const wall = start.toPlainDateTime().add(length);
  return end.toPlainDateTime().equals(wall) ? end.epochMilliseconds : null;
}

const LENGTHS = fc.oneof(
  fc.integer({ min: 1, max: 4 * 24 }).map((quarters) => quarters * 15 * MINUTE),
  fc.constantFrom(DAY, 7 * DAY, 2 * DAY, 28 * DAY, 31 * DAY),
);

const DAYS = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.subarray([0, 1, 2, 3, 4, 5, 6]) },
);

/** A repeating event with any rule, sometimes with an end or a cut. */
export const anySeries: fc.Arbitrary<OnCallEvent> = fc
  .record({
    timeZone: anyZone,
    quarters: anyStart,
    length: LENGTHS,
    frequency: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 })),
    frequencyUnit: fc.constantFrom<FrequencyUnit>("hourly", "daily", "weekly", "monthly", "yearly"),
    days: DAYS,
    people: fc.integer({ min: 1, max: 5 }),
    rotation: fc.boolean(),
    endsAfter: fc.option(fc.integer({ min: 0, max: 900 }), { freq: 2 }),
    cutAfter: fc.option(fc.integer({ min: 0, max: 900 * 24 }), { freq: 1 }),
  })
  .map(({ quarters, length, days, people, endsAfter, cutAfter, ...rule }) => {
    const startAt = onWallClock(rule.timeZone, quarters);
    // The reference is slow: hourly events are limited to one month.
    const maxDays = rule.frequencyUnit === "hourly" ? 30 : 900;
    const filtered = rule.frequencyUnit === "daily" || rule.frequencyUnit === "weekly";
    return event({
      ...rule,
      startAt,
      endAt: startAt + length,
      daysOfWeek: filtered ? days : [],
      who: "ABCDE".slice(0, people),
      repeatEndAt: endsAfter === null ? null : startAt + (endsAfter % maxDays) * DAY,
      cutAt: cutAfter === null ? null : startAt + (cutAfter % (maxDays * 24)) * 60 * MINUTE,
    });
  });
