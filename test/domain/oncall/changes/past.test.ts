/** What a change of a series keeps of the past, what a correction takes away, and what is served by it. */
import { describe, expect, it } from "vitest";
import type { Absence } from "../../../../src/domain/oncall/absences/absence.ts";
import {
  type AddedPast,
  type ChangedSeries,
  correctPast,
  keepPast,
  type PlacedPast,
} from "../../../../src/domain/oncall/changes/keep-past.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween, servedBetween } from "../../../../src/domain/oncall/oncall.ts";
import { event, people } from "../../../support/oncall/oncall-makers.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 10 * DAY + 12 * HOUR;

/** A rotation of A, B and C by days, from day 0 on. */
const daily = event({
  ...{ id: "daily", who: "ABC", startAt: 0, endAt: DAY },
  ...{ frequencyUnit: "daily", rotation: true },
});
const override = (from: number, to: number, more: Partial<OnCallEvent> = {}): OnCallEvent => ({
  ...event({ id: "override", who: "D", startAt: from, endAt: to }),
  ...{ seriesId: "daily", parentId: "daily", createdAt: 1 },
  ...more,
});

/** Two versions of the series: from an instant on it is on layer 2. */
const onAnotherLayer = (at: number): readonly OnCallEvent[] => [
  { ...daily, cutAt: at },
  { ...daily, id: "on", beginsAt: at, layer: 2, createdAt: 2 },
];

const placed = (events: readonly OnCallEvent[], schedules: readonly string[] = ["x"]) => ({
  events,
  schedulesOf: new Map(events.map(({ id }) => [id, schedules])),
});

const changed = (
  before: readonly OnCallEvent[],
  after: readonly OnCallEvent[],
  more: Partial<ChangedSeries> = {},
): ChangedSeries => ({
  before: placed(before),
  after: placed(after),
  past: [],
  absences: [],
  ...more,
});

/** `x daily 0..10.5 daily` for each: the schedule, the series, the hours in days, and the events. */
const lines = (all: readonly AddedPast[]) =>
  all.map(
    ({ scheduleId, seriesId, startAt, endAt, events }) =>
      `${scheduleId} ${seriesId} ${startAt / DAY}..${endAt / DAY} ${events.map(({ id }) => id).join("+")}`,
  );

const kept = (change: ChangedSeries) => lines(keepPast(change, NOW));

describe("what a change keeps", () => {
  it.each<[string, ChangedSeries, readonly string[]]>([
    [
      "is nothing if it changes what is to come",
      changed([daily], [{ ...daily, cutAt: 11 * DAY }]),
      [],
    ],
    [
      "is nothing of what was made less than a minute ago",
      changed([{ ...daily, createdAt: NOW - 59_000 }], []),
      [],
    ],
    [
      "is nothing of what is made, also if it begins in the past",
      changed([], [{ ...daily, createdAt: NOW }]),
      [],
    ],
    [
      "is the series since it was made",
      changed([{ ...daily, createdAt: 4 * DAY }], []),
      ["x daily 4..10.5 daily"],
    ],
    [
      "is the series since the last time",
      changed([daily], [], {
        past: [
          {
            id: "1",
            scheduleId: "x",
            seriesId: "daily",
            startAt: 0,
            endAt: 9 * DAY,
            activeUntil: 9 * DAY,
            events: [],
          },
        ],
      }),
      ["x daily 9..10.5 daily"],
    ],
    [
      "is what is not kept already",
      changed([daily], [], {
        past: [2, 6].map((day) => ({
          ...{ id: `${day}`, scheduleId: "x", seriesId: "daily", events: [] },
          ...{ startAt: day * DAY, endAt: (day + 1) * DAY, activeUntil: (day + 1) * DAY },
        })),
      }),
      ["x daily 0..2 daily", "x daily 3..6 daily", "x daily 7..10.5 daily"],
    ],
    [
      "is in the schedules that it concerns",
      { ...changed([], []), before: placed([daily], ["x", "y"]), after: placed([daily], ["y"]) },
      ["x daily 0..10.5 daily"],
    ],
    [
      "has the overrides of these hours",
      changed(
        [daily, override(2 * DAY, 3 * DAY), override(20 * DAY, 21 * DAY, { id: "later" })],
        [],
      ),
      ["x daily 0..10.5 daily+override"],
    ],
    [
      "is that a series was not there that goes on from the past",
      changed(
        [daily],
        [
          { ...daily, cutAt: 5 * DAY },
          { ...daily, id: "on", seriesId: "on", beginsAt: 5 * DAY, layer: 2, createdAt: NOW },
        ],
      ),
      ["x daily 0..10.5 daily", "x on 0..10.5 "],
    ],
    [
      "is once a series that goes on as another version from the past",
      changed([daily], onAnotherLayer(5 * DAY)),
      ["x daily 0..10.5 daily"],
    ],
    [
      "is nothing if a series goes on as another version from now",
      changed([daily], onAnotherLayer(NOW)),
      [],
    ],
    [
      "has all versions, and an override over both",
      changed([...onAnotherLayer(5 * DAY), override(4.5 * DAY, 5.5 * DAY)], []),
      ["x daily 0..10.5 daily+on+override"],
    ],
    [
      "is nothing if a version of hours to come is deleted, with its overrides",
      changed(
        [...onAnotherLayer(NOW), override(9 * DAY, NOW), override(20 * DAY, 21 * DAY, { id: "2" })],
        [{ ...daily, cutAt: NOW }, override(9 * DAY, NOW)],
      ),
      [],
    ],
    [
      "is nothing if people move to another series in the same hours",
      changed(
        [daily],
        [
          { ...daily, cutAt: 5 * DAY },
          { ...daily, id: "on", seriesId: "on", beginsAt: 5 * DAY, createdAt: NOW },
        ],
      ),
      [],
    ],
    [
      "begins with the change that is undone",
      changed([daily], [], { keptFrom: 7 * DAY }),
      ["x daily 7..10.5 daily"],
    ],
  ])("%s", (_, change, expected) => {
    expect(kept(change)).toEqual(expected);
  });

  it("affects who is on call until the shift that runs on has ended", () => {
    const [row] = keepPast(changed([daily], [{ ...daily, frequency: 2 }]), NOW);
    expect(row?.activeUntil).toBe(11 * DAY);
  });
});

