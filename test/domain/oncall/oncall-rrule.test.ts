/**
 * Against `rrule-temporal`, an independent reading of RFC 5545, on random series: 500 of them,
 * 10,000 under `npm run test:deep`. Where our rules differ from the RFC on purpose, the rule is put to
 * it so that they agree:
 *
 * - A month that lacks the day: the RFC leaves it out, we take its last day (RFC 7529's
 *   `SKIP=BACKWARD`).
 * - Weeks: the RFC's begin on Monday, our blocks on the weekday of the start (`WKST`).
 * - Hours: the RFC counts the wall clock's, so it misses the second pass of a repeated hour; ours
 *   are elapsed time (put to it in UTC).
 * - The repeat's end: the RFC's `UNTIL` is an instant; ours is the local day, to its end.
 * - A time that the clocks skip: the RFC leaves it out, we move it forward (ours that moved are set
 *   aside).
 *
 * Zones whose clocks change and change back within a month are left out: the calendar library below
 * `rrule-temporal` misses such changes (it has 2012-07-20 03:00 in Casablanca an hour early, and no summer
 * time in Fiji from 2020-12-20).
 * `oncall-properties.test.ts` covers those zones.
 */
import { Temporal } from "@js-temporal/polyfill";
import * as fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { describe, expect, it } from "vitest";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { ianaZone } from "../../../src/domain/shared/time-zones.ts";
import { read } from "../../support/oncall/oncall-makers.ts";
import { anySeries, cases, DAY, patience } from "../../support/oncall/oncall-random.ts";

const HOUR = 3_600_000;
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

const SHORT_CHANGES = ["Casablanca", "Cairo", "Fiji"];

/** The series with shifts of an hour, which the RFC's rules know nothing of, and without a cut. */
const anyRule = anySeries
  .filter((series) => !SHORT_CHANGES.includes(series.timeZone))
  .map((series) => ({ ...series, endAt: series.startAt + HOUR, cutAt: null }));

/** The starts in [from, to) of the same rule in the RFC's words; hours in UTC. */
function startsByTheRfc(series: OnCallEvent, from: number, to: number): number[] {
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
 * Whether a shift starts at another clock time than the series does: the clocks skipped its own.
 */
function wasMoved(series: OnCallEvent, startAt: number): boolean {
  const clock = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO(ianaZone(series.timeZone))
      .toPlainTime();
  return series.frequencyUnit !== "hourly" && !clock(startAt).equals(clock(series.startAt));
}

describe("against RFC 5545", () => {
  it("starts the same shifts", patience, () => {
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    let compared = 0;
    fc.assert(
      fc.property(anyRule, shares, (series, share) => {
        const [span, length] = spanOf(series);
        const from = series.startAt + Math.floor(share * span);
        const to = from + length;
        const theirs = startsByTheRfc(series, from, to);
        const ours = onCallBetween([series], from, to)
          .map((entry) => entry.startAt)
          .filter((startAt) => startAt >= from && !wasMoved(series, startAt));
        compared += ours.length;
        const show = (starts: number[]) => starts.map((start) => read(start, "UTC"));
        if (ours.join() !== theirs.join()) expect(show(ours)).toEqual(show(theirs));
      }),
      cases(500),
    );
    // Not an agreement of empty lists.
    expect(compared).toBeGreaterThan(cases(500).numRuns);
  });
});

/** How far from its start to look at a series, and through a window of what length, ms. */
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
