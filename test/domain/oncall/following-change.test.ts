/**
 * Changes of a series from one of its occurrences on: hours, turns and exceptions are preserved, and
 * who serves in overrides is the same.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideFollowing,
  type FollowingChange,
  isUnchanged,
} from "../../../src/domain/oncall/changes/following-change.ts";
import { decidePartRemoval } from "../../../src/domain/oncall/changes/part-removal.ts";
import { runningAlong } from "../../../src/domain/oncall/intervals.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { type OnCallEntry, onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { occurrenceAt } from "../../../src/domain/oncall/recurrence/occurrence-at.ts";
import {
  nextOccurrence,
  type Occurrence,
} from "../../../src/domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../src/domain/oncall/recurrence/recurrence.ts";
import { nextPosition } from "../../../src/domain/oncall/recurrence/rotation.ts";
import { formatInstant, instantOf, localOf, zoneOf } from "../../../src/domain/shared/time.ts";
import { expectEqual } from "../../support/generated/expect-equal.ts";
import { sized } from "../../support/generated/sizes.ts";
import { at, event, FROM_START, people } from "../../support/oncall/oncall-makers.ts";
import { anySeries, DAY } from "../../support/oncall/oncall-random.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;

/** `AB - C`: a shared position, an empty one, and C's. */
const positions = (text: string): string[][] =>
  text.split(" ").flatMap((it) => (it === "" ? [] : [it === "-" ? [] : [...it]]));

/** The n-th occurrence, or the last one if there are fewer; null if there is none. */
function occurrenceNumber(series: OnCallEvent, n: number): Occurrence | null {
  let found = nextOccurrence(seriesOf(series), series.startAt);
  for (let step = 0; found && step < n; step++) {
    const next = nextOccurrence(seriesOf(series), found.startAt + 1);
    if (!next) break;
    found = next;
  }
  return found;
}

/** The versions of the series after a change. */
const versionsAfter = ({ before, after }: FollowingChange): readonly OnCallEvent[] =>
  before ? [before, after] : [after];

/** Who is on call on any layer, from each instant in [from, to) at which that changes. */
function peopleBetween(events: readonly OnCallEvent[], from: number, to: number): string[] {
  const entries = onCallBetween(scheduleOf(events), from, to);
  const edges = entries.flatMap(({ startAt, endAt }) => [startAt, endAt]);
  const instants = [...new Set([from, ...edges])]
    .filter((it) => it >= from && it < to)
    .sort((one, other) => one - other);
  const lines: string[] = [];
  let last = "";
  for (const [i, running] of runningAlong(entries, instants).entries()) {
    const who = running.flatMap((it) => it.attendees.map((one) => one.attendeeId));
    const names = who.length < 2 ? (who[0] ?? "") : [...new Set(who)].sort().join("");
    if (names !== last) lines.push(`${formatInstant(instants[i] ?? from)} ${names}`);
    last = names;
  }
  return lines;
}

const anyPlan = fc.record({
  series: anySeries,
  /** Positions of the rotation: a person's letter, or `-` for an empty position. */
  positions: fc.array(fc.constantFrom("A", "B", "C", "-"), { minLength: 1, maxLength: 6 }),
  nth: fc.nat(12),
  exceptions: fc.array(fc.nat(20), { maxLength: 3 }),
  overrides: fc.array(
    fc.record({
      nth: fc.nat(20),
      from: fc.double({ min: -0.3, max: 0.9, noNaN: true }),
      length: fc.double({ min: 0.1, max: 1.4, noNaN: true }),
      /** How late it begins, in lengths of an occurrence: it may be where the series has none. */
      later: fc.constantFrom(0, 0, 0, 1, 2.5),
      who: fc.constantFrom("D", "E", "F", "DE", ""),
      leavesEmpty: fc.boolean(),
      createdAt: fc.nat(3),
      /** The earlier override that it was made by, if there is one; null: the series. */
      by: fc.option(fc.nat(2)),
    }),
    { maxLength: 4 },
  ),
});
type Plan = typeof anyPlan extends fc.Arbitrary<infer Value> ? Value : never;

