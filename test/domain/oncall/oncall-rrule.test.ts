/**
 * Compares random series with `rrule-temporal`, an independent implementation of RFC 5545: 500
 * series, 10,000 under `npm run test:deep`. Where our rules differ from the RFC on purpose, the test
 * adapts the rule:
 *
 * - A month that lacks the day: the RFC skips it, we use its last day (RFC 7529's `SKIP=BACKWARD`).
 * - Weeks: the RFC's start on Monday, our blocks on the weekday of the series' start (`WKST`).
 * - Hours: the RFC counts wall-clock hours and misses the second pass of a repeated hour; ours are
 *   elapsed time (compared in UTC).
 * - The repeat end: the RFC's `UNTIL` is an instant; ours is the end of a local day.
 * - A time skipped by a clock change: the RFC skips it, we move it forward (the test ignores moved
 *   shifts).
 *
 * Zones whose clocks change and change back within a month are excluded: the calendar library used
 * by `rrule-temporal` misses such changes (2012-07-20 03:00 in Casablanca is an hour early, and Fiji
 * has no summer time from 2020-12-20). `oncall-properties.test.ts` covers those zones.
 */
import { Temporal } from "@js-temporal/polyfill";
import * as fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { describe, expect, it } from "vitest";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { ianaZone } from "../../../src/domain/shared/time-zones.ts";
import { read } from "../../support/oncall/oncall-makers.ts";
import { anySeries, cases, DAY } from "../../support/oncall/oncall-random.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

const SHORT_CHANGES = ["Casablanca", "Cairo", "Fiji"];

/** A series with one-hour shifts and without a cut: RFC rules have neither a length nor a cut. */
const anyRule = anySeries
  .filter((series) => !SHORT_CHANGES.includes(series.timeZone))
  .map((series) => ({ ...series, endAt: series.startAt + HOUR, cutAt: null }));

/** The starts in [from, to) of the same rule as an RFC 5545 rule; hourly rules in UTC. */
function rfcStarts(series: OnCallEvent, from: number, to: number): number[] {
  const unit = series.frequencyUnit ?? "daily";
  const zone = unit === "hourly" ? "UTC" : ianaZone(series.timeZone);
  const start = Temporal.Instant.fromEpochMilliseconds(series.startAt).toZonedDateTimeISO(zone);
  const parts = [`FREQ=${unit.toUpperCase()}`, `INTERVAL=${series.frequency}`];
  if (unit === "weekly") parts.push(`WKST=${WEEKDAYS[start.dayOfWeek % 7]}`);
  if (unit === "monthly" || unit === "yearly") parts.push("RSCALE=GREGORIAN", "SKIP=BACKWARD");
  if (series.daysOfWeek.length > 0) {
    parts.push(`BYDAY=${series.daysOfWeek.map((day) => WEEKDAYS[day]).join()}`);
  }
  if (series.repeatEndAt !== null) {
    const end = Temporal.Instant.fromEpochMilliseconds(series.repeatEndAt);
    const day = end.toZonedDateTimeISO(ianaZone(series.timeZone)).toPlainDate();
    const midnight = day.add({ days: 1 }).toZonedDateTime(ianaZone(series.timeZone));
    const until = midnight.toInstant().subtract({ seconds: 1 }).toString();
    parts.push(`UNTIL=${until.replaceAll(/[-:]/g, "")}`);
  }
  return new RRuleTemporal({ rruleString: parts.join(";"), dtstart: start })
    .between(new Date(from), new Date(to - 1), true)
    .map((time) => time.epochMilliseconds);
}

/**
 * Whether a clock change moved a shift: its start has another clock time than the series'.
 */
function wasMoved(series: OnCallEvent, startAt: number): boolean {
  const clock = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO(ianaZone(series.timeZone))
      .toPlainTime();
  return series.frequencyUnit !== "hourly" && !clock(startAt).equals(clock(series.startAt));
}

describe("compared with RFC 5545", () => {
  it("computes the same starts", () => {
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    let compared = 0;
    fc.assert(
      fc.property(anyRule, shares, (series, share) => {
        const [span, length] = spanOf(series);
        const from = series.startAt + Math.floor(share * span);
        const to = from + length;
        const theirs = rfcStarts(series, from, to);
        const ours = onCallBetween(scheduleOf([series]), from, to)
          .map((entry) => entry.startAt)
          .filter((startAt) => startAt >= from && !wasMoved(series, startAt));
        compared += ours.length;
        const show = (starts: number[]) => starts.map((start) => read(start, "UTC"));
        if (ours.join() !== theirs.join()) expect(show(ours)).toEqual(show(theirs));
      }),
      cases(500),
    );
    // The compared lists are not all empty.
    expect(compared).toBeGreaterThan(cases(500).numRuns);
  });
});

/** How long after its start a series is searched, and the length of the window (ms). */
function spanOf({ frequencyUnit }: OnCallEvent): [span: number, length: number] {
  switch (frequencyUnit) {
    case "hourly":
      return [30 * DAY, DAY];
    case "daily":
      return [2 * 365 * DAY, 20 * DAY];
    case "weekly":
      return [3 * 365 * DAY, 60 * DAY];
    default:
      return [8 * 365 * DAY, 2 * 365 * DAY];
  }
}
