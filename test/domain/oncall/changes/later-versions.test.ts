// A series with a later version: its people change likewise, and its turns go on, whichever version changes.
import { describe, expect, test } from "vitest";
import { decideFollowing } from "../../../../src/domain/oncall/changes/following-change.ts";
import {
  changeLaterVersions,
  versionsAfter,
} from "../../../../src/domain/oncall/changes/later-versions.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { occurrencesStarting } from "../../../../src/domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../../src/domain/oncall/recurrence/recurrence.ts";
import { effectiveInstant } from "../../../../src/domain/oncall/rosters/effective-at.ts";
import { changeRoster } from "../../../../src/domain/oncall/rosters/roster-change.ts";
import { at, event, FROM_START, people } from "../../../support/oncall/oncall-makers.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = at("2026-03-02T09:00:00Z");
const day = (index: number) => START + index * DAY;
const newId = () => "row";

const first = event({
  ...{ id: "first", startAt: START, endAt: day(1), who: "ABC" },
  ...{ frequencyUnit: "daily", rotation: true },
});

/** What is other from a day on; `by`: how much later its shifts begin and end (ms). */
type Other = { readonly who?: string; readonly by?: number; readonly frequency?: number };

/** From a day on a series has another layer, and what else is named. */
function split(series: OnCallEvent, index: number, id: string, other: Other = {}) {
  const [occurrence] = occurrencesStarting(seriesOf(series), day(index), day(index) + 1);
  if (!occurrence) throw new Error("no occurrence");
  const { who, by = 0, frequency = series.frequency } = other;
  const attendees = who === undefined ? series.attendees : people(who);
  const moved = { startAt: occurrence.startAt + by, endAt: occurrence.endAt + by, frequency };
  const edited = { ...series, ...moved, attendees, layer: series.layer + 1 };
  const { before, after } = decideFollowing(series, occurrence, edited, id, FROM_START);
  if (!before) throw new Error("nothing before");
  return [before, after] as const;
}

const turns = (events: readonly OnCallEvent[], days: number) =>
  onCallBetween({ events, absences: [] }, START, day(days))
    .toSorted((one, other) => one.startAt - other.startAt)
    .map(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId).join(""))
    .join("");

/** The series after its first version is another one from a day on. */
function splitFirst(series: readonly OnCallEvent[], index: number, id: string, other: Other) {
  const [own] = series;
  if (!own) throw new Error("no version");
  const [before, is] = split(own, index, id, other);
  const change = { was: own, is, at: day(index), replacesPlanned: false };
  const later = versionsAfter(series, own);
  const changed = new Map(changeLaterVersions(change, later, newId).map((it) => [it.id, it]));
  return [before, is, ...later.map((it) => changed.get(it.id) ?? it)] as const;
}

/** The series after the people of its first version change. */
function change(
  series: readonly OnCallEvent[],
  who: string,
  from: number,
  replacesPlanned = false,
): readonly OnCallEvent[] {
  const [own] = series;
  if (own?.cutAt == null) throw new Error("nothing after");
  const roster = { rotation: true, attendees: people(who), emptyPositions: [] };
  const is = { ...changeRoster({ ...own, cutAt: null }, roster, from), cutAt: own.cutAt };
  const later = versionsAfter(series, own);
  const all = changeLaterVersions({ was: own, is, at: from, replacesPlanned }, later, newId);
  const changed = new Map(all.map((it) => [it.id, it]));
  return [is, ...later.map((it) => changed.get(it.id) ?? it)];
}

test.each<[string, string, number, string]>([
  ["who joins is in the next version, too", "ABCD", 2, "ABCDABCDABCD"],
  ["who leaves leaves it, and nobody has two turns on end", "AC", 1, "ACACACACACAC"],
  ["a change for the instant at which it begins", "ABD", 4, "ABCABDABDABD"],
])("%s", (_, who, from, expected) => {
  const series = split(first, 4, "second");
  expect(turns(series, 12)).toBe("ABCABCABCABC");
  expect(turns(change(series, who, day(from)), 12)).toBe(expected);
});

test("each of several versions goes on with the one before", () => {
  const [one, rest] = split(first, 4, "second");
  const [two, three] = split(rest, 7, "third");
  const changed = change([one, two, three], "AC", day(1));
  expect(changed.map(({ layer }) => layer)).toEqual([1, 2, 3]);
  expect(turns(changed, 12)).toBe("ACACACACACAC");
});

test("people whom only the later version has stay in it", () => {
  const series = split(first, 4, "second", { who: "ABX" });
  const changed = change(series, "ABCD", day(2));
  expect(turns(changed, 4)).toBe("ABCD");
  const later = turns(changed, 12).slice(4);
  expect([...new Set(later)].sort().join("")).toBe("ABDX");
});

