/**
 * Rosters that are planned for later: they change as the present one does, move with their handoffs,
 * and the turns go on.
 */
import { describe, expect, it } from "vitest";
import { carryEdit } from "../../../../src/domain/oncall/changes/carry-over.ts";
import { decideFollowing } from "../../../../src/domain/oncall/changes/following-change.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import {
  nextOccurrence,
  type Occurrence,
} from "../../../../src/domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../../src/domain/oncall/recurrence/recurrence.ts";
import { peopleByPosition } from "../../../../src/domain/oncall/recurrence/rotation.ts";
import {
  changeRosters,
  lastPlannedDifference,
  plannedRosters,
} from "../../../../src/domain/oncall/rosters/planned-rosters.ts";
import {
  changeRoster,
  type NewRoster,
} from "../../../../src/domain/oncall/rosters/roster-change.ts";
import { differenceOf } from "../../../../src/domain/oncall/rosters/roster-difference.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { at, event, FROM_START, people } from "../../../support/oncall/oncall-makers.ts";
import {
  pick,
  type Random,
  randomRoster,
  randomSeries,
  rosterOfLine,
} from "../../../support/oncall/roster-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CASES = sized(400, 20_000);
const PEOPLE = [..."ABCDEFGH"];

/** `AB - C`: a shared position, an empty one, and C's. */
const line = (text: string): string[][] =>
  text.split(" ").flatMap((it) => (it === "" ? [] : [it === "-" ? [] : [...it]]));

const textOf = (roster: NewRoster): string =>
  peopleByPosition(roster)
    .map((people) => people.join("") || "-")
    .join(" ");

function ids() {
  let made = 0;
  return () => `new-${made++}`;
}

/** A roster whose rows have ids of their own. */
const rosterOf = (text: string, rotation = true): NewRoster => {
  const roster = rosterOfLine(line(text), rotation);
  return { ...roster, attendees: roster.attendees.map((it, at) => ({ ...it, id: `row-${at}` })) };
};

describe("the difference between two rosters", () => {
  it.each([
    ["adds", "A B C", "A B C D", "A C", "A C D"],
    ["adds at the place of before", "A B C", "A B C D", "A B C Z", "A B C D Z"],
    ["adds at the beginning", "A B", "D A B", "A B Z", "D A B Z"],
    ["adds after whom it follows", "A B C", "A D B C", "C A B", "C A D B"],
    ["adds several", "A B", "A D E B", "A B Z", "A D E B Z"],
    ["removes", "A B C", "A C", "A B C Z", "A C Z"],
    ["removes from a shared position", "AB C", "A C", "ABZ C", "AZ C"],
    ["leaves those who join a position that it removes", "A B", "B", "AZ B", "Z B"],
    ["moves", "A B C", "C A B", "A B C Z", "C A B Z"],
    ["moves to the end", "A B C", "B C A", "A B C Z", "B C A Z"],
    ["adds nobody twice", "A B", "A B Z", "Z A B", "Z A B"],
    ["adds nobody twice in a shared position", "A B", "A BZ", "A B Z", "A B Z"],
    ["brings nobody back", "A B", "A B A", "B", "B"],
    ["replaces", "A B C", "A D C", "A B C Z", "A D C Z"],
    ["joins positions", "A B", "AB", "A B Z", "AB Z"],
    ["splits a position", "AB C", "A B C", "AB C Z", "A B C Z"],
    ["adds to a position whose people leave", "A B", "AX B", "B", "X B"],
    ["removes an empty position", "A - B", "A B", "A - B Z", "A B Z"],
    ["adds an empty position", "A B", "A - B", "A B Z", "A - B Z"],
    ["gives a second share", "A B", "A B A", "A B Z", "A B A Z"],
    ["leaves nobody", "A B", "B", "A", ""],
    ["is nothing", "A B", "A B", "Z", "Z"],
  ])("%s: %s to %s makes %s to %s", (_, from, to, planned, expected) => {
    const change = differenceOf(rosterOf(from), rosterOf(to), ids());
    expect(textOf(change(rosterOf(planned)))).toBe(expected);
    expect(textOf(change(rosterOf(from)))).toBe(to);
  });

  it("changes whether people take turns", () => {
    const change = differenceOf(rosterOf("A B"), rosterOf("A B", false), ids());
    const planned = change(rosterOf("AB Z - A"));
    expect([planned.rotation, textOf(planned)]).toEqual([false, "A B Z"]);
  });

  it("of random rosters: each row once, and exactly who is added and removed", () => {
    const random = randomGenerator();
    for (let run = 0; run < CASES; run++) {
      const [from, to, planned] = [0, 0, 0].map(() => randomRoster(random, PEOPLE)) as [
        NewRoster,
        NewRoster,
        NewRoster,
      ];
      const change = differenceOf(from, to, ids());
      const [had, has, was] = [from, to, planned].map(namesIn) as [string, string, string];
      const { attendees } = change(planned);
      const gone = [...had].filter((id) => !has.includes(id));
      const joins = [...has].filter((id) => !had.includes(id));
      const expected = new Set([...[...was].filter((id) => !gone.includes(id)), ...joins]);
      expect(new Set(attendees.map((it) => it.attendeeId)), `run ${run}`).toEqual(expected);
      expect(new Set(attendees.map(({ id }) => id)).size, `run ${run}`).toBe(attendees.length);
      const same = differenceOf(from, to, ids())(from);
      expect([same.rotation, shownOf(same)], `run ${run}`).toEqual([to.rotation, shownOf(to)]);
    }
  });
});

