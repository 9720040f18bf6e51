// Which gaps of a schedule are notified, and when: once each, when they appear or come within 14 days.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideGaps,
  GAP_WINDOW_MS,
  type GapFacts,
  type GapMemory,
  gapsDueAt,
} from "../../../../src/domain/oncall/notices/gaps.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { END_OF_TIME } from "../../../../src/domain/shared/time.ts";
import { at, event } from "../../../support/oncall/oncall-makers.ts";
import { cases } from "../../../support/oncall/oncall-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** A Monday. */
const NOW = at("2026-03-02T00:00Z");

/** A shift of A on [from, to) days from `NOW`. */
const shift = (from: number, to: number, fields: Partial<OnCallEvent> = {}): OnCallEvent =>
  event({ id: `${from}-${to}`, startAt: NOW + from * DAY, endAt: NOW + to * DAY, ...fields });

/** A on call all the time, and before. */
const always = shift(-7, -6, { id: "always", repeat: true, frequency: 1, frequencyUnit: "daily" });

const facts = (events: readonly OnCallEvent[], more: Partial<GapFacts> = {}): GapFacts => ({
  scheduleId: "schedule",
  schedule: scheduleOf(events),
  hasEvents: events.length > 0,
  hasStarted: true,
  policyLayers: [1],
  ...more,
});

/** The steps' gaps as `layer: from-to` in days from `NOW`, with `…` for an unknown end. */
function follow(
  steps: readonly (readonly [days: number, events: readonly OnCallEvent[], Partial<GapFacts>?])[],
  start: GapMemory | null = null,
): string[][] {
  let memory = start;
  return steps.map(([days, events, more]) => {
    const decision = decideGaps(memory, facts(events, more), NOW + days * DAY);
    memory = structuredClone(decision.memory);
    return decision.gaps.map(({ layer, startAt, endAt }) => {
      const end = endAt === END_OF_TIME ? "…" : (endAt - NOW) / DAY;
      return `${layer}: ${(startAt - NOW) / DAY}-${end}`;
    });
  });
}

describe("a gap", () => {
  test("is notified once when a change makes it", () => {
    const withHole = [shift(-7, 3), shift(4, 40)];
    expect(
      follow([
        [0, [always]],
        [1, withHole],
        [1, withHole],
        [2, withHole],
      ]),
    ).toEqual([[], ["1: 3-4"], [], []]);
  });

  test.each([
    ["shrinks", [shift(-7, 3), shift(3.5, 40)], []],
    ["is split", [shift(-7, 3), shift(3.2, 3.5), shift(4, 40)], []],
    ["grows", [shift(-7, 3), shift(5, 40)], ["1: 3-5"]],
    ["moves", [shift(-7, 3.5), shift(4.5, 40)], ["1: 3.5-4.5"]],
    ["closes", [always], []],
  ])("that %s", (_, events, expected) => {
    const withHole = [shift(-7, 3), shift(4, 40)];
    expect(
      follow([
        [0, withHole],
        [0, events],
        [0, events],
      ]),
    ).toEqual([["1: 3-4"], expected, []]);
  });

  test("is new when it closes and opens again", () => {
    const withHole = [shift(-7, 3), shift(4, 40)];
    expect(
      follow([
        [0, withHole],
        [0, [always]],
        [0, withHole],
      ]),
    ).toEqual([["1: 3-4"], [], ["1: 3-4"]]);
  });

  test("is notified when it comes within 14 days, by an alarm at that time", () => {
    const ending = [shift(-7, 20)];
    const first = decideGaps(null, facts(ending), NOW);
    expect(first.gaps).toEqual([]);
    expect(first.nextAt).toBe(NOW + 6 * DAY);
    expect(
      follow(
        [
          [5.9, ending],
          [6, ending],
          [7, ending],
          [19, ending],
        ],
        first.memory,
      ),
    ).toEqual([[], ["1: 20-…"], [], []]);
  });

  test("without a known end is not new when more of it is known", () => {
    expect(
      follow([
        [0, [shift(-7, 13)]],
        [10, [shift(-7, 13)]],
        [12, [shift(-7, 13), shift(35, 40)]],
        [13, [shift(-7, 13), shift(30, 40)]],
      ]),
    ).toEqual([["1: 13-…"], [], [], []]);
  });

  test("that repeats every week is notified only the first time", () => {
    // Monday to Friday, the whole day: nobody on weekends.
    const weekdays = [
      shift(-7, -6, {
        id: "weekdays",
        repeat: true,
        frequency: 1,
        frequencyUnit: "daily",
        daysOfWeek: [1, 2, 3, 4, 5],
        timeZone: "London",
      }),
    ];
    // The clocks change on 29 March: local weekends are then an hour earlier.
    const days = [...Array(60).keys()];
    const found = follow(days.map((day) => [day, weekdays] as const));
    expect(found[0]).toEqual(["1: 5-7", "1: 12-14"]);
    expect(found.slice(1).flat()).toEqual([]);
  });

  test("beside a weekly one is new", () => {
    const weekdays = shift(-7, -6, {
      id: "weekdays",
      repeat: true,
      frequency: 1,
      frequencyUnit: "daily",
      daysOfWeek: [1, 2, 3, 4, 5],
    });
    const without = { ...weekdays, exceptions: [{ id: "x", startAt: NOW + 11 * DAY }] };
    expect(
      follow([
        [0, [weekdays]],
        [0, [without]],
        [1, [without]],
      ]),
    ).toEqual([["1: 5-7", "1: 12-14"], ["1: 11-14"], []]);
  });

  test("that a removal makes at the hours of last week's gap is new", () => {
    const oneHole = [shift(-7, 3), shift(4, 40)];
    const twoHoles = [shift(-7, 3), shift(4, 10), shift(11, 40)];
    expect(
      follow([
        [0, oneHole],
        [0, twoHoles],
      ]),
    ).toEqual([["1: 3-4"], ["1: 10-11"]]);
  });
});

