/** Overrides of a series that has two versions: who is on call in their hours, and in parts of them. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decidePartRemoval } from "../../../src/domain/oncall/changes/part-removal.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { activeUntil, onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { occurrenceAt } from "../../../src/domain/oncall/recurrence/occurrence-at.ts";
import { expectEqual } from "../../support/generated/expect-equal.ts";
import { away } from "../../support/oncall/absence-makers.ts";
import { event, people } from "../../support/oncall/oncall-makers.ts";
import { cases } from "../../support/oncall/oncall-random.ts";
import { isReplacedAt, referenceShifts, versionOf } from "../../support/oncall/oncall-reference.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2026, 0, 5);

const onDay = (day: number) => MONDAY + day * DAY;

/** A and B take daily turns on layer 1, until another version takes over. */
const first = event({
  ...{ id: "first", who: "AB", rotation: true, frequencyUnit: "daily" },
  ...{ startAt: MONDAY, endAt: onDay(1), cutAt: onDay(4) },
});

/** From day 4 on, C and D take turns on layer 2. */
const second: OnCallEvent = {
  ...first,
  ...{ id: "second", cutAt: null, beginsAt: onDay(4), layer: 2, createdAt: 1 },
  attendees: people("CD"),
};

/** An override of some days that X serves. */
const override = (from: number, to: number, fields: Partial<OnCallEvent> = {}): OnCallEvent => ({
  ...event({ id: "override", seriesId: "first", parentId: "first", who: "X", createdAt: 10 }),
  ...{ startAt: onDay(from), endAt: onDay(to) },
  ...fields,
});

/** `2 4..5 C` for each entry of some days: its layer, its days, and the people. */
const days = (events: readonly OnCallEvent[], from: number, to: number) =>
  onCallBetween(scheduleOf(events), onDay(from), onDay(to)).map(
    ({ layer, startAt, endAt, attendees }) =>
      [
        layer,
        `${(startAt - MONDAY) / DAY}..${(endAt - MONDAY) / DAY}`,
        attendees.map(({ attendeeId }) => attendeeId).join(""),
      ].join(" "),
  );

const VERSIONS = [first, second];

describe("an override over the boundary of two versions", () => {
  it.each(["first", "second", "gone"])("replaces both, if it was made by %s", (parentId) => {
    const over = override(3.5, 4.5, { parentId });
    expect(days([...VERSIONS, over], 3, 6)).toEqual([
      "1 3..3.5 B",
      "1 3.5..4.5 X",
      "2 4.5..5 C",
      "2 5..6 D",
    ]);
  });

  it("leaves the hours of both empty, or gives them back", () => {
    const nobody = override(3.5, 4.5, { attendees: [] });
    const empty = { ...nobody, leavesEmpty: true };
    expect(days([...VERSIONS, empty], 3, 5)).toEqual(["1 3..3.5 B", "2 4.5..5 C"]);
    expect(days([...VERSIONS, nobody], 3, 5)).toEqual(["1 3..4 B", "2 4..5 C"]);
  });

  it("is replaced by a newer one, whatever each was made by", () => {
    const [older, newer] = [
      override(3.25, 4.5, { id: "z", parentId: "second", createdAt: 10 }),
      override(3.5, 4.75, { id: "y", createdAt: 11, attendees: people("Y"), layer: 3 }),
    ];
    const newest = override(3.75, 4.25, {
      ...{ id: "x", parentId: "z", createdAt: 12, attendees: people("Z") },
    });
    const expected = [
      "1 3..3.25 B",
      "1 3.25..3.5 X",
      "1 3.75..4.25 Z",
      "2 4.75..5 C",
      "3 3.5..3.75 Y",
      "3 4.25..4.75 Y",
    ];
    expect(days([...VERSIONS, older, newer, newest], 3, 5)).toEqual(expected);
    expect(days([newest, newer, older, ...VERSIONS], 3, 5)).toEqual(expected);
  });

  it("also replaces the last shift of a version that runs on in the next one", () => {
    const long = { ...first, endAt: onDay(1.5) };
    const over = override(4.25, 4.75, { parentId: "second" });
    expect(days([long, second, over], 4, 5)).toEqual([
      "1 3..4.25 B",
      "1 4.25..4.75 X",
      "2 4..4.25 C",
      "2 4.75..5 C",
    ]);
  });

  it("does not touch another series of the same people", () => {
    const other = { ...second, id: "other", seriesId: "other" };
    expect(days([first, other, override(3.5, 4.5)], 4, 5)).toEqual(["1 3.5..4.5 X", "2 4..5 C"]);
  });
});