/** A series with its overrides and the first changed occurrence; null if there is none. */
function build({ series, positions, nth, exceptions, overrides }: Plan) {
  const attendees = positions.flatMap((who, position) =>
    who === "-" ? [] : [{ ...people(who)[0], position }],
  ) as OnCallEvent["attendees"];
  const emptyPositions = positions.flatMap((who, position) => (who === "-" ? [position] : []));
  const whole = { ...series, attendees, emptyPositions };
  const removed = exceptions.flatMap((n, index) => {
    const occurrence = occurrenceNumber(whole, n);
    return occurrence ? [{ id: `removed-${index}`, startAt: occurrence.startAt }] : [];
  });
  const withExceptions = { ...whole, exceptions: removed };
  const overrideEvents: OnCallEvent[] = [];
  for (const { nth: of, from, length: lengths, later, by, ...fields } of overrides) {
    const occurrence = occurrenceNumber(withExceptions, of);
    if (!occurrence) continue;
    const length = occurrence.endAt - occurrence.startAt;
    const startAt = Math.floor(occurrence.startAt + (from + later) * length);
    const endAt = startAt + Math.max(60_000, Math.floor(lengths * length));
    const parentId = overrideEvents[by ?? overrides.length]?.id ?? "event";
    const id = `override-${overrideEvents.length}`;
    const belongs = { id, seriesId: "event", parentId };
    overrideEvents.push(event({ ...belongs, ...fields, layer: 3, startAt, endAt }));
  }
  const occurrence = occurrenceNumber(withExceptions, nth);
  return occurrence && attendees.length > 0
    ? { series: withExceptions, overrides: overrideEvents, occurrence }
    : null;
}

const editedAt = (series: OnCallEvent, { startAt, endAt }: Occurrence) => ({
  ...series,
  startAt,
  endAt,
});

/** A window around the change: up to 400 days after it, 20 for an hourly event. */
function windowOf(series: OnCallEvent, { startAt }: Occurrence) {
  const days = series.frequencyUnit === "hourly" ? 20 : 400;
  return [startAt - 40 * DAY, startAt + days * DAY] as const;
}

type Lines = readonly (readonly string[])[];

/** `3 override-0 DE` for each entry of each of some ascending instants, sorted. */
function linesAlong(entries: readonly OnCallEntry[], instants: readonly number[]): Lines {
  const lines = entries.map(({ startAt, endAt, layer, eventId, attendees }) => {
    const who = attendees.map(({ attendeeId }) => attendeeId).join("");
    return { startAt, endAt, line: [layer, eventId, who].join(" ") };
  });
  return runningAlong(lines, instants).map((all) => all.map(({ line }) => line).sort());
}

const isOfOverride = (line: string) => line.includes("override-");

/** `3 DE` for each entry of each instant, whatever its event, sorted. */
const peopleAlong = (entries: readonly OnCallEntry[], instants: readonly number[]): Lines =>
  linesAlong(
    entries.map((it) => ({ ...it, eventId: "" })),
    instants,
  );

/** Instants in a window at which something begins or ends, and just before; ascending. */
function instantsOf(
  [from, to]: readonly [number, number],
  ...all: readonly (readonly { readonly startAt: number; readonly endAt: number }[])[]
): readonly number[] {
  const edges = all
    .flat()
    .flatMap(({ startAt, endAt }) => [startAt, startAt - 1, endAt, endAt - 1]);
  return [...new Set([from, ...edges])]
    .filter((it) => it >= from && it < to)
    .sort((one, other) => one - other);
}

/**
 * Expects that versions of a series put on call, with overrides, whom these put on call by themselves
 * outside overrides, and in them the same substitutes as the versions before.
 */
