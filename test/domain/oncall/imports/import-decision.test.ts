// What a reading of a calendar changes, as tables and as properties of random readings.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideImport,
  type FeedShift,
  type ImportChanges,
  type ImportedShift,
} from "../../../../src/domain/oncall/imports/import-decision.ts";
import { sized } from "../../../support/generated/sizes.ts";

const NOW = 1_000;

/** `key start-end people[/layer]`: `a 10-20 AB`. */
function feed(...texts: readonly string[]): FeedShift[] {
  return texts.map((text) => {
    const [, key = "", start, end, people = "", layer = "1"] =
      /^(\S+) (\d+)-(\d+) ([A-Z]+)(?:\/(\d))?$/.exec(text) ?? [];
    return {
      key,
      startAt: Number(start),
      endAt: Number(end),
      timeZone: "Etc/UTC",
      layer: Number(layer),
      attendeeIds: [...people],
    };
  });
}

const stored = (...texts: readonly string[]): ImportedShift[] =>
  feed(...texts).map(({ timeZone: _, ...shift }, i) => ({ ...shift, eventId: `e${i}` }));

const written = ({ key, startAt, endAt, attendeeIds, layer }: Omit<FeedShift, "timeZone">) =>
  `${key} ${startAt}-${endAt} ${attendeeIds.join("")}${layer === 1 ? "" : `/${layer}`}`;

/** A decision as short texts. */
const shown = ({ added, changed, removed, ended }: ImportChanges) => [
  ...added.map((it) => `+ ${written(it)}`),
  ...changed.map(
    (it) => `~ ${it.eventId} ${written(it.shift)}${it.peopleChanged ? " people" : ""}`,
  ),
  ...removed.map((id) => `- ${id}`),
  ...ended.map((it) => `| ${it.eventId}${it.continuedBy ? ` > ${it.continuedBy.key}` : ""}`),
];

describe("a reading", () => {
  const cases: readonly [string, readonly string[], readonly string[], readonly string[]][] = [
    ["adds coming shifts", [], ["a 2000-3000 A"], ["+ a 2000-3000 A"]],
    ["adds a running shift from now on", [], ["a 500-3000 A"], ["+ a 1000-3000 A"]],
    ["adds no past shift", [], ["a 100-1000 A"], []],
    ["changes nothing that is the same", ["a 2000-3000 A"], ["a 2000-3000 A"], []],
    ["changes nothing of a running shift that is the same", ["a 500-3000 A"], ["a 400-3000 A"], []],
    ["ignores the order of people", ["a 2000-3000 AB"], ["a 2000-3000 BA"], []],
    ["moves a coming shift", ["a 2000-3000 A"], ["a 2500-3500 A"], ["~ e0 a 2500-3500 A"]],
    [
      "begins a shift now that moved before now",
      ["a 2000-3000 A"],
      ["a 500-3000 A"],
      ["~ e0 a 1000-3000 A"],
    ],
    [
      "removes a coming shift that moved into the past",
      ["a 2000-3000 A"],
      ["a 500-900 A"],
      ["- e0"],
    ],
    [
      "replaces people of a coming shift",
      ["a 2000-3000 A"],
      ["a 2000-3000 B"],
      ["~ e0 a 2000-3000 B people"],
    ],
    [
      "moves a coming shift to a layer",
      ["a 2000-3000 A"],
      ["a 2000-3000 A/2"],
      ["~ e0 a 2000-3000 A/2"],
    ],
    ["removes a coming shift that vanished", ["a 2000-3000 A"], [], ["- e0"]],
    ["removes a shift that begins now and vanished", ["a 1000-3000 A"], [], ["- e0"]],
    ["ends a running shift that vanished", ["a 500-3000 A"], [], ["| e0"]],
    ["lengthens a running shift", ["a 500-3000 A"], ["a 500-4000 A"], ["~ e0 a 500-4000 A"]],
    ["shortens a running shift", ["a 500-3000 A"], ["a 500-2000 A"], ["~ e0 a 500-2000 A"]],
    ["ends a running shift that has ended", ["a 500-3000 A"], ["a 500-900 A"], ["| e0"]],
    [
      "ends a running shift of other people",
      ["a 500-3000 A"],
      ["a 500-3000 B"],
      ["+ a 1000-3000 B", "| e0 > a"],
    ],
    [
      "ends a running shift on another layer",
      ["a 500-3000 A"],
      ["a 500-3000 A/2"],
      ["+ a 1000-3000 A/2", "| e0 > a"],
    ],
    [
      "ends a running shift that moved later",
      ["a 500-3000 A"],
      ["a 2000-4000 A"],
      ["+ a 2000-4000 A", "| e0 > a"],
    ],
    [
      "keeps a shift whose key changed",
      ["a 2000-3000 A"],
      ["b 2000-3000 A"],
      ["~ e0 b 2000-3000 A"],
    ],
    [
      "keeps a running shift whose key changed",
      ["a 500-3000 A"],
      ["b 400-3000 A"],
      ["~ e0 b 500-3000 A"],
    ],
    [
      "pairs keys before contents",
      ["a 2000-3000 A", "b 4000-5000 A"],
      ["b 2000-3000 A"],
      ["~ e1 b 2000-3000 A", "- e0"],
    ],
  ];
  test.each(cases)("%s", (_, before, after, expected) => {
    expect(shown(decideImport(stored(...before), feed(...after), NOW))).toEqual(expected);
  });
});

