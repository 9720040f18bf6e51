// Who is notified of having been put on or taken off a shift, and of which hours.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hoursBetween,
  type KnownHours,
  type PersonHours,
} from "../../../../src/domain/oncall/notices/person-hours.ts";
import {
  changesDueAt,
  type HoursChange,
  KNOWN_WINDOW_MS,
  NOBODY,
  NOTICE_WINDOW_MS,
  observeShifts,
  type ShiftMemory,
  takeChanges,
} from "../../../../src/domain/oncall/notices/shift-changes.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { at, event } from "../../../support/oncall/oncall-makers.ts";
import { cases } from "../../../support/oncall/oncall-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = at("2026-03-02T00:00Z");

const shift = (
  from: number,
  to: number,
  who: string,
  fields: Partial<OnCallEvent> = {},
): OnCallEvent =>
  event({ id: `${from}-${who}`, startAt: NOW + from * DAY, endAt: NOW + to * DAY, who, ...fields });

const seen = (events: readonly OnCallEvent[], now: number): KnownHours =>
  hoursBetween(scheduleOf(events), now - 1, now + KNOWN_WINDOW_MS);

type Step = readonly [minutes: number, events: readonly OnCallEvent[], by: readonly string[]];

/** The memory after these steps, from a schedule that is first seen with `start`. */
function memoryAfter(start: readonly OnCallEvent[], steps: readonly Step[]): ShiftMemory {
  let memory = observeShifts(null, seen(start, NOW), [], NOW);
  for (const [minutes, events, by] of steps) {
    const now = NOW + minutes * MINUTE;
    memory = structuredClone(observeShifts(memory, seen(events, now), by, now));
  }
  return memory;
}

/** `A +1:3-4 -2:5-6`: added and removed hours by layer, in days from `NOW`. */
const show = (changes: readonly HoursChange[]) =>
  changes.map(({ accountUserId, added, removed }) => {
    const days = (instant: number) => Math.round(((instant - NOW) / DAY) * 100) / 100;
    const text = (sign: string, list: HoursChange["added"]) =>
      list.map((it) => ` ${sign}${it.layer}:${days(it.startAt)}-${days(it.endAt)}`).join("");
    return `${accountUserId}${text("+", added)}${text("-", removed)}`;
  });

const told = (start: readonly OnCallEvent[], steps: readonly Step[]) => {
  const memory = memoryAfter(start, steps);
  return show(takeChanges(memory, changesDueAt(memory) ?? NOW).changes);
};

describe("a change", () => {
  test.each<[string, OnCallEvent[], OnCallEvent[], string[]]>([
    ["nothing", [shift(1, 2, "A")], [shift(1, 2, "A")], []],
    ["a new shift", [], [shift(1, 2, "A")], ["A +1:1-2"]],
    ["a removed shift", [shift(1, 2, "A")], [], ["A -1:1-2"]],
    ["another person", [shift(1, 2, "A")], [shift(1, 2, "B")], ["A -1:1-2", "B +1:1-2"]],
    ["another layer", [shift(1, 2, "A")], [shift(1, 2, "A", { layer: 2 })], ["A +2:1-2 -1:1-2"]],
    ["a longer shift", [shift(1, 2, "A")], [shift(1, 3, "A")], ["A +1:2-3"]],
    ["a shift split in two", [shift(1, 3, "A")], [shift(1, 2, "A"), shift(2, 3, "A")], []],
    ["a past shift", [shift(-2, -1, "A")], [], []],
    ["a shift after 28 days", [], [shift(30, 31, "A")], []],
    ["a shift over the 28th day", [], [shift(27, 31, "A")], ["A +1:27-28"]],
  ])("to %s", (_, before, now, expected) => {
    expect(told(before, [[0, now, [NOBODY]]]).map((it) => it.replace("28.00", "28"))).toEqual(
      expected,
    );
  });

  test("to a schedule that did not exist puts everybody on their shifts", () => {
    const memory = observeShifts(null, seen([shift(1, 2, "A")], NOW), ["B"], NOW);
    expect(show(takeChanges(memory, NOW).changes)).toEqual(["A +1:1-2"]);
  });

  test("of a schedule that is first seen is none", () => {
    const memory = observeShifts(null, seen([shift(1, 2, "A")], NOW), [], NOW);
    expect([memory.burst, changesDueAt(memory)]).toEqual([null, null]);
  });

  test("waits for two quiet minutes, at most for fifteen", () => {
    const edits: Step[] = [0, 1, 2.5].map((minutes) => [
      minutes,
      [shift(1, 2 + minutes, "A")],
      [NOBODY],
    ]);
    expect(changesDueAt(memoryAfter([], edits))).toBe(NOW + 4.5 * MINUTE);
    const many: Step[] = [...Array(20).keys()].map((i) => [i, [shift(1, 2 + i, "A")], [NOBODY]]);
    expect(changesDueAt(memoryAfter([], many))).toBe(NOW + 15 * MINUTE);
  });

  test("that is taken back is not notified; a burst is notified as one", () => {
    const start = [shift(1, 2, "A")];
    expect(
      told(start, [
        [0, [shift(1, 2, "B")], [NOBODY]],
        [1, start, [NOBODY]],
      ]),
    ).toEqual([]);
    const steps: Step[] = [
      [0, [shift(1, 2, "B")], [NOBODY]],
      [1, [shift(1, 2, "C")], [NOBODY]],
    ];
    expect(told(start, steps)).toEqual(["A -1:1-2", "C +1:1-2"]);
  });
});

