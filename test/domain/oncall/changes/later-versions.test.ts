// People of a series with a later version: the version changes likewise, and its turns go on.
import { expect, test } from "vitest";
import { decideFollowing } from "../../../../src/domain/oncall/changes/following-change.ts";
import {
  changeLaterVersions,
  versionsAfter,
  withoutEnd,
} from "../../../../src/domain/oncall/changes/later-versions.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { occurrencesStarting } from "../../../../src/domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../../src/domain/oncall/recurrence/recurrence.ts";
import { changeRoster } from "../../../../src/domain/oncall/rosters/roster-change.ts";
import { at, event, FROM_START, people } from "../../../support/oncall/oncall-makers.ts";

const DAY = 86_400_000;
const START = at("2026-03-02T09:00:00Z");
const day = (index: number) => START + index * DAY;
const newId = () => "row";

const first = event({
  ...{ id: "first", startAt: START, endAt: day(1), who: "ABC" },
  ...{ frequencyUnit: "daily", rotation: true },
});

/** From a day on a series has another layer, and other people if they are named. */
function split(series: OnCallEvent, index: number, id: string, who?: string) {
  const [occurrence] = occurrencesStarting(seriesOf(series), day(index), day(index) + 1);
  if (!occurrence) throw new Error("no occurrence");
  const { startAt, endAt } = occurrence;
  const attendees = who === undefined ? series.attendees : people(who);
  const edited = { ...series, startAt, endAt, attendees, layer: series.layer + 1 };
  const { before, after } = decideFollowing(series, occurrence, edited, id, FROM_START);
  if (!before) throw new Error("nothing before");
  return [before, after] as const;
}

const turns = (events: readonly OnCallEvent[], days: number) =>
  onCallBetween({ events, absences: [] }, START, day(days))
    .toSorted((one, other) => one.startAt - other.startAt)
    .map(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId).join(""))
    .join("");

/** The series after the people of its first version change. */
function change(
  series: readonly OnCallEvent[],
  who: string,
  from: number,
  replacesPlanned = false,
): readonly OnCallEvent[] {
  const [own] = series;
  if (own?.cutAt == null) throw new Error("nothing after");
  const was = withoutEnd(own);
  const roster = { rotation: true, attendees: people(who), emptyPositions: [] };
  const is = changeRoster(was, roster, from);
  const later = versionsAfter(series, own);
  const all = changeLaterVersions({ was, is, at: from, replacesPlanned }, own.cutAt, later, newId);
  const changed = new Map(all.map((it) => [it.id, it]));
  return [{ ...is, cutAt: own.cutAt }, ...later.map((it) => changed.get(it.id) ?? it)];
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
  const series = split(first, 4, "second", "ABX");
  const changed = change(series, "ABCD", day(2));
  expect(turns(changed, 4)).toBe("ABCD");
  const later = turns(changed, 12).slice(4);
  expect([...new Set(later)].sort().join("")).toBe("ABDX");
});

test("people that replace what is planned replace it there, too", () => {
  const series = split(first, 4, "second", "ABX");
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