const anyRule = fc.record({
  layer: fc.constantFrom(1, 1, 2),
  priority: fc.constantFrom(0, 0, 1, 2),
});

/** Two versions with overrides around their boundary, and a shift of another series on each layer. */
const anyVersions = fc
  .record({
    /** Shifts may pause, or run on while the next one has begun. */
    length: fc.constantFrom(12, 24, 30),
    boundary: fc.integer({ min: 48, max: 96 }),
    rules: fc.tuple(anyRule, anyRule),
    hidden: fc.tuple(anyRule, anyRule),
    overrides: fc.array(
      fc.record({
        from: fc.integer({ min: 0, max: 120 }),
        hours: fc.integer({ min: 1, max: 48 }),
        who: fc.constantFrom("X", "Y", "XY", ""),
        leavesEmpty: fc.boolean(),
        createdAt: fc.nat(2),
        rule: anyRule,
        by: fc.nat(4),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ length, boundary, rules, hidden, overrides }) => {
    const at = MONDAY + boundary * HOUR;
    const whole = { ...first, endAt: MONDAY + length * HOUR };
    const events: OnCallEvent[] = [
      { ...whole, ...rules[0], cutAt: at },
      { ...whole, ...second, endAt: whole.endAt, ...rules[1], beginsAt: at },
    ];
    for (const [index, { from, hours, rule, by, ...fields }] of overrides.entries()) {
      const startAt = MONDAY + from * HOUR;
      const parentId = events[by % events.length]?.id ?? "first";
      const belongs = { id: `override-${index}`, seriesId: "first", parentId };
      const endAt = startAt + hours * HOUR;
      events.push(event({ ...belongs, ...rule, ...fields, startAt, endAt }));
    }
    for (const [index, rule] of hidden.entries()) {
      const hours = { startAt: onDay(1), endAt: onDay(6) };
      events.push(event({ id: `hidden-${index}`, who: "HI"[index] ?? "", ...hours, ...rule }));
    }
    return events;
  });

describe("two versions with any overrides", () => {
  it("have on call at every hour whom a slow reference has", () => {
    fc.assert(
      fc.property(anyVersions, (events) => {
        const shifts = new Map(events.map((it) => [it.id, referenceShifts(it, onDay(8))]));
        const entries = onCallBetween(scheduleOf(events), MONDAY, onDay(8));
        for (let instant = MONDAY; instant < onDay(8); instant += HOUR) {
          const isOn = (it: { readonly startAt: number; readonly endAt: number }) =>
            it.startAt <= instant && instant < it.endAt;
          const serving = events.flatMap((it) => {
            const own = (shifts.get(it.id) ?? []).filter(isOn);
            if (own.length === 0 || isReplacedAt(events, it, instant)) return [];
            // The hours of an override without people are those of others.
            if (it.parentId !== null && it.attendees.length === 0 && !it.leavesEmpty) return [];
            const { priority = 0 } = it.parentId === null ? it : versionOf(events, it);
            const { layer } = it;
            return [{ layer, priority, who: own.map(({ who }) => who).join("") }];
          });
          const expected = serving
            .filter((it) =>
              serving.every((by) => by.layer !== it.layer || by.priority <= it.priority),
            )
            .flatMap(({ layer, who }) => [...who].map((person) => `${layer} ${person}`));
          const actual = entries
            .filter(isOn)
            .flatMap(({ layer, attendees }) => attendees.map((it) => `${layer} ${it.attendeeId}`));
          const label = () => `hour ${(instant - MONDAY) / HOUR}`;
          expectEqual([...new Set(actual)].sort(), [...new Set(expected)].sort(), label);
        }
      }),
      cases(250),
    );
  });
});

describe("the priority of an override", () => {
  /** Somebody on layer 1 whom a series of priority hides. */
  const hidden = event({ id: "hidden", who: "H", startAt: MONDAY, endAt: onDay(9) });
  const withPriorities = (one: number, two: number, over: OnCallEvent) => [
    { ...first, priority: one },
    { ...second, layer: 1, priority: two },
    hidden,
    over,
  ];

  it("is that of the version that counts when it begins, not its own", () => {
    const inSecond = override(4.5, 4.75, { priority: 1 });
    expect(days(withPriorities(1, 0, inSecond), 4.5, 4.75)).toEqual(["1 4..9 H", "1 4.5..4.75 X"]);
    const inFirst = override(3.5, 3.75, { parentId: "second" });
    expect(days(withPriorities(1, 0, inFirst), 3.5, 3.75)).toEqual(["1 3.5..3.75 X"]);
    const atBoundary = override(4, 4.5);
    expect(days(withPriorities(0, 1, atBoundary), 4, 4.5)).toEqual(["1 4..4.5 X"]);
    const beforeBoth = override(-1, -0.5, { priority: 0 });
    expect(days(withPriorities(1, 0, beforeBoth), -1, 0)).toEqual(["1 -1..-0.5 X"]);
  });

  it("is the same in all of its hours if it begins before a version of a higher one", () => {
    const over = override(3.5, 4.5);
    expect(days(withPriorities(0, 1, over), 3.5, 5)).toEqual([
      "1 0..4.5 H",
      "1 3.5..4.5 X",
      "1 4.5..5 C",
    ]);
  });

  it("is the same in all of its hours if it begins before a version of a lower one", () => {
    const over = override(3.5, 4.5);
    expect(days(withPriorities(1, 0, over), 3, 5)).toEqual([
      "1 3..3.5 B",
      "1 3.5..4.5 X",
      "1 4.5..9 H",
      "1 4.5..5 C",
    ]);
  });

  it("counts where the last shift of a version of a higher one runs on", () => {
    const [one, ...others] = withPriorities(1, 0, override(4.25, 4.5, { parentId: "second" }));
    const long = { ...first, ...one, endAt: onDay(1.75) };
    expect(days([long, ...others], 4, 5)).toEqual([
      "1 3..4.25 B",
      "1 4.25..4.5 H",
      "1 4.25..4.5 X",
      "1 4.5..4.75 B",
      "1 4.75..9 H",
      "1 4.75..5 C",
    ]);
  });
});

describe("an override of a series with priority, where that has no shift any more", () => {
  const ended = { ...first, priority: 1 };
  const hidden = event({ id: "hidden", who: "H", startAt: MONDAY, endAt: onDay(9) });

  it("hides others, and leaves its hours empty if it says so", () => {
    const over = override(5, 6);
    const nobody = { ...over, attendees: [], leavesEmpty: true };
    expect(days([ended, hidden, over], 5, 7)).toEqual(["1 5..6 X", "1 6..9 H"]);
    expect(days([ended, hidden, nobody], 5, 7)).toEqual(["1 6..9 H"]);
  });

  it("hides nobody once it has no people", () => {
    const left = override(5, 6, { attendees: [] });
    expect(days([ended, hidden, left], 5, 7)).toEqual(["1 4..9 H"]);
  });

  it("counts as long as the shifts that it hides, whatever its own priority is", () => {
    const [own, other] = [override(5, 6, { priority: 1 }), override(5, 6)];
    expect(activeUntil(other, [ended, other])).toBe(activeUntil(own, [ended, own]));
  });
});

describe("the next in line of an override", () => {
  const absence = away("04T00:00", "20T00:00", {
    ...{ accountUserId: "X", instead: "next_in_line", decidedAt: 100 },
  });
  const who = (events: readonly OnCallEvent[], from: number, to: number) =>
    onCallBetween(scheduleOf(events, [absence]), onDay(from), onDay(to))
      .filter(({ eventId }) => eventId === "override")
      .map(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId).join());

  it("is of the version that counts when it begins", () => {
    const isOneOf = (names: string) => expect.stringMatching(new RegExp(`^[${names}]$`));
    expect(who([...VERSIONS, override(3.25, 3.5, { parentId: "second" })], 3, 4)).toEqual([
      isOneOf("AB"),
    ]);
    expect(who([...VERSIONS, override(5.25, 5.5)], 5, 6)).toEqual([isOneOf("CD")]);
    expect(who([...VERSIONS, override(3.5, 4.5, { parentId: "second" })], 3, 5)).toEqual([
      isOneOf("AB"),
    ]);
  });

  it("is of that version in all of its hours, also where another absence splits it", () => {
    const own = override(3.5, 5, { attendees: people("WX") });
    const other = away("09T00:00", "09T06:00", {
      ...{ id: "other", accountUserId: "W", instead: "empty", decidedAt: 100, endAt: onDay(4.5) },
    });
    const entries = onCallBetween(
      scheduleOf([...VERSIONS, own], [{ ...other, startAt: onDay(4.25) }, absence]),
      onDay(3),
      onDay(5),
    ).filter(({ eventId }) => eventId === "override");
    for (const { attendees } of entries) {
      const names = attendees.map(({ attendeeId }) => attendeeId).filter((it) => it !== "W");
      expect(names).toEqual([expect.stringMatching(/^[AB]$/)]);
    }
  });
});

describe("a part of a shift beside an override of another version", () => {
  const over = override(3.5, 4.25);
  const inSeries = { event: second, series: [...VERSIONS, over], absences: [], past: [] };
  let made = 0;
  const newId = () => `new-${made++}`;

  it("is identified by its start, and can be removed by itself", () => {
    const shown = occurrenceAt(inSeries, onDay(4.25));
    expect(shown?.part).toMatchObject({ startAt: onDay(4.25), endAt: onDay(5) });
    if (!shown) return;
    const { event: left, added } = decidePartRemoval(second, shown, newId);
    expect(left).toBe(second);
    expect(added).toMatchObject([
      {
        ...{ seriesId: "first", parentId: "second", leavesEmpty: true, attendees: [] },
        ...{ startAt: onDay(4.25), endAt: onDay(5), repeat: false, beginsAt: null },
      },
    ]);
    expect(days([...VERSIONS, over, ...added], 3, 6)).toEqual([
      "1 3..3.5 B",
      "1 3.5..4.25 X",
      "2 5..6 D",
    ]);
  });

  it("of the override: gives its hours back to both versions", () => {
    const newer = override(3.75, 4, { id: "newer", createdAt: 11, attendees: people("Y") });
    const series = [...VERSIONS, over, newer];
    const shown = occurrenceAt({ ...inSeries, event: over, series }, onDay(4));
    expect(shown?.part).toMatchObject({ startAt: onDay(4), endAt: onDay(4.25) });
    if (!shown) return;
    const { event: left, added } = decidePartRemoval(over, shown, newId);
    expect([left?.startAt, left?.endAt, added]).toEqual([onDay(3.5), onDay(4), []]);
    expect(days([...VERSIONS, left ?? over, newer], 3, 5)).toEqual([
      "1 3..3.5 B",
      "1 3.5..3.75 X",
      "1 3.75..4 Y",
      "2 4..5 C",
    ]);
    const whole = occurrenceAt({ ...inSeries, event: over }, onDay(3.5));
    expect(whole && decidePartRemoval(over, whole, newId)).toEqual({ event: null, added: [] });
  });

  it("of a single shift: takes the shift, unless it is only a part of it", () => {
    const single = event({ id: "single", startAt: onDay(0), endAt: onDay(1) });
    const some = override(0.25, 0.5, { seriesId: "single", parentId: "single" });
    const shown = (series: readonly OnCallEvent[], at: number) =>
      occurrenceAt({ ...inSeries, event: single, series }, at);
    const whole = shown([single], onDay(0));
    expect(whole && decidePartRemoval(single, whole, newId)).toEqual({ event: null, added: [] });
    const part = shown([single, some], onDay(0.5));
    if (!part) throw new Error("no part begins there");
    const { event: left, added } = decidePartRemoval(single, part, newId);
    expect(left).toBe(single);
    expect(days([single, some, ...added], 0, 1)).toEqual(["1 0..0.25 A", "1 0.25..0.5 X"]);
  });
});