test("a pause of less than a minute is no gap", () => {
  const pause = (length: number) => [
    shift(-7, 3),
    shift(3, 40, { startAt: NOW + 3 * DAY + length }),
  ];
  expect(follow([[0, pause(MINUTE - 1)]])).toEqual([[]]);
  expect(follow([[0, pause(MINUTE)]])[0]).toHaveLength(1);
});

describe("a schedule", () => {
  test("that has never had a shift has no gap, and none before its first shift", () => {
    const fresh = { hasEvents: false, hasStarted: false };
    const first = [shift(2, 40)];
    expect(
      follow([
        [0, [], fresh],
        [0, first, { hasStarted: false }],
        [1, first, { hasStarted: false }],
        [1, [shift(2, 5)], { hasStarted: false }],
      ]),
    ).toEqual([[], [], [], ["1: 5-…"]]);
    expect(follow([[0, first, { hasStarted: false }]])).toEqual([[]]);
  });

  test("that loses all its shifts has a gap", () => {
    expect(
      follow([
        [0, [always]],
        [0, [], { hasEvents: false, hasStarted: false }],
        [1, [], { hasEvents: false, hasStarted: false }],
      ]),
    ).toEqual([[], ["1: 0-…"], []]);
  });

  test("that replaces another is looked at anew; a team without one has no gaps", () => {
    const withHole = [shift(-7, 3), shift(4, 40)];
    expect(
      follow([
        [0, withHole],
        [0, withHole, { scheduleId: "other" }],
        [0, [], { scheduleId: null, hasEvents: false }],
        [0, withHole, { scheduleId: "other" }],
      ]),
    ).toEqual([["1: 3-4"], ["1: 3-4"], [], ["1: 3-4"]]);
  });
});

describe("a layer above the first", () => {
  const second = { ...always, id: "second", layer: 2 };
  const policyLayers = [1, 2, 3];

  test("counts if it is in the policy and normally has people", () => {
    const now = (events: readonly OnCallEvent[], layers: readonly number[]) =>
      follow([[0, [always, ...events], { policyLayers: layers }]])[0];
    expect(now([shift(-7, 8, { layer: 2 })], policyLayers)).toEqual(["2: 8-…"]);
    expect(now([shift(-7, 8, { layer: 2 })], [1])).toEqual([]);
    // Less than half of the next 14 days.
    expect(now([shift(-7, 6, { layer: 2 })], policyLayers)).toEqual([]);
  });

  test("that loses its people is notified once, and again only once it has people again", () => {
    const with2 = [always, second];
    const more = { policyLayers };
    expect(
      follow([
        [0, with2, more],
        [1, [always], more],
        [2, [always], more],
        [3, [always], more],
        [4, with2, more],
        [5, [always], more],
      ]),
    ).toEqual([[], ["2: 1-…"], [], [], [], ["2: 5-…"]]);
  });
});

