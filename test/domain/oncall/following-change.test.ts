/**
 * Changes of a series from one of its occurrences on: hours, turns, overrides and exceptions are
 * preserved.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideFollowing,
  type FollowingChange,
  isUnchanged,
} from "../../../src/domain/oncall/changes/following-change.ts";
import { decidePartRemoval } from "../../../src/domain/oncall/changes/part-removal.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { occurrenceAt } from "../../../src/domain/oncall/recurrence/occurrence-at.ts";
import {
  nextOccurrence,
  type Occurrence,
} from "../../../src/domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../src/domain/oncall/recurrence/recurrence.ts";
import { nextPosition } from "../../../src/domain/oncall/recurrence/rotation.ts";
import { formatInstant, instantOf, localOf, zoneOf } from "../../../src/domain/shared/time.ts";
import { sized } from "../../support/generated/sizes.ts";
import { at, event, FROM_START, people } from "../../support/oncall/oncall-makers.ts";
import { anySeries, DAY, patience } from "../../support/oncall/oncall-random.ts";
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

/** Every event after a change, with ids where the caller assigns them. */
function allAfter(change: FollowingChange, overrides: readonly OnCallEvent[]): OnCallEvent[] {
  const { before, after, moved, plain, plainRests, movedRests, unserved } = change;
  const changed = new Map([...moved, ...plain].map((it) => [it.id, it]));
  const rests = [...plainRests, ...movedRests];
  return [
    ...(before ? [before] : []),
    after,
    ...overrides.filter(({ id }) => !unserved.includes(id)).map((it) => changed.get(it.id) ?? it),
    ...rests.map((rest, index) => ({ ...rest, id: `${rest.id} rest ${index}` })),
  ];
}