function expectSameSubstitutes(
  before: readonly OnCallEvent[],
  after: readonly OnCallEvent[],
  overrides: readonly OnCallEvent[],
  window: readonly [number, number],
) {
  const between = (events: readonly OnCallEvent[]) => onCallBetween(scheduleOf(events), ...window);
  const [was, is, plain] = [
    between([...before, ...overrides]),
    between([...after, ...overrides]),
    between(after),
  ];
  const replacing = overrides.filter((it) => it.attendees.length > 0 || it.leavesEmpty);
  const instants = instantsOf(window, was, is, plain, overrides);
  const [wasLines, isLines, plainLines] = [was, is, plain].map((it) => linesAlong(it, instants));
  for (const [i, instant] of instants.entries()) {
    const lines = isLines?.[i] ?? [];
    const label = () => formatInstant(instant);
    expectEqual(lines.filter(isOfOverride), wasLines?.[i]?.filter(isOfOverride), label);
    const isReplaced = replacing.some((it) => it.startAt <= instant && instant < it.endAt);
    const own = lines.filter((it) => !isOfOverride(it));
    expectEqual(own, isReplaced ? [] : plainLines?.[i], label);
  }
}

describe("a change of this and the following shifts", () => {
  it("preserves everyone's hours if only the layer changes", () => {
    const cases = sized(60, 6_000);
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, overrides, occurrence } = built as NonNullable<typeof built>;
        const edited = { ...editedAt(series, occurrence), layer: 2 };
        const change = decideFollowing(series, occurrence, edited, "after", FROM_START);
        const window = windowOf(series, occurrence);
        expect(peopleBetween([...versionsAfter(change), ...overrides], ...window)).toEqual(
          peopleBetween([series, ...overrides], ...window),
        );
        expect(change.dropped).toEqual([]);
        expect(versionsAfter(change).map(({ seriesId, parentId }) => [seriesId, parentId])).toEqual(
          versionsAfter(change).map(() => [series.seriesId, null]),
        );
      }),
      { numRuns: cases },
    );
  });

  it("changes who is on call only where the series' own people change", () => {
    const rules = fc.record({
      start: fc.integer({ min: -8, max: 8 }),
      length: fc.nat(10),
      who: fc.constantFrom("ABC", "CA", "B"),
      layer: fc.constantFrom(1, 2, 3),
      further: fc.option(fc.nat(4)),
    });
    fc.assert(
      fc.property(anyPlan, rules, (plan, { start, length, who, layer, further }) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, overrides, occurrence } = built as NonNullable<typeof built>;
        const startAt = occurrence.startAt + start * HOUR;
        const hours = { startAt, endAt: startAt + (length + 1) * HOUR };
        const edited = { ...series, ...hours, layer, attendees: people(who), emptyPositions: [] };
        const change = decideFollowing(series, occurrence, edited, "after", FROM_START);
        const window = windowOf(series, occurrence);
        const versions = versionsAfter(change);
        expectSameSubstitutes([series], versions, overrides, window);
        const next = further === null ? null : occurrenceNumber(change.after, further);
        if (!next) return;
        const moved = {
          ...change.after,
          startAt: next.startAt + HOUR,
          endAt: next.endAt + 2 * HOUR,
        };
        const again = decideFollowing(change.after, next, moved, "again", FROM_START);
        const all = [...(change.before ? [change.before] : []), ...versionsAfter(again)];
        expectSameSubstitutes(versions, all, overrides, window);
      }),
      { numRuns: sized(80, 800) },
    );
  });

  it("has nobody of the series in a part that is removed, and else who was", () => {
    let removed = 0;
    fc.assert(
      fc.property(anyPlan, fc.nat(5), fc.nat(8), (plan, nth, which) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series: first, overrides, occurrence: at } = built as NonNullable<typeof built>;
        const change = decideFollowing(first, at, editedAt(first, at), "after", FROM_START);
        const versions = versionsAfter(change);
        const own = versions[nth % versions.length] ?? first;
        const occurrence = occurrenceNumber(own, nth);
        fc.pre(occurrence !== null);
        const series = [...versions, ...overrides];
        const { startAt, endAt } = occurrence as Occurrence;
        const inSeries = { event: own, series, absences: [], past: [] };
        const { parts = [] } = occurrenceAt(inSeries, startAt) ?? {};
        const shown = occurrenceAt(inSeries, parts[which % parts.length]?.startAt ?? -1);
        if (!shown) return;
        removed++;
        const { part } = shown;
        const { event: left, added } = decidePartRemoval(own, shown, () => "override-empty");
        const hours = { startAt: part.startAt, endAt: part.endAt };
        expect(left).toBe(own);
        expect(added).toMatchObject([
          { ...hours, seriesId: "event", parentId: own.id, attendees: [], leavesEmpty: true },
        ]);
        // The store makes it newer than every override of the series.
        const after = [...series, ...added.map((it) => ({ ...it, createdAt: 9 }))];
        const window = [startAt - 3 * DAY, endAt + 3 * DAY] as const;
        const was = onCallBetween(scheduleOf(series), ...window);
        const is = onCallBetween(scheduleOf(after), ...window);
        const instants = instantsOf(window, was, is, [part]);
        const [wasLines, isLines] = [was, is].map((it) => linesAlong(it, instants));
        for (const [i, instant] of instants.entries()) {
          const isInPart = part.startAt <= instant && instant < part.endAt;
          const expected = isInPart ? [] : wasLines?.[i];
          expectEqual(isLines?.[i], expected, () => formatInstant(instant));
        }
      }),
      { numRuns: sized(80, 6_000) },
    );
    expect(removed).toBeGreaterThan(10);
  });

  it("gives the hours of an override back if it, or a part of it, is removed", () => {
    let removed = 0;
    fc.assert(
      fc.property(anyPlan, fc.nat(3), fc.nat(8), (plan, which, nth) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series: own, overrides } = built as NonNullable<typeof built>;
        const override = overrides[which % overrides.length];
        if (!override) return;
        const series = [own, ...overrides];
        const inSeries = { event: override, series, absences: [], past: [] };
        const { parts = [] } = occurrenceAt(inSeries, override.startAt) ?? {};
        const shown = occurrenceAt(inSeries, parts[nth % parts.length]?.startAt ?? -1);
        if (!shown) return;
        removed++;
        const { part } = shown;
        let made = 0;
        // The store gives no two overrides of a series the same age; here the ids decide.
        const newId = () => `${override.id} rest ${made++}`;
        const { event: left, added } = decidePartRemoval(override, shown, newId);
        const others = series.filter((it) => it !== override);
        const after = [...others, ...(left ? [left] : []), ...added];
        const window = [override.startAt - 3 * DAY, override.endAt + 3 * DAY] as const;
        const instants = instantsOf(window, series, after, [part]);
        const [was, is, without] = [series, after, others].map((events) =>
          peopleAlong(onCallBetween(scheduleOf(events), ...window), instants),
        );
        for (const [i, instant] of instants.entries()) {
          const isInPart = part.startAt <= instant && instant < part.endAt;
          const expected = (isInPart ? without : was)?.[i];
          expectEqual(is?.[i], expected, () => formatInstant(instant));
        }
      }),
      { numRuns: sized(80, 6_000) },
    );
    expect(removed).toBeGreaterThan(10);
  });

  it("preserves everyone's hours if the layer changes twice", () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(5), (plan, further) => {
        const built = build({ ...plan, overrides: [] });
        fc.pre(built !== null);
        const { series, occurrence } = built as NonNullable<typeof built>;
        const first = { ...editedAt(series, occurrence), layer: 2 };
        const change = decideFollowing(series, occurrence, first, "after", FROM_START);
        const next = occurrenceNumber(change.after, further);
        if (!next) return;
        const second = { ...editedAt(change.after, next), layer: 3 };
        const again = decideFollowing(change.after, next, second, "again", FROM_START);
        const events = [...(change.before ? [change.before] : []), ...versionsAfter(again)];
        const window = windowOf(series, occurrence);
        expect(peopleBetween(events, ...window)).toEqual(peopleBetween([series], ...window));
      }),
      { numRuns: sized(50, 3_000) },
    );
  });

  it("preserves turns if the hours change", () => {
    fc.assert(
      fc.property(anyPlan, fc.constantFrom(-HOUR, HOUR, DAY / 2), (plan, by) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, occurrence } = built as NonNullable<typeof built>;
        const zone = zoneOf(series.timeZone);
        const moved = (instant: number) => instantOf(zone, localOf(zone, instant) + by);
        const hours = { startAt: moved(occurrence.startAt), endAt: moved(occurrence.endAt) };
        fc.pre(hours.endAt > hours.startAt && hours.startAt > 0);
        const edited = { ...series, ...hours };
        const change = decideFollowing(series, occurrence, edited, "after", FROM_START);
        const first = nextOccurrence(seriesOf(change.after), hours.startAt);
        const [previous] = onCallBetween(
          scheduleOf([series]),
          occurrence.startAt,
          occurrence.startAt + 1,
        ).filter((it) => it.startAt === occurrence.startAt);
        if (!first || series.daysOfWeek.length > 0 || first.startAt !== hours.startAt) return;
        const [current] = onCallBetween(
          scheduleOf([change.after]),
          first.startAt,
          first.startAt + 1,
        ).filter((it) => it.startAt === first.startAt);
        expect(current?.attendees[0]?.attendeeId).toBe(previous?.attendees[0]?.attendeeId);
      }),
      { numRuns: sized(60, 3_000) },
    );
  });

  it("is recognized as unchanged if nothing differs", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, occurrence } = built as NonNullable<typeof built>;
        expect(isUnchanged(series, occurrence, editedAt(series, occurrence))).toBe(true);
        const other = { ...editedAt(series, occurrence), layer: 9 };
        expect(isUnchanged(series, occurrence, other)).toBe(false);
      }),
      { numRuns: sized(50, 2_000) },
    );
  });
});