// ── Properties ──

let ids = 0;

/** The stored shifts after the changes, as the database has them. */
function apply(
  before: readonly ImportedShift[],
  { added, changed, removed, ended }: ImportChanges,
  now: number,
): ImportedShift[] {
  const changes = new Map(changed.map((it) => [it.eventId, it.shift]));
  const ends = new Set(ended.map(({ eventId }) => eventId));
  return [
    ...before
      .filter(({ eventId }) => !removed.includes(eventId))
      .map((it) => ({ ...it, ...changes.get(it.eventId) }))
      .map((it) => (ends.has(it.eventId) ? { ...it, endAt: now } : it)),
    ...added.map(({ timeZone: _, ...it }) => {
      ids += 1;
      return { ...it, eventId: `new ${ids}` };
    }),
  ];
}

const shift = fc.record({
  key: fc.constantFrom(..."abcdefgh"),
  startAt: fc.integer({ min: 0, max: 60 }),
  length: fc.integer({ min: 1, max: 30 }),
  layer: fc.constantFrom(1, 2),
  attendeeIds: fc.uniqueArray(fc.constantFrom("A", "B", "C"), { minLength: 1, maxLength: 3 }),
});

const calendar = fc.uniqueArray(shift, { maxLength: 8, selector: ({ key }) => key }).map((all) =>
  all.map(
    ({ length, ...it }): FeedShift => ({
      ...it,
      timeZone: "Etc/UTC",
      endAt: it.startAt + length,
    }),
  ),
);

/** Readings one after the other. */
const readings = fc.array(fc.record({ after: fc.integer({ min: 0, max: 12 }), calendar }), {
  minLength: 1,
  maxLength: 6,
});

type Duty = Pick<FeedShift, "startAt" | "endAt" | "layer" | "attendeeIds">;

/** Who is on call at an instant, by layer. */
const onCallAt = (shifts: readonly Duty[], at: number) =>
  [
    ...new Set(
      shifts
        .filter((it) => it.startAt <= at && at < it.endAt)
        .flatMap((it) => it.attendeeIds.map((person) => `${it.layer} ${person}`)),
    ),
  ].sort();

const timeline = (shifts: readonly Duty[], at: readonly number[]) =>
  at.map((it) => `${it}: ${onCallAt(shifts, it).join()}`).join("\n");

const instants = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

describe("any sequence of readings", () => {
  test("has from now on what the calendar has, and never changes who was on call before", () => {
    fc.assert(
      fc.property(readings, (all) => {
        let now = 0;
        let shifts: ImportedShift[] = [];
        for (const reading of all) {
          now += reading.after;
          const current = shifts.filter(({ endAt }) => endAt > now);
          const past = shifts.filter(({ endAt }) => endAt <= now);
          const changes = decideImport(current, reading.calendar, now);
          const after = [...past, ...apply(current, changes, now)];
          const before = instants(0, now);
          expect(timeline(after, before)).toEqual(timeline(shifts, before));
          const fromNow = instants(now, 95);
          expect(timeline(after, fromNow)).toEqual(timeline(reading.calendar, fromNow));
          shifts = after;
        }
      }),
      { numRuns: sized(200, 5_000) },
    );
  });

  test("changes nothing when the same calendar is read again, then or later", () => {
    fc.assert(
      fc.property(readings, calendar, fc.integer({ min: 0, max: 20 }), (all, last, later) => {
        let now = 0;
        let shifts: ImportedShift[] = [];
        const read = (feed: readonly FeedShift[]) => {
          const current = shifts.filter(({ endAt }) => endAt > now);
          const changes = decideImport(current, feed, now);
          shifts = apply(current, changes, now);
          return shown(changes);
        };
        for (const reading of all) {
          now += reading.after;
          read(reading.calendar);
        }
        read(last);
        expect(read(last)).toEqual([]);
        now += later;
        expect(read(last)).toEqual([]);
      }),
      { numRuns: sized(200, 5_000) },
    );
  });

  test("keeps the ids of shifts that the calendar keeps", () => {
    fc.assert(
      fc.property(calendar, calendar, (one, other) => {
        const first = apply([], decideImport([], one, 0), 0);
        const second = apply(first, decideImport(first, other, 0), 0);
        const idsOf = (shifts: readonly ImportedShift[]) =>
          new Map(shifts.map(({ key, eventId }) => [key, eventId]));
        const keysAfter = new Set(other.map(({ key }) => key));
        for (const [key, id] of idsOf(first)) {
          if (keysAfter.has(key)) expect(idsOf(second).get(key)).toBe(id);
        }
      }),
    );
  });
});
