/**
 * Absences as the calculation of who is on call reads them: when a person is away, in which
 * schedules, and who serves instead. Nothing is stored for them in the schedules. Pure.
 */

import type { PastSeries } from "../changes/past-series.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import type { Interval } from "../override-precedence.ts";
import { rosterAt, takesTurns } from "../rosters/serving.ts";

/**
 * Who serves instead: a named person, the next in line, or nobody (`empty`). `nobody_yet`: the next in
 * line in rotations that skip who is away; elsewhere the person stays on call.
 */
export const SERVED_INSTEAD = ["person", "next_in_line", "empty", "nobody_yet"] as const;
export type ServedInstead = (typeof SERVED_INSTEAD)[number];

/** [startAt, endAt) in epoch ms. Hours before the absence was entered are not part of it. */
export type Absence = Interval & {
  /** Of the record; several absences have the same if the record was changed meanwhile. */
  readonly id: string;
  readonly accountUserId: string;
  /** When the person is away from, also if it serves from later on; not present: from `startAt` on. */
  readonly since?: number;
  readonly instead: ServedInstead;
  /** For `person`; null once they have left the account. Otherwise null. */
  readonly coveringAccountUserId: string | null;
  /** Null: all schedules of the account. */
  readonly scheduleIds: readonly string[] | null;
  /** When a person last decided it (epoch ms): newer overrides that were made by hand stay. */
  readonly decidedAt: number;
  /** Hours of a series that it leaves to the absent person. */
  readonly released?: readonly ReleasedHours[];
};

/**
 * What a rotation does in the hours of people who are away, unless it is decided who serves instead:
 * they stay on call, or the next in line serves.
 */
export const WHEN_AWAY = ["stay", "next_in_line"] as const;
export type WhenAway = (typeof WHEN_AWAY)[number];

/** Hours of a series that an absence leaves to whoever has them. */
export type ReleasedHours = Interval & { readonly eventId: string };

/** The events of a schedule, and the absences that concern it. */
export type OnCallSchedule = {
  /** Each once. */
  readonly events: readonly OnCallEvent[];
  /** In the order in which they apply. */
  readonly absences: readonly Absence[];
  /** Series as they were before they changed; of one series, their hours do not overlap. Absent: none. */
  readonly past?: readonly PastSeries[];
};

export const EMPTY_SCHEDULE: OnCallSchedule = { events: [], absences: [] };

/** Whether an absence concerns a schedule. */
export const concerns = (
  { scheduleIds }: Pick<Absence, "scheduleIds">,
  scheduleId: string,
): boolean => scheduleIds === null || scheduleIds.includes(scheduleId);

/**
 * The order in which absences apply, each seeing what those before did: those that somebody decided,
 * as they were created, before those that leave it to the rotation, by when they begin: of a person's,
 * which may overlap, the one that has lasted longest counts, however they were entered.
 */
export const inOrder = (absences: readonly Absence[]): readonly Absence[] =>
  absences.toSorted((one, other) => {
    const [first, second] = [isLeft(one), isLeft(other)];
    if (first !== second) return first ? 1 : -1;
    const begun = first ? sinceOf(one) - sinceOf(other) : 0;
    if (begun !== 0 || one.id === other.id) return begun || one.startAt - other.startAt;
    return one.id < other.id ? -1 : 1;
  });

const isLeft = ({ instead }: Absence): boolean => instead === "nobody_yet";

/** When the person of an absence is away from (epoch ms), also if it serves from later on. */
export const sinceOf = ({ since, startAt }: Absence): number => since ?? startAt;

/** The absences that concern a schedule, in order. */
export const absencesIn = (absences: readonly Absence[], scheduleId: string): readonly Absence[] =>
  inOrder(absences.filter((it) => concerns(it, scheduleId)));

/**
 * Whether a series gives the hours of people who are away to the next in line, at an instant
 * (epoch ms): only a rotation has somebody next in line.
 */
export function skipsAwayAt(series: OnCallEvent, at: number): boolean {
  const toggled = (series.skipChanges ?? []).filter((it) => it <= at);
  return toggled.length % 2 === 1 && takesTurns(series) && rosterAt(series, at).rotation;
}

/** Whether it does so from its latest change on. */
export const isSkipping = ({ skipChanges = [] }: Pick<OnCallEvent, "skipChanges">): boolean =>
  skipChanges.length % 2 === 1;

/** The changes of a series that is to skip from `now` on (epoch ms), or not any more. */
export const withSkipping = (
  { skipChanges = [] }: Pick<OnCallEvent, "skipChanges">,
  isSkippingNow: boolean,
  now: number,
): readonly number[] =>
  isSkipping({ skipChanges }) === isSkippingNow ? skipChanges : [...skipChanges, now];