describe("what a correction takes away", () => {
  const past: PlacedPast = {
    ...{ id: "1", scheduleId: "x", seriesId: "daily", startAt: 0, endAt: 9 * DAY },
    ...{ activeUntil: 9 * DAY, events: [daily] },
  };
  const corrected = (before: readonly OnCallEvent[], after: readonly OnCallEvent[]) => {
    const { added, corrected } = correctPast(changed(before, after, { past: [past] }), NOW);
    return [corrected, lines(added)];
  };
  const present = { ...daily, layer: 2 };

  it.each<[string, readonly OnCallEvent[], readonly unknown[]]>([
    ["nothing by a change of what is to come", [{ ...present, cutAt: 11 * DAY }], [[], []]],
    ["everything by a deletion", [], [["1"], []]],
    [
      "the hours of an override",
      [present, override(2 * DAY, 3 * DAY, { layer: 2 })],
      [["1"], ["x daily 0..2 daily", "x daily 3..9 daily"]],
    ],
    [
      "all from the first difference on",
      [{ ...present, cutAt: 3 * DAY }],
      [["1"], ["x daily 0..3 daily"]],
    ],
  ])("is %s", (_, after, expected) => {
    expect(corrected([present], after)).toEqual(expected);
  });
});

describe("who was on call", () => {
  const pastOf = (events: readonly OnCallEvent[], startAt: number, endAt: number) => ({
    ...{ id: `${startAt}`, seriesId: "daily", startAt, endAt, events },
  });
  const shown = (entries: ReturnType<typeof servedBetween>) =>
    entries.map(
      ({ startAt, endAt, layer, attendees }) =>
        `${layer} ${startAt / DAY}..${endAt / DAY} ${attendees.map((it) => it.attendeeId).join("")}`,
    );

  it("is as it was then, whole where nothing changed, and the same in every window", () => {
    const live = { ...daily, frequency: 2 };
    const schedule = { events: [live], absences: [], past: [pastOf([daily], 8 * DAY, NOW)] };
    const all = shown(onCallBetween(schedule, 6 * DAY, 13 * DAY));
    expect(all).toEqual([
      "1 6..7 A",
      "1 8..9 C",
      "1 9..10 A",
      "1 10..10.5 B",
      "1 10.5..11 C",
      "1 12..13 A",
    ]);
    for (let from = 6 * DAY; from < 13 * DAY; from += 7 * HOUR) {
      const some = shown(onCallBetween(schedule, from, from + HOUR));
      expect(all).toEqual(expect.arrayContaining(some));
    }
    const same = { events: [daily], absences: [], past: [pastOf([daily], 8 * DAY, NOW)] };
    expect(shown(onCallBetween(same, 10 * DAY, 11 * DAY))).toEqual(["1 10..11 B"]);
  });

  it("is by the override and the version of then, also where the series has other versions now", () => {
    const now = onAnotherLayer(7 * DAY);
    const past = [pastOf([daily, override(8 * DAY, 9 * DAY)], 6 * DAY, NOW)];
    expect(shown(onCallBetween({ events: now, absences: [], past }, 6 * DAY, 12 * DAY))).toEqual([
      "1 6..7 A",
      "1 7..8 B",
      "1 8..9 D",
      "1 9..10 A",
      "1 10..10.5 B",
      "2 10.5..11 B",
      "2 11..12 C",
    ]);
    const over = [...now, override(9.5 * DAY, 11.5 * DAY, { id: "over" })];
    const entries = shown(onCallBetween({ events: over, absences: [], past }, 9 * DAY, 12 * DAY));
    expect(entries).toEqual(["1 9..10 A", "1 10..10.5 B", "1 10.5..11.5 D", "2 11.5..12 C"]);
  });

  it("hides others by the priority of then", () => {
    const others = event({ id: "others", who: "E", startAt: 0, endAt: 12 * DAY });
    const before = { ...daily, priority: 1 };
    const past = [pastOf([before], 9 * DAY, NOW)];
    expect(
      shown(onCallBetween({ events: [others], absences: [], past }, 8 * DAY, 12 * DAY)),
    ).toEqual(["1 0..9 E", "1 9..10 A", "1 10..10.5 B", "1 10.5..12 E"]);
  });

  it("is by absences who was next in the line of then", () => {
    const absence: Absence = {
      ...{
        id: "absence",
        accountUserId: "A",
        startAt: 0,
        endAt: 12 * DAY,
        instead: "next_in_line",
      },
      ...{ coveringAccountUserId: null, scheduleIds: null, decidedAt: 0 },
    };
    const was = { ...daily, attendees: people("AB") };
    const live = { ...daily, attendees: people("AE") };
    const schedule = { events: [live], absences: [absence], past: [pastOf([was], 9 * DAY, NOW)] };
    expect(shown(servedBetween(schedule, 10 * DAY, 13 * DAY))).toEqual([
      "1 10..10.5 B",
      "1 10.5..11 E",
      "1 11..12 E",
      "1 12..13 A",
    ]);
  });
});