/** Who is on call on any layer, from each instant in [from, to) at which that changes. */
function peopleBetween(events: readonly OnCallEvent[], from: number, to: number): string[] {
  const entries = onCallBetween(scheduleOf(events), from, to);
  const edges = entries.flatMap(({ startAt, endAt }) => [startAt, endAt]);
  const instants = [...new Set([from, ...edges])].filter((it) => it >= from && it < to);
  const lines: string[] = [];
  let last = "";
  for (const instant of instants.sort((one, other) => one - other)) {
    const running = entries.filter((it) => it.startAt <= instant && instant < it.endAt);
    const who = new Set(running.flatMap((it) => it.attendees.map((one) => one.attendeeId)));
    const names = [...who].sort().join("");
    if (names !== last) lines.push(`${formatInstant(instant)} ${names}`);
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
  const overrideEvents = overrides.flatMap((it, index): OnCallEvent[] => {
    const occurrence = occurrenceNumber(withExceptions, it.nth);
    if (!occurrence) return [];
    const length = occurrence.endAt - occurrence.startAt;
    const startAt = Math.floor(occurrence.startAt + it.from * length);
    const endAt = startAt + Math.max(60_000, Math.floor(it.length * length));
    if (startAt >= occurrence.endAt || endAt <= occurrence.startAt) return [];
    const hours = { startAt, endAt, overriddenStartAt: occurrence.startAt };
    return [event({ id: `override-${index}`, parentId: "event", who: "D", layer: 3, ...hours })];
  });
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

/** The creation time of each override (ms); times are often equal. */
const anyAges = fc.array(fc.nat(3), { minLength: 4, maxLength: 4 });
/** The earlier override that each one overrides if they overlap in time; null: none. */
const anyParents = fc.array(fc.option(fc.nat(2)), { minLength: 4, maxLength: 4 });
/** Who has left the account since they served. */
const anyLeavers = fc.subarray(["A", "B", "C", "D", "E", "F", "G"]);

/** Overrides with a different person each; some override other overrides. */
function withParents(
  overrides: readonly OnCallEvent[],
  ages: readonly number[],
  parents: readonly (number | null)[],
): OnCallEvent[] {
  return overrides.map((override, index) => {
    const attendees = people("DEFG"[index] ?? "D");
    const own = { ...override, createdAt: ages[index] ?? 0, attendees };
    const parent = overrides[parents[index] ?? index];
    const isBelow = parent && overrides.indexOf(parent) < index;
    if (!isBelow || parent.endAt <= own.startAt || parent.startAt >= own.endAt) return own;
    return { ...own, parentId: parent.id, overriddenStartAt: parent.startAt };
  });
}

/** Which substitutes are on call from each instant at which that changes. */
function substitutesBetween(events: readonly OnCallEvent[], from: number, to: number): string[] {
  const serving = onCallBetween(scheduleOf(events), from, to).filter(({ attendees }) =>
    attendees.every(({ attendeeId }) => "DEFG".includes(attendeeId)),
  );
  const edges = new Set(serving.flatMap((it) => [it.startAt, it.endAt]));
  const lines: string[] = [];
  let last = "";
  for (const at of [...edges].sort((one, other) => one - other)) {
    const now = serving.filter((it) => it.startAt <= at && at < it.endAt);
    const who = new Set(now.flatMap((it) => it.attendees.map(({ attendeeId }) => attendeeId)));
    const names = [...who].sort().join("");
    if (names !== last) lines.push(`${formatInstant(at)} ${names}`);
    last = names;
  }
  return lines;
}

describe("a change of this and the following shifts", () => {
  it("preserves everyone's hours if only the layer changes", patience, () => {
    const cases = sized(60, 6_000);
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, overrides, occurrence } = built as NonNullable<typeof built>;
        const edited = { ...editedAt(series, occurrence), layer: 2 };
        const change = decideFollowing(series, overrides, occurrence, edited, "after", FROM_START);
        const window = windowOf(series, occurrence);
        expect(peopleBetween(allAfter(change, overrides), ...window)).toEqual(
          peopleBetween([series, ...overrides], ...window),
        );
        expect(change.plain).toEqual([]);
        expect(change.dropped).toEqual([]);
      }),
      { numRuns: cases },
    );
  });

  it("keeps each hour with its newest override if the hours change", patience, () => {
    const hours = fc.record({ start: fc.integer({ min: -8, max: 8 }), length: fc.nat(10) });
    fc.assert(
      fc.property(anyPlan, anyAges, anyParents, hours, (plan, ages, parents, by) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, occurrence } = built as NonNullable<typeof built>;
        const overrides = withParents(built?.overrides ?? [], ages, parents);
        const startAt = occurrence.startAt + by.start * HOUR;
        const edited = { ...series, startAt, endAt: startAt + (by.length + 1) * HOUR };
        const change = decideFollowing(series, overrides, occurrence, edited, "after", FROM_START);
        const window = windowOf(series, occurrence);
        expect(substitutesBetween(allAfter(change, overrides), ...window)).toEqual(
          substitutesBetween([series, ...overrides], ...window),
        );
      }),
      { numRuns: sized(80, 6_000) },
    );
  });

  it("keeps each hour with its newest override if a part is removed", patience, () => {
    fc.assert(
      fc.property(
        anyPlan,
        anyAges,
        anyParents,
        fc.nat(5),
        anyLeavers,
        (plan, ages, parents, nth, left) => {
          const built = build(plan);
          fc.pre(built !== null);
          const { series } = built as NonNullable<typeof built>;
          const overrides = withParents(built?.overrides ?? [], ages, parents);
          const occurrence = occurrenceNumber(series, nth);
          const shown = occurrence && occurrenceAt(series, overrides, occurrence.startAt);
          fc.pre(shown !== null);
          const { changed, added, unserved } = decidePartRemoval(
            series,
            overrides,
            shown as NonNullable<typeof shown>,
            new Set(left),
          );
          const replacements = new Map(changed.map((it) => [it.id, it]));
          const exceptions = [...series.exceptions, { id: "", startAt: occurrence?.startAt ?? 0 }];
          const after = [
            { ...series, exceptions },
            ...overrides
              .filter(({ id }) => !unserved.includes(id))
              .map((it) => replacements.get(it.id) ?? it),
            ...added.map((it, index) => ({ ...it, id: `${it.id} added ${index}` })),
          ];
          const before = [series, ...overrides];
          const [from, until] = windowOf(series, occurrence as Occurrence);
          expect(substitutesBetween(after, from, until)).toEqual(
            substitutesBetween(before, from, until),
          );
          const { part } = shown as NonNullable<typeof shown>;
          expect(peopleBetween(after, from, part.startAt)).toEqual(
            peopleBetween(before, from, part.startAt),
          );
          expect(peopleBetween(after, part.endAt, until)).toEqual(
            peopleBetween(before, part.endAt, until),
          );
          // Rows of people who are gone cannot be stored anew.
          const rests = added.filter(({ id }) => id === series.id);
          const named = rests.flatMap((it) => it.attendees.map(({ attendeeId }) => attendeeId));
          expect(named.filter((it) => left.includes(it))).toEqual([]);
        },
      ),
      { numRuns: sized(80, 6_000) },
    );
  });

  it("preserves everyone's hours if the layer changes twice", patience, () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(5), (plan, further) => {
        const built = build({ ...plan, overrides: [] });
        fc.pre(built !== null);
        const { series, occurrence } = built as NonNullable<typeof built>;
        const first = { ...editedAt(series, occurrence), layer: 2 };
        const change = decideFollowing(series, [], occurrence, first, "after", FROM_START);
        const next = occurrenceNumber(change.after, further);
        if (!next) return;
        const second = { ...editedAt(change.after, next), layer: 3 };
        const again = decideFollowing(change.after, [], next, second, "again", FROM_START);
        const events = [...(change.before ? [change.before] : []), ...allAfter(again, [])];
        const window = windowOf(series, occurrence);
        expect(peopleBetween(events, ...window)).toEqual(peopleBetween([series], ...window));
      }),
      { numRuns: sized(50, 3_000) },
    );
  });

  it("preserves turns and the hours of overrides if the hours change", patience, () => {
    fc.assert(
      fc.property(anyPlan, fc.constantFrom(-HOUR, HOUR, DAY / 2), (plan, by) => {
        const built = build(plan);
        fc.pre(built !== null);
        const { series, overrides, occurrence } = built as NonNullable<typeof built>;
        const zone = zoneOf(series.timeZone);
        const moved = (instant: number) => instantOf(zone, localOf(zone, instant) + by);
        const hours = { startAt: moved(occurrence.startAt), endAt: moved(occurrence.endAt) };
        fc.pre(hours.endAt > hours.startAt && hours.startAt > 0);
        const edited = { ...series, ...hours };
        const change = decideFollowing(series, overrides, occurrence, edited, "after", FROM_START);
        const all = allAfter(change, overrides);
        for (const override of overrides) {
          const { startAt, endAt } = override;
          const before = peopleBetween([override], startAt, endAt);
          const after = peopleBetween(
            all.filter((it) => it.attendees[0]?.attendeeId === "D"),
            startAt,
            endAt,
          );
          expect(after).toEqual(before);
        }
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

  it("is recognized as unchanged if nothing differs", patience, () => {
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
  return decideFollowing(series, [], occurrence, edited, "after", FROM_START);
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