test("after changes, gaps are looked for after two quiet minutes, or fifteen", () => {
  expect(gapsDueAt(NOW, NOW)).toBe(NOW + 2 * MINUTE);
  expect(gapsDueAt(NOW, NOW + 14 * MINUTE)).toBe(NOW + 15 * MINUTE);
});

// ── Properties ──

const anyShifts = fc.array(
  fc
    .tuple(fc.integer({ min: -10, max: 160 }), fc.integer({ min: 1, max: 60 }))
    .map(([from, length]) => shift(from / 4, (from + length) / 4)),
  { maxLength: 8 },
);

/** The uncovered quarters of days within 14 days of `now`, by number from `NOW`. */
function holes(events: readonly OnCallEvent[], now: number): number[] {
  const first = Math.round((now - NOW) / (DAY / 4));
  return [...Array(GAP_WINDOW_MS / (DAY / 4)).keys()]
    .map((i) => first + i)
    .filter((quarter) => {
      const instant = NOW + (quarter * DAY) / 4;
      return !events.some((it) => it.startAt <= instant && instant < it.endAt);
    });
}

describe("whatever the changes", () => {
  const anySteps = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), anyShifts), {
    minLength: 1,
    maxLength: 8,
  });

  test("looking twice notifies once", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        let now = NOW;
        let memory: GapMemory | null = null;
        for (const [quarters, events] of steps) {
          now += (quarters * DAY) / 4;
          const decision = decideGaps(memory, facts(events, { hasEvents: true }), now);
          memory = structuredClone(decision.memory);
          const again = decideGaps(memory, facts(events, { hasEvents: true }), now);
          expect(again.gaps).toEqual([]);
          expect(again.memory).toEqual(memory);
        }
      }),
      cases(300),
    );
  });

  test("an uncovered quarter that was covered at the last look is in a notice, and all notices are true", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        let now = NOW;
        let memory: GapMemory | null = null;
        let before: readonly OnCallEvent[] | null = null;
        for (const [quarters, events] of steps) {
          now += (quarters * DAY) / 4;
          const decision = decideGaps(memory, facts(events, { hasEvents: true }), now);
          const isIn = (quarter: number) => {
            const instant = NOW + (quarter * DAY) / 4;
            return decision.gaps.some((it) => it.startAt <= instant && instant < it.endAt);
          };
          const uncovered = holes(events, now);
          const opened = uncovered.filter((it) => before && !holes(before, now).includes(it));
          expect(opened.filter((it) => !isIn(it))).toEqual([]);
          const covered = [...Array(56).keys()]
            .map((i) => Math.round((now - NOW) / (DAY / 4)) + i)
            .filter((it) => !uncovered.includes(it));
          expect(covered.filter(isIn)).toEqual([]);
          memory = structuredClone(decision.memory);
          before = events;
        }
      }),
      cases(300),
    );
  });

  test("following the alarms, every gap that does not repeat weekly is notified before it begins", () => {
    fc.assert(
      fc.property(anyShifts, (shifts) => {
        const events = [shift(-30, 0), ...shifts];
        let now = NOW;
        let memory: GapMemory | null = null;
        const told: { startAt: number; endAt: number }[] = [];
        while (now < NOW + 60 * DAY) {
          const decision = decideGaps(memory, facts(events), now);
          told.push(...decision.gaps);
          memory = decision.memory;
          expect(decision.nextAt).toBeGreaterThan(now);
          now = decision.nextAt ?? Number.POSITIVE_INFINITY;
        }
        const isTold = (instant: number) =>
          told.some((it) => it.startAt <= instant && instant < it.endAt);
        for (let quarter = 0; quarter < 240; quarter += 1) {
          const instant = NOW + (quarter * DAY) / 4;
          const isCovered = events.some((it) => it.startAt <= instant && instant < it.endAt);
          const aWeekAgo = instant - 7 * DAY;
          const repeats =
            aWeekAgo >= NOW && !events.some((it) => it.startAt <= aWeekAgo && aWeekAgo < it.endAt);
          if (!isCovered && !repeats) expect([quarter, isTold(instant)]).toEqual([quarter, true]);
        }
      }),
      cases(300),
    );
  });
});