describe("the person who makes a change", () => {
  const start = [shift(1, 2, "A")];
  test.each<[string, Step[], string[]]>([
    ["is not notified of it", [[0, [shift(1, 2, "B")], ["A"]]], ["B +1:1-2"]],
    [
      "is notified if somebody else changed the same hours too",
      [
        [0, [shift(1, 1.5, "A")], ["A"]],
        [1, [], ["B"]],
      ],
      ["A -1:1-2"],
    ],
    [
      "is not notified because somebody else changed others",
      [
        [0, [], ["A"]],
        [1, [shift(3, 4, "B")], ["C"]],
      ],
      ["B +1:3-4"],
    ],
    [
      "is notified if the other's change was seen with their own",
      [
        [0, [], ["A"]],
        [0, [], ["A", "B"]],
      ],
      ["A -1:1-2"],
    ],
  ])("%s", (_, steps, expected) => {
    expect(told(start, steps)).toEqual(expected);
  });
});

describe("time that passes", () => {
  test("is no change, and what comes into view is known", () => {
    const daily = shift(-1, 0, "A", {
      repeat: true,
      frequency: 1,
      frequencyUnit: "daily",
      rotation: true,
      attendees: event({ who: "AB" }).attendees,
    });
    let memory = observeShifts(null, seen([daily], NOW), [], NOW);
    for (let day = 7; day <= 70; day += 7) {
      const now = NOW + day * DAY;
      expect(memory.readAgainAt).toBe(now);
      memory = observeShifts(memory, seen([daily], now), [], now);
    }
    const now = NOW + 71 * DAY;
    memory = observeShifts(memory, seen([daily], now), [NOBODY], now);
    expect(memory.burst).toBeNull();
    const without = { ...daily, exceptions: [{ id: "x", startAt: NOW + 95 * DAY }] };
    memory = observeShifts(memory, seen([without], now), [NOBODY], now);
    expect(show(takeChanges(memory, now).changes)).toEqual(["A -1:95-96"]);
  });

  test("a schedule too large to be known for 28 days is compared as far as it is known", () => {
    const events = [...Array(40).keys()].map((i) => shift(i / 2, i / 2 + 0.25, "A"));
    const known = hoursBetween(scheduleOf(events), NOW, NOW + KNOWN_WINDOW_MS, 10);
    expect(known.until).toBe(NOW + 5 * DAY);
    const memory = observeShifts(null, known, [], NOW);
    expect(memory.readAgainAt).toBe(NOW + DAY);
    const changed = observeShifts(memory, seen([], NOW), [NOBODY], NOW);
    const [change] = takeChanges(changed, NOW).changes;
    expect(change?.removed).toHaveLength(10);
    expect(change?.added).toEqual([]);
  });
});

test("hours that were not known before are not taken for a change", () => {
  const events = [...Array(40).keys()].map((i) => shift(i / 2, i / 2 + 0.25, "A"));
  const few = observeShifts(
    null,
    hoursBetween(scheduleOf(events), NOW, NOW + KNOWN_WINDOW_MS, 10),
    [],
    NOW,
  );
  const changed = observeShifts(few, seen(events.slice(1), NOW), [NOBODY], NOW);
  expect(show(takeChanges(changed, NOW).changes)).toEqual(["A -1:0-0.25"]);
});

