/**
 * Properties of every event: agreement with a slow reference, and consistency between queries.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import {
  activeUntil,
  nextBoundary,
  type OnCallEntry,
  onCallAt,
  onCallBetween,
} from "../../../src/domain/oncall/oncall.ts";
import { expectEqual } from "../../support/generated/expect-equal.ts";
import { event } from "../../support/oncall/oncall-makers.ts";
import {
  anySeries,
  anyStart,
  anyZone,
  cases,
  DAY,
  endOnWallClock,
  onWallClock,
} from "../../support/oncall/oncall-random.ts";
import { isReplacedAt, referenceShifts } from "../../support/oncall/oncall-reference.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;

const namesOf = (entry: OnCallEntry) => entry.attendees.map((one) => one.attendeeId).join("");
const plain = (entries: readonly OnCallEntry[]) =>
  entries.map((entry) => ({
    startAt: entry.startAt,
    endAt: entry.endAt,
    who: namesOf(entry),
  }));

/**
 * A window of an event: its start as a share of the span that `windowOf` covers, and its length in
 * days (hourly: in hours).
 */
const anyWindow = fc.record({
  share: fc.double({ min: -0.02, max: 1, noNaN: true }),
  days: fc.nat(40),
});

function windowOf(series: OnCallEvent, { share, days }: { share: number; days: number }) {
  const years = series.frequencyUnit === "yearly" || series.frequencyUnit === "monthly" ? 6 : 1;
  const span = series.frequencyUnit === "hourly" ? 30 * DAY : years * 365 * DAY;
  const from = Math.floor(series.startAt + share * span);
  const length = series.frequencyUnit === "hourly" ? days * HOUR : days * DAY;
  return { from, to: from + length + 1 };
}

describe("compared with the reference", () => {
  it("finds the same shifts and people in a window", () => {
    fc.assert(
      fc.property(anySeries, anyWindow, (series, window) => {
        const { from, to } = windowOf(series, window);
        const expected = referenceShifts(series, to)
          .filter((shift) => shift.startAt < to && shift.endAt > from)
          .toSorted((one, other) => one.startAt - other.startAt || one.endAt - other.endAt);
        expect(plain(onCallBetween(scheduleOf([series]), from, to))).toEqual(expected);
      }),
      cases(200),
    );
  });

  it("finds the same shifts when occurrences are removed", () => {
    fc.assert(
      fc.property(anySeries, fc.array(fc.nat(20), { maxLength: 4 }), (series, picks) => {
        const until = series.startAt + 21 * DAY;
        const shifts = referenceShifts(series, until);
        const exceptions = picks
          .flatMap((pick) => shifts[pick] ?? [])
          .map((shift) => ({
            id: String(shift.startAt),
            startAt: shift.startAt,
          }));
        const excepted = { ...series, exceptions };
        const left = shifts.filter(
          (shift) => !exceptions.some(({ startAt }) => startAt === shift.startAt),
        );
        const touching = left.filter((shift) => shift.startAt < until);
        const order = (one: { startAt: number; endAt: number }, other: typeof one) =>
          one.startAt - other.startAt || one.endAt - other.endAt;
        expect(plain(onCallBetween(scheduleOf([excepted]), series.startAt, until))).toEqual(
          touching.toSorted(order),
        );
        // Without the exceptions, the series is the original one.
        expect(
          onCallBetween(scheduleOf([{ ...excepted, exceptions: [] }]), series.startAt, until),
        ).toEqual(onCallBetween(scheduleOf([series]), series.startAt, until));
      }),
      cases(100),
    );
  });

  it("finds the same end of a series", () => {
    fc.assert(
      fc.property(anySeries, (series) => {
        const until = activeUntil(series);
        if (series.repeatEndAt === null && series.cutAt === null) {
          expect(until).toBeNull();
          return;
        }
        const horizon =
          Math.min(series.repeatEndAt ?? Infinity, series.cutAt ?? Infinity) + 2 * DAY;
        const ends = referenceShifts(series, horizon).map((shift) => shift.endAt);
        expect(until).toBe(ends.length === 0 ? series.startAt : Math.max(...ends));
      }),
      cases(100),
    );
  });
});

/**
 * Up to three series on layers 1 to 3 with the same start, some in two versions, and overrides of the
 * series, made by a version or by each other.
 */
