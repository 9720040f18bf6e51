// The model's changes of people (contract 4, Rosters).
import {
  type Line,
  type ReferenceOccurrence,
  type ReferenceRoster,
  type Standing,
  walk,
} from "../../../support/oncall/roster-reference.ts";
import { DAY } from "./clock.ts";
import { occurrencesIn, type Series } from "./model.ts";

/** A word for an instant that depends on the turns, or an instant (epoch ms). */
export type When = "now" | "next_handoff" | "after_full_rotation" | number;

/** How far ahead occurrences are looked for. */
export const HORIZON = 500 * DAY;

const textOf = (line: Line) => JSON.stringify(line.map((it) => it.toSorted()));

export const isSameRoster = (one: ReferenceRoster, other: ReferenceRoster): boolean =>
  one.rotates === other.rotates && textOf(one.line) === textOf(other.line);

/** The people last named, also if they are only planned. */
export const newestRoster = ({ first, changes }: Series): ReferenceRoster =>
  changes.at(-1) ?? first;

/** Whose turn it is just before an instant. */
const standingAt = ({ first, changes, ...series }: Series, at: number): Standing =>
  walk(first, occurrencesIn({ first, changes, ...series }, at + HORIZON), changes, at).standing;

/**
 * When a change of people takes effect (epoch ms).
 *
 * @param later the versions after the series, in order: the next handoff may be theirs
 */
export function effectiveAt(
  series: Series,
  when: When,
  now: number,
  later: readonly Series[] = [],
): number {
  if (typeof when === "number") return when;
  const begun = later.findLastIndex((it) => occurrencesIn(it, now + 1).length > 0);
  const version = later[begun] ?? series;
  const all = turnsOf([version, ...later.slice(begun + 1)], now + HORIZON);
  const current = occurrencesIn(version, now + 1).at(-1);
  if (!current) return all[0]?.startAt ?? now;
  if (when === "now") return now;
  const { rotates, line, position } = standingAt(version, now + 1);
  // Everybody in the line in force has had a turn when its first position is next.
  const left = when === "after_full_rotation" && rotates ? line.length - 1 - position : 0;
  const next = all.find((it) => it.startAt > now && it.turn >= current.turn + 1 + left);
  return next?.startAt ?? Math.max(now, current.endAt);
}

/** The occurrences of versions that follow each other, with the turns of the first one. */
function turnsOf(versions: readonly Series[], until: number): ReferenceOccurrence[] {
  let ahead = 0;
  return versions.flatMap((it, index) => {
    const before = versions[index - 1];
    const own = occurrencesIn(it, until);
    if (before) ahead += turnAfter(before) - (own[0]?.turn ?? 0);
    return own.map((one) => ({ ...one, turn: one.turn + ahead }));
  });
}

/** The turn of a series, as if it went on, that the first one of its next version is. */
export function turnAfter(series: Series): number {
  const end = series.cutAt ?? 0;
  const all = occurrencesIn({ ...series, cutAt: null }, end + HORIZON);
  const last = all.findLast(({ startAt }) => startAt < end);
  return all.find(({ startAt }) => startAt >= end)?.turn ?? (last ? last.turn + 1 : 0);
}

/** New people from an instant on; what was planned for later is superseded. */
export function changePeople(series: Series, roster: ReferenceRoster, at: number): Series {
  const isUnbegun = (occurrencesIn(series, at + HORIZON)[0]?.startAt ?? at) >= at;
  // Nobody was to serve before, also not by a series that it continues.
  if (isUnbegun && series.begins === null) {
    return { ...series, first: { rotates: roster.rotates, line: roster.line }, changes: [] };
  }
  const kept = series.changes.filter((it) => it.at < at);
  const inForce = kept.at(-1) ?? series.first;
  const change = { rotates: roster.rotates, line: roster.line, at };
  return { ...series, changes: isSameRoster(inForce, roster) ? kept : [...kept, change] };
}

/**
 * `PUT` of the people; null: it does not say when. What was read, sent back, changes nothing.
 *
 * @param keepsPlans whether what is planned for later changes likewise, instead of being replaced
 */
export function putPeople(
  series: Series,
  line: Line,
  when: When | null,
  now: number,
  keepsPlans: boolean,
  later: readonly Series[] = [],
): Series {
  const newest = newestRoster(series);
  const roster = { rotates: newest.rotates, line };
  if (when === null && isSameRoster(newest, roster)) return series;
  const at = effectiveAt(series, when ?? (roster.rotates ? "next_handoff" : "now"), now, later);
  // It may be in the time of a later version.
  const open = later.length > 0 ? { ...series, cutAt: null } : series;
  const changed = { ...changePeople(open, roster, at), cutAt: series.cutAt };
  if (!keepsPlans) return changed;
  const { line: before } = series.changes.findLast((it) => it.at < at) ?? series.first;
  return series.changes
    .filter((it) => it.at > at)
    .reduce(
      (kept, plan) =>
        changePeople(kept, { ...plan, line: likewise(before, line, plan.line) }, plan.at),
      changed,
    );
}

/** A planned line without the people that a change takes out; whom it adds comes after those whom they follow in it. */
export function likewise(before: Line, after: Line, planned: Line): Line {
  const [old, now] = [before.flat(), after.flat()];
  const kept = planned.map((it) =>
    it.filter((person) => now.includes(person) || !old.includes(person)),
  );
  const left = kept.filter((it, index) => it.length > 0 || planned[index]?.length === 0);
  const isAdded = (person: string) => !old.includes(person) && !left.flat().includes(person);
  return after.reduce<Line>((line, position, index) => {
    const people = position.filter(isAdded);
    if (people.length === 0) return line;
    const ahead = after.slice(0, index).toReversed();
    const isIn = (one: readonly string[], other: readonly string[]) =>
      one.length === 0 ? other.length === 0 : one.some((person) => other.includes(person));
    const followed = ahead.find((it) => line.some((other) => isIn(it, other)));
    const at = line.findIndex((it) => followed !== undefined && isIn(followed, it));
    return line.toSpliced(at === -1 ? line.length : at + 1, 0, people);
  }, left);
}

/** A position that loses all its people is no longer part of the line. */
const withoutPerson = ({ rotates, line }: ReferenceRoster, person: string): ReferenceRoster => ({
  rotates,
  line: line.flatMap((people) => {
    const left = people.filter((it) => it !== person);
    return people.length > 0 && left.length === 0 ? [] : [left];
  }),
});

/** A person leaves a series from an instant on, and what is planned for later. */
export function leaveSeries(series: Series, person: string, at: number): Series {
  const planned = series.changes.filter((it) => it.at >= at);
  const inForce = series.changes.findLast((it) => it.at < at) ?? series.first;
  const left = changePeople(series, withoutPerson(inForce, person), at);
  return planned.reduce(
    (changed, it) => changePeople(changed, withoutPerson(it, person), it.at),
    left,
  );
}

/** Whether a person is in a series now or later. */
export const isIn = ({ first, changes }: Series, person: string, now: number): boolean =>
  [changes.findLast(({ at }) => at <= now) ?? first, ...changes.filter(({ at }) => at > now)]
    .flatMap(({ line }) => line.flat())
    .includes(person);