test("people that replace what is planned replace it there, too", () => {
  const series = split(first, 4, "second", { who: "ABX" });
  expect(turns(change(series, "CB", day(3), true), 12)).toBe("ABCBCBCBCBCB");
});

test("a change within the time of the later version leaves what comes before", () => {
  const series = split(first, 4, "second");
  const changed = change(series, "AB", day(6));
  expect(turns(changed, 6)).toBe("ABCABC");
  expect(turns(changed, 12).slice(6)).toBe("ABABAB");
});

test("a version that has begun changes from then on, also by the one before", () => {
  const series = split(first, 4, "second");
  const changed = change(series, "ABCD", day(8));
  expect(turns(changed, 8)).toBe("ABCABCAB");
  expect(turns(changed, 16).slice(8)).toBe("CDABCDAB");
});

// Days 0 to 3 are A B C A. Every second day from day 4 on: 4 B, 6 C; on day 8, every day again, it is A's turn. Without
// the days 5 and 7 it was C's: C would have two turns on end, and A none.
test("turns go on from a version with another frequency that is made before a later one", () => {
  const series = split(first, 8, "last");
  expect(turns(series, 12)).toBe("ABCABCABCABC");
  const changed = splitFirst(series, 4, "between", { frequency: 2 });
  expect(turns(changed, 8)).toBe("ABCABC");
  expect(turns(changed, 12).slice(6)).toBe("ABCA");
});

// On day 9 the version between has no shift, so the later one begins with the turn after that of day 8.
test("turns go on where the later version begins between two shifts of the one before", () => {
  const changed = splitFirst(split(first, 9, "last"), 4, "between", { frequency: 2 });
  expect(turns(changed, 9)).toBe("ABCABCA");
  expect(turns(changed, 12).slice(7)).toBe("BCA");
  const without = change(changed.slice(1), "AB", day(6));
  expect(turns(without, 14)).toBe("BA".repeat(4));
});

test("a later version that goes on as before stays as it is", () => {
  const series = split(first, 8, "last");
  const [, , last] = splitFirst(series, 4, "between", {});
  expect(last).toBe(series[1]);
});

// Who leaves from a shift on is not on call again when the next version begins.
test("people who change from a shift on change later versions, too", () => {
  const series = split(first, 8, "last");
  expect(turns(splitFirst(series, 4, "between", { who: "AB" }), 12)).toBe("ABCABABABABA");
  expect(turns(splitFirst(series, 4, "between", { who: "ABCD" }), 12)).toBe("ABCABCDABCDA");
});

describe("a version whose shifts begin three hours earlier", () => {
  const EARLIER = -3 * HOUR;
  const [own, later] = split(first, 4, "second", { by: EARLIER });
  const series = [own, later];
  const start = day(4) + EARLIER;
  const who = (events: readonly OnCallEvent[], instant: number) =>
    [
      ...new Set(
        onCallBetween({ events, absences: [] }, instant, instant + 1).flatMap(({ attendees }) =>
          attendees.map(({ attendeeId }) => attendeeId),
        ),
      ),
    ]
      .sort()
      .join("");

  // Day 3 is A's until 09:00, and from 06:00 on B has the first earlier shift. That is when the turn changes: at
  // 09:00, as the old hours have it, B would be on call for the three hours until then.
  test("begins with the next handoff, by which who leaves is not on call any more", () => {
    const handoff = effectiveInstant(own, "next_handoff", day(3) + HOUR, [later]);
    expect(handoff).toBe(start);
    const changed = change(series, "A", handoff);
    expect([who(series, start), who(changed, start), who(changed, day(4))]).toEqual([
      "AB",
      "A",
      "A",
    ]);
  });

  test("has the handoffs that follow, also of people who change by the version before", () => {
    expect(effectiveInstant(own, "next_handoff", day(6), [later])).toBe(day(7) + EARLIER);
    // Day 3 is A's; the rotation is full with C, who has day 5.
    expect(effectiveInstant(own, "after_full_rotation", day(3), [later])).toBe(day(6) + EARLIER);
  });

  test("keeps an instant that is named in the hours that are new", () => {
    const at = start + HOUR;
    const changed = change(series, "A", at);
    expect([who(changed, start), who(changed, at), who(changed, day(5))]).toEqual(["AB", "A", "A"]);
  });
});

test("the handoffs of a version with another frequency are its own", () => {
  const [own, later] = split(first, 4, "second", { frequency: 2 });
  expect(effectiveInstant(own, "next_handoff", day(3), [later])).toBe(day(4));
  expect(effectiveInstant(own, "next_handoff", day(4), [later])).toBe(day(6));
  // B has day 4 and C day 6.
  expect(effectiveInstant(own, "after_full_rotation", day(3), [later])).toBe(day(8));
});