const anySchedule = fc
  .record({
    series: fc.array(anySeries, { minLength: 1, maxLength: 3 }),
    splits: fc.array(fc.option(fc.nat(10 * 24)), { minLength: 3, maxLength: 3 }),
    overrides: fc.array(
      fc.record({
        parent: fc.nat(5),
        start: fc.oneof(fc.nat(48), fc.nat(60 * 24)),
        length: fc.integer({ min: 1, max: 80 }),
        layer: fc.integer({ min: 1, max: 3 }),
        createdAt: fc.nat(2),
        who: fc.constantFrom("XY", "Z", "Z", ""),
        leavesEmpty: fc.boolean(),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ series, splits, overrides }) => {
    const base = series[0]?.startAt ?? 0;
    const whole: OnCallEvent[] = series.map((one, index) => {
      const shift = base - one.startAt;
      return {
        ...one,
        id: `series-${index}`,
        seriesId: `series-${index}`,
        layer: 1 + (index % 3),
        startAt: base,
        endAt: one.endAt + shift,
        repeatEndAt: one.repeatEndAt === null ? null : one.repeatEndAt + shift,
        cutAt: one.cutAt === null ? null : one.cutAt + shift,
      };
    });
    const events = whole.flatMap((it, index) => {
      const after = splits[index] ?? null;
      if (after === null) return [it];
      const at = base + after * HOUR;
      const first = { ...it, cutAt: Math.min(at, it.cutAt ?? at) };
      return [first, { ...it, id: `${it.id} on`, beginsAt: at, layer: 1 + (it.layer % 3) }];
    });
    for (const [index, it] of overrides.entries()) {
      const { parent, start, length, ...rest } = it;
      const by = events[parent % events.length];
      const startAt = base + start * HOUR;
      events.push(
        event({
          id: `override-${index}`,
          ...(by && { seriesId: by.seriesId, parentId: by.id }),
          startAt,
          endAt: startAt + length * HOUR,
          ...rest,
        }),
      );
    }
    return { events, base };
  });

const keyOf = (entry: OnCallEntry) =>
  `${entry.layer} ${entry.eventId} ${entry.startAt} ${entry.endAt} ${namesOf(entry)}`;

describe("consistency", () => {
  it("a window returns the matching entries of a larger window", () => {
    fc.assert(
      fc.property(anySchedule, fc.nat(60 * 24), fc.nat(72), ({ events, base }, hour, length) => {
        const from = base + hour * HOUR;
        const to = from + length * HOUR + 1;
        const all = onCallBetween(scheduleOf(events), base - DAY, base + 64 * DAY);
        const slice = all.filter((entry) => entry.startAt < to && entry.endAt > from);
        expectEqual(onCallBetween(scheduleOf(events), from, to).map(keyOf), slice.map(keyOf));
      }),
      cases(200),
    );
  });

  it("an instant returns the matching entries of a window, also around a handoff", () => {
    const instants = fc.record({ pick: fc.nat(), by: fc.constantFrom(-1, 0, 1) });
    fc.assert(
      fc.property(anySchedule, instants, ({ events, base }, { pick, by }) => {
        const all = onCallBetween(scheduleOf(events), base - DAY, base + 64 * DAY);
        const entry = all[pick % Math.max(1, all.length)];
        const at = Math.min(entry?.endAt ?? base, base + 63 * DAY) + by;
        const slice = all.filter((one) => one.startAt <= at && at < one.endAt);
        expectEqual(onCallAt(scheduleOf(events), at).map(keyOf), slice.map(keyOf));
      }),
      cases(200),
    );
  });

  it("the newest override replaces its series exactly while it runs", () => {
    const anyQuarter = fc.oneof(fc.nat(6 * 96), fc.nat(60 * 96));
    fc.assert(
      fc.property(anySchedule, anyQuarter, ({ events, base }, quarter) => {
        const at = base + quarter * 15 * 60_000;
        const running = (one: OnCallEvent) =>
          one.parentId === null
            ? onCallAt(scheduleOf([one]), at).length > 0
            : one.attendees.length > 0 && one.startAt <= at && at < one.endAt;
        const expected = events
          .filter(running)
          .filter((one) => !isReplacedAt(events, one, at))
          .map((one) => `${one.layer} ${one.id}`);
        const actual = onCallAt(scheduleOf(events), at).map(
          (entry) => `${entry.layer} ${entry.eventId}`,
        );
        expect([...new Set(actual)].toSorted()).toEqual(expected.toSorted());
      }),
      cases(200),
    );
  });

  it("the next boundary is the first instant at which the people differ", () => {
    const who = (events: readonly OnCallEvent[], at: number) =>
      onCallAt(scheduleOf(events), at)
        .flatMap(({ layer, attendees }) => attendees.map((one) => `${layer} ${one.attendeeId}`))
        .toSorted()
        .filter((person, index, all) => person !== all[index - 1])
        .join();
    fc.assert(
      fc.property(anySchedule, fc.nat(40 * 24), ({ events, base }, hour) => {
        const after = base + hour * HOUR;
        const boundary = nextBoundary(scheduleOf(events), after) ?? Number.POSITIVE_INFINITY;
        const end = Math.min(boundary, after + 20 * DAY);
        const before = who(events, after);
        const instants = onCallBetween(scheduleOf(events), after, end)
          .flatMap((entry) => [entry.startAt, entry.endAt])
          .filter((at) => at > after && at < end);
        for (const at of new Set(instants.slice(0, 100))) expectEqual(who(events, at), before);
        if (boundary < after + 20 * DAY) expect(who(events, boundary)).not.toBe(before);
      }),
      cases(100),
    );
  });
});

describe("rotations", () => {
  it("around the clock have no gap and no overlap in ten years", () => {
    const rules = fc.constantFrom(
      ["hourly", "hours"] as const,
      ["daily", "days"] as const,
      ["weekly", "weeks"] as const,
      ["monthly", "months"] as const,
      ["yearly", "years"] as const,
    );
    const frequencies = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(anyZone, anyStart, rules, frequencies, (timeZone, quarters, rule, frequency) => {
        const [frequencyUnit, unit] = rule;
        const startAt = onWallClock(timeZone, quarters);
        const endAt = endOnWallClock(timeZone, startAt, { [unit]: frequency });
        // If a clock change moves the first end, the series has another length.
        fc.pre(endAt !== null);
        if (endAt === null) return;
        const years = frequencyUnit === "hourly" ? 0.2 : 10;
        const series = event({
          timeZone,
          startAt,
          endAt,
          frequency,
          frequencyUnit,
          rotation: true,
          who: "ABC",
        });
        const to = startAt + years * 365 * DAY;
        const shifts = onCallBetween(scheduleOf([series]), startAt, to);
        expect(shifts[0]?.startAt).toBe(startAt);
        const handoffs = shifts
          .slice(1)
          .map((shift, index) => [shifts[index]?.endAt, shift.startAt]);
        expect(handoffs.filter(([end, start]) => end !== start)).toEqual([]);
        expect(shifts.at(-1)?.endAt).toBeGreaterThanOrEqual(to);
      }),
      cases(50),
    );
  });

  it("give everyone the same number of turns, to within one", () => {
    const setUp = fc.record({
      quarters: anyStart,
      people: fc.integer({ min: 1, max: 7 }),
      frequency: fc.integer({ min: 1, max: 5 }),
      daysOfWeek: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
      unit: fc.constantFrom("daily", "weekly"),
      from: fc.nat(300),
      length: fc.nat(400),
    });
    fc.assert(
      fc.property(setUp, ({ quarters, people, frequency, daysOfWeek, unit, from, length }) => {
        const startAt = onWallClock("UTC", quarters);
        const series = event({
          startAt,
          endAt: startAt + HOUR,
          frequencyUnit: unit === "daily" ? "daily" : "weekly",
          frequency,
          daysOfWeek,
          rotation: true,
          who: "ABCDEFG".slice(0, people),
        });
        // A block of a weekly rotation is one turn: count only its first day.
        const begin = startAt + from * 7 * frequency * DAY;
        const shifts = onCallBetween(
          scheduleOf([series]),
          begin,
          begin + length * 7 * frequency * DAY,
        );
        const turns =
          unit === "daily" ? shifts : shifts.filter((_, n) => n % daysOfWeek.length === 0);
        const counts = new Map<string, number>();
        for (const entry of turns)
          counts.set(namesOf(entry), (counts.get(namesOf(entry)) ?? 0) + 1);
        const most = Math.max(0, ...counts.values());
        const least = counts.size < people ? 0 : Math.min(...counts.values());
        expect(most - least).toBeLessThanOrEqual(1);
        if (frequency % 7 !== 0 && length * daysOfWeek.length >= people * daysOfWeek.length) {
          expect(counts.size).toBe(people);
        }
      }),
      cases(200),
    );
  });

  it("compute no more shifts if they started twenty years ago", () => {
    for (const unit of ["hourly", "daily", "weekly", "monthly"] as const) {
      const series = event({
        start: "2006-01-01T00:00Z",
        end: "2006-01-01T01:00Z",
        frequencyUnit: unit,
        daysOfWeek: unit === "daily" ? [1, 2, 3, 4, 5] : [],
      });
      let reads = 0;
      const counting = new Proxy(series, {
        get(target, key) {
          if (key === "exceptions") reads++;
          return Reflect.get(target, key);
        },
      });
      onCallAt(scheduleOf([counting]), Date.UTC(2026, 10, 21));
      expect(reads, unit).toBeLessThanOrEqual(8);
    }
  });
});