// ── Properties ──

const anyShifts = fc.array(
  fc
    .tuple(
      fc.integer({ min: -8, max: 130 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom("A", "B", "C", "AB"),
      fc.integer({ min: 1, max: 2 }),
    )
    .map(([from, length, who, layer]) =>
      shift(from / 4, (from + length) / 4, who, { layer, id: `${from} ${length} ${who} ${layer}` }),
    ),
  { maxLength: 8 },
);

/** The quarters of days that a person is on call on a layer: `A 1 17`. */
const quarters = (events: readonly OnCallEvent[], from: number, to: number): Set<string> => {
  const found = new Set<string>();
  for (const { attendees, layer, startAt, endAt } of events) {
    for (let instant = startAt; instant < endAt; instant += DAY / 4) {
      if (instant < from || instant >= to) continue;
      for (const it of attendees) found.add(`${it.attendeeId} ${layer} ${instant}`);
    }
  }
  return found;
};

describe("whatever the changes", () => {
  test("the notices are the difference of the schedules", () => {
    fc.assert(
      fc.property(fc.array(anyShifts, { minLength: 2, maxLength: 5 }), (versions) => {
        const [first = [], ...rest] = versions;
        const steps = rest.map((events): Step => [0, events, [NOBODY]]);
        const { changes } = takeChanges(memoryAfter(first, steps), NOW);
        const [from, to] = [NOW, NOW + NOTICE_WINDOW_MS];
        const before = quarters(first, from, to);
        const now = quarters(rest.at(-1) ?? [], from, to);
        const listed = (kind: "added" | "removed") =>
          changes.flatMap((change) =>
            change[kind].flatMap(({ layer, startAt, endAt }) =>
              [...Array((endAt - startAt) / (DAY / 4)).keys()].map(
                (i) => `${change.accountUserId} ${layer} ${startAt + (i * DAY) / 4}`,
              ),
            ),
          );
        expect(listed("added").sort()).toEqual([...now].filter((it) => !before.has(it)).sort());
        expect(listed("removed").sort()).toEqual([...before].filter((it) => !now.has(it)).sort());
      }),
      cases(500),
    );
  });

  test("no change gives no notice, and taking notices twice gives them once", () => {
    fc.assert(
      fc.property(anyShifts, anyShifts, (one, other) => {
        const memory = memoryAfter(one, [[0, other, [NOBODY]]]);
        const { memory: left } = takeChanges(memory, NOW);
        expect(takeChanges(left, NOW).changes).toEqual([]);
        const again = observeShifts(left, seen(other, NOW), [NOBODY], NOW);
        expect(again).toEqual(left);
      }),
      cases(300),
    );
  });

  test("only those whose hours differ are notified, unless only they made the change", () => {
    fc.assert(
      fc.property(anyShifts, anyShifts, fc.constantFrom("A", "B", "Z"), (one, other, actor) => {
        const everybody = told(one, [[0, other, [NOBODY]]]).map((it) => it.slice(0, 1));
        const others = told(one, [[0, other, [actor]]]).map((it) => it.slice(0, 1));
        expect(others).toEqual(everybody.filter((id) => id !== actor));
      }),
      cases(300),
    );
  });

  test("what is remembered is what the schedule says, and bounded", () => {
    fc.assert(
      fc.property(anyShifts, fc.integer({ min: 1, max: 10 }), (events, most) => {
        const known = hoursBetween(scheduleOf(events), NOW, NOW + KNOWN_WINDOW_MS, most);
        const count = (people: PersonHours) =>
          Object.values(people).flatMap((layers) => Object.values(layers).flat()).length;
        expect(count(known.people)).toBeLessThanOrEqual(most);
        const remembered = Object.entries(known.people).flatMap(([id, layers]) =>
          Object.entries(layers).flatMap(([layer, hours]) =>
            hours.flatMap(({ startAt, endAt }) =>
              [...Array((endAt - startAt) / (DAY / 4)).keys()].map(
                (i) => `${id} ${layer} ${startAt + (i * DAY) / 4}`,
              ),
            ),
          ),
        );
        const instantOf = (it: string) => Number(it.split(" ")[2]);
        const inView = remembered.filter(
          (it) => instantOf(it) >= NOW && instantOf(it) < known.until,
        );
        expect(inView.sort()).toEqual([...quarters(events, NOW, known.until)].sort());
      }),
      cases(300),
    );
  });
});
