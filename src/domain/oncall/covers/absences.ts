/**
 * When people are unavailable, for rotations that skip who is: the next in line who is available
 * serves their hours. Pure.
 */

import type { OnCallEvent } from "../on-call-event.ts";
import { type Interval, subtractIntervals } from "../override-precedence.ts";
import { rosterAt, takesTurns } from "../rosters/serving.ts";
import type { Cover } from "./cover.ts";
import type { ServedSegment } from "./served-segments.ts";

/** A time [startAt, endAt), in epoch ms, in which a person is away. */
export type TimeAway = Interval & { readonly accountUserId: string };

/** All times in which a person is unavailable: disjoint, by start; at least one. */
export type Absence = { readonly accountUserId: string; readonly hours: readonly Interval[] };

/** The absences of people, each once, by person: times that overlap or touch are one. */
export function absencesOf(times: readonly TimeAway[]): readonly Absence[] {
  const byPerson = Map.groupBy(times, ({ accountUserId }) => accountUserId);
  return [...byPerson.keys()].sort().map((accountUserId) => ({
    accountUserId,
    hours: joined(byPerson.get(accountUserId) ?? []),
  }));
}

function joined(times: readonly Interval[]): readonly Interval[] {
  const hours: Interval[] = [];
  for (const { startAt, endAt } of times.toSorted((one, other) => one.startAt - other.startAt)) {
    const last = hours.at(-1);
    if (last && startAt <= last.endAt) {
      hours[hours.length - 1] = { startAt: last.startAt, endAt: Math.max(last.endAt, endAt) };
    } else hours.push({ startAt, endAt });
  }
  return hours;
}

export const timesAway = (absences: readonly Absence[]): readonly TimeAway[] =>
  absences.flatMap(({ accountUserId, hours }) => hours.map((it) => ({ ...it, accountUserId })));

/** Whether a series may skip who is unavailable. */
export const skipsUnavailable = (series: OnCallEvent): boolean =>
  series.skipUnavailable === true && takesTurns(series);

/** Whether it does at an instant (epoch ms): only a rotation has somebody next in line. */
export const skipsUnavailableAt = (series: OnCallEvent, at: number): boolean =>
  skipsUnavailable(series) && rosterAt(series, at).rotation;

/** Whether an override exists because a rotation skips who is unavailable. */
export const isSkip = ({ absentAccountUserId, parentId }: OnCallEvent): boolean =>
  Boolean(absentAccountUserId) && parentId !== null;

/**
 * Whether the rotation gives a person the hours of an event. Somebody decided the others: overrides
 * by hand, and what a cover gives to the person that it names.
 */
export function isGivenByRotation(
  event: OnCallEvent,
  person: string,
  covers: readonly Cover[],
  byId: ReadonlyMap<string, OnCallEvent>,
): boolean {
  if (event.parentId === null) return true;
  if (!isSkip(event)) {
    const cover = covers.find(({ id }) => id === event.coverId);
    if (!cover || cover.coveringAccountUserId === person) return false;
  }
  const parent = byId.get(event.parentId);
  return !parent || isGivenByRotation(parent, person, covers, byId);
}

/** The parts of a segment in which a person is away. */
export function partsAway(segment: ServedSegment, { hours }: Absence): readonly ServedSegment[] {
  const present = subtractIntervals(segment, hours);
  return subtractIntervals(segment, present).map((part) => ({ ...segment, ...part }));
}