const namesIn = ({ attendees }: NewRoster): string =>
  [...new Set(attendees.map(({ attendeeId }) => attendeeId))].sort().join("");

/** Without rotation everybody has a position of their own, in any order. */
const shownOf = (roster: NewRoster): string => (roster.rotation ? textOf : namesIn)(roster);

const daily = event({
  frequencyUnit: "daily",
  start: "2026-11-02T09:00Z",
  end: "2026-11-03T09:00Z",
  who: "ABC",
  rotation: true,
});

/** Who serves the shifts that start in a window. */
function turns(series: OnCallEvent, from: number, count: number): string {
  const entries = onCallBetween(scheduleOf([series]), from, from + count * 40 * DAY);
  const starts = entries.filter(({ startAt }) => startAt >= from).slice(0, count);
  return starts.map((it) => it.attendees.map((one) => one.attendeeId).join("")).join(" ");
}

describe("a change of the people", () => {
  const without = (it: OnCallEvent) => changeRoster(it, rosterOf("A C"), at("2026-11-12T09:00Z"));

  it("applies to those who are planned, which else are dropped", () => {
    const planned = without(daily);
    const change = differenceOf(rosterOf("A B C"), rosterOf("A B C D"), ids());
    const changed = changeRosters(planned, at("2026-11-05T09:00Z"), change);
    expect(turns(changed, at("2026-11-04T09:00Z"), 13)).toBe("C D A B C D A B C D A C D");
    const dropped = changeRoster(planned, rosterOf("A B C D"), at("2026-11-05T09:00Z"));
    expect(plannedRosters(dropped, at("2026-11-06T09:00Z"))).toEqual([]);
    const now = at("2026-11-04T10:00Z");
    expect(lastPlannedDifference([planned], [changed], now)).toBe(at("2026-11-12T09:00Z"));
    expect(lastPlannedDifference([planned], [{ ...planned, layer: 2 }], now)).toBeNull();
    expect(lastPlannedDifference([planned], [], now)).toBeNull();
  });
});

function occurrenceAfter(series: OnCallEvent, from: number, steps: number): Occurrence | null {
  let found = nextOccurrence(seriesOf(series), from);
  for (let step = 0; found && step < steps; step++) {
    found = nextOccurrence(seriesOf(series), found.startAt + 1);
  }
  return found;
}

/** A series with people planned for several handoffs, and the instant before all of them. */
function withPlans(random: Random) {
  const { series, until } = randomSeries(random, PEOPLE);
  let planned: OnCallEvent = series;
  const first = occurrenceAfter(series, series.startAt, 2);
  for (let step = 0, from = first?.startAt ?? until; step < 3; step++) {
    const handoff = occurrenceAfter(series, from, 1 + Math.floor(random() * 4));
    if (!handoff) break;
    planned = changeRoster(planned, randomRoster(random, PEOPLE), handoff.startAt);
    from = handoff.startAt;
  }
  return { series: planned, from: first?.startAt ?? until };
}

const overlaps = (series: OnCallEvent): boolean =>
  (occurrenceAfter(series, series.startAt, 1)?.startAt ?? 0) < series.endAt;

/** Who serves the occurrences of a series when they start. */
function servedBy(series: OnCallEvent, from: number, count: number): readonly string[] {
  const found: string[] = [];
  for (let at = from; found.length < count; ) {
    const occurrence = nextOccurrence(seriesOf(series), at);
    if (!occurrence) break;
    const { startAt } = occurrence;
    const own = onCallBetween(scheduleOf([series]), startAt, startAt + 1).filter(
      (it) => it.startAt === startAt,
    );
    const who = own.flatMap((it) => it.attendees.map(({ attendeeId }) => attendeeId));
    found.push([...new Set(who)].sort().join(""));
    at = startAt + 1;
  }
  return found;
}