const monthly = event({
  frequencyUnit: "monthly",
  start: "2026-01-31T00:00Z",
  end: "2026-02-28T00:00Z",
  who: "AB",
  rotation: true,
});

function change(series: OnCallEvent, start: string, more: Partial<OnCallEvent>) {
  const occurrence = nextOccurrence(seriesOf(series), at(start));
  if (occurrence?.startAt !== at(start)) throw new Error(`none starts at ${start}`);
  const edited = { ...editedAt(series, occurrence), ...more };
  return decideFollowing(series, occurrence, edited, "after", FROM_START);
}

describe("a monthly shift on the 31st", () => {
  it("stays at the month's end if changed from a shorter month on", () => {
    const { after } = change(monthly, "2026-02-28T00:00Z", { layer: 2 });
    const starts = onCallBetween(
      scheduleOf([after]),
      at("2026-02-01T00:00Z"),
      at("2026-06-01T00:00Z"),
    );
    expect(starts.map(({ startAt }) => formatInstant(startAt).slice(0, 10))).toEqual([
      "2026-02-28",
      "2026-03-31",
      "2026-04-30",
      "2026-05-31",
    ]);
  });
});

describe("turns after a change of people", () => {
  const daily = event({
    frequencyUnit: "daily",
    start: "2026-03-02T00:00Z",
    end: "2026-03-03T00:00Z",
    who: "ABC",
    rotation: true,
  });
  const turns = (names: string, start: string) => {
    const { after } = change(daily, start, { attendees: people(names) });
    const entries = onCallBetween(scheduleOf([after]), at(start), at(start) + names.length * DAY);
    return entries.map(({ attendees }) => attendees[0]?.attendeeId).join("");
  };

  it.each([
    ["ABC", "2026-03-03T00:00Z", "BCA"],
    ["ABCD", "2026-03-03T00:00Z", "BCDA"],
    ["ABCD", "2026-03-05T00:00Z", "DABC"],
    ["AC", "2026-03-03T00:00Z", "CA"],
    ["BC", "2026-03-03T00:00Z", "BC"],
    ["CBA", "2026-03-03T00:00Z", "CBA"],
    ["ABAC", "2026-03-03T00:00Z", "BACA"],
    ["XY", "2026-03-03T00:00Z", "XY"],
  ])("continue if ABC becomes %s at %s: %s", (names, start, expected) => {
    expect(turns(names, start)).toBe(expected);
  });

  it.each([
    ["A B A C", "A B A C", 2, 3],
    ["A B A C", "A B A D C", 2, 3],
    ["A - B", "A - B", 0, 1],
    ["A B", "", 0, 0],
    ["AB C D", "AB D C", 0, 1],
    ["AB C D", "C A D", 0, 2],
    ["AB C D", "C D", 0, 0],
  ])("continue from %j in %j after position %i", (before, after, last, next) => {
    expect(nextPosition(positions(before), positions(after), last)).toBe(next);
  });
});