describe("planned handoffs", () => {
  it("move with the shifts from one on, and the turns stay", () => {
    const random = randomGenerator();
    for (let run = 0; run < CASES; run++) {
      const { series, from } = withPlans(random);
      const occurrence = occurrenceAfter(series, from, Math.floor(random() * 3));
      // Of shifts that overlap, those before are in the other event.
      if (!occurrence || overlaps(series)) continue;
      const by = pick(random, [-3 * HOUR, -HOUR, 0, HOUR, 5 * HOUR]);
      const { startAt, endAt } = occurrence;
      const edited = { ...series, startAt: startAt + by, endAt: endAt + by };
      const { after } = decideFollowing(series, occurrence, edited, "after", FROM_START);
      const expected = servedBy(series, startAt, 12);
      expect(servedBy(after, startAt + by, 12), `run ${run}`).toEqual(expected);
    }
  });

  it("move with all shifts", () => {
    const random = randomGenerator();
    for (let run = 0; run < CASES; run++) {
      const { series, from } = withPlans(random);
      const by = pick(random, [-3 * HOUR, -HOUR, HOUR, 5 * HOUR]);
      const { startAt, endAt } = series;
      const edited = { ...series, startAt: startAt + by, endAt: endAt + by };
      const after = carryEdit(series, edited, from - HOUR);
      expect(servedBy(after, from + by, 12), `run ${run}`).toEqual(servedBy(series, from, 12));
    }
  });

  it("stay where they are within a shift", () => {
    const midnight = at("2026-11-12T00:00Z");
    const planned = changeRoster(daily, rosterOf("A C"), midnight);
    const occurrence = occurrenceAfter(planned, at("2026-11-05T09:00Z"), 0) as Occurrence;
    const edited = {
      ...planned,
      startAt: occurrence.startAt - HOUR,
      endAt: occurrence.endAt - HOUR,
    };
    const { after } = decideFollowing(planned, occurrence, edited, "after", FROM_START);
    expect(plannedRosters(after, occurrence.startAt)).toMatchObject([{ at: midnight }]);
  });
});

describe("turns of a series that continues another one", () => {
  const monthly = {
    frequencyUnit: "monthly",
    start: "2026-01-15T02:30Z",
    end: "2026-02-15T02:30Z",
  };
  it.each<[string, Partial<OnCallEvent>, Parameters<typeof event>[0], by?: number]>([
    ["another layer", { layer: 2 }, {}],
    ["another number of days", { frequency: 2 }, {}],
    ["another unit", { frequencyUnit: "weekly" }, {}],
    ["hours", { frequencyUnit: "hourly", frequency: 12 }, {}],
    ["from hours on", { frequency: 36 }, { frequencyUnit: "hourly", frequency: 24 }],
    ["another number of weeks", { frequency: 2 }, { frequencyUnit: "weekly" }],
    ["another number of months", { frequency: 3 }, monthly as Parameters<typeof event>[0]],
    ["another day of the month", {}, monthly as Parameters<typeof event>[0], DAY],
    ["another zone", { timeZone: "Tokyo" }, {}],
    ["other hours", {}, {}, 5 * HOUR],
  ])("go on with %s, whoever joins before it begins", (_, change, rule, by = 0) => {
    const names = "ABCD";
    for (let nth = 1; nth < 6; nth++) {
      for (let place = 0; place <= names.length; place++) {
        const series = { ...event({ ...daily, ...rule }), attendees: people(names) };
        const occurrence = occurrenceAfter(series, series.startAt, nth) as Occurrence;
        const [startAt, endAt] = [occurrence.startAt + by, occurrence.endAt + by];
        const edited = { ...series, startAt, endAt, ...change };
        const { after } = decideFollowing(series, occurrence, edited, "after", FROM_START);
        const order = [...names].toSpliced(place, 0, "X");
        const changed = changeRoster(after, rosterOf(order.join(" ")), startAt - HOUR);
        const last = order.indexOf(names[(nth - 1) % names.length] ?? "");
        const expected = order.map((_it, step) => order[(last + 1 + step) % order.length]);
        expect(servedBy(changed, startAt, order.length), `${nth} ${place}`).toEqual(expected);
      }
    }
  });

  it("stay within a turn that was under way", () => {
    const weekdays = { frequencyUnit: "weekly", daysOfWeek: [1, 2, 3, 4, 5] } as const;
    const hours = { start: "2026-11-02T09:00Z", end: "2026-11-02T17:00Z", who: "ABC" };
    const series = event({ ...weekdays, ...hours, rotation: true });
    const wednesday = occurrenceAfter(series, at("2026-11-11T00:00Z"), 0) as Occurrence;
    const { startAt, endAt } = wednesday;
    const edited = { ...series, startAt, endAt, layer: 2 };
    const { after } = decideFollowing(series, wednesday, edited, "after", FROM_START);
    const changed = changeRoster(after, rosterOf("A X B C"), startAt - DAY);
    expect(servedBy(changed, startAt, 8).join(" ")).toBe("B B B C C C C C");
  });
});
