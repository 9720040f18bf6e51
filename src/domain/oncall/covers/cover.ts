/**
 * The cover of an absent person: who is on call instead of them in all their shifts of a time. Pure.
 */

import { DAY } from "../../shared/time.ts";
import type { Interval } from "../override-precedence.ts";

/** Who is on call instead: a named person, the next of each rotation, or nobody. */
export const COVERED_BY = ["person", "next_in_line", "nobody"] as const;
export type CoveredBy = (typeof COVERED_BY)[number];

/** The absence [startAt, endAt) of a person, in epoch ms, and who covers it. */
export type Cover = Interval & {
  readonly id: string;
  readonly accountUserId: string;
  readonly coveredBy: CoveredBy;
  /** For `person`: who covers; null once they have left the account. Otherwise null. */
  readonly coveringAccountUserId: string | null;
  /** Null: all schedules of the account. */
  readonly scheduleIds: readonly string[] | null;
  /**
   * When a person last decided the cover (epoch ms). Newer overrides that were made by hand stay,
   * also if they put the absent person on call.
   */
  readonly decidedAt: number;
  /** Hours whose override was deleted by hand since then. */
  readonly released: readonly ReleasedHours[];
};

/** Hours of a series that a cover leaves to whoever has them. */
export type ReleasedHours = Interval & { readonly eventId: string };

/** The longest absence, in days. */
export const LONGEST_COVER_DAYS = 366;

/** The most overrides that a cover makes. */
export const MOST_COVER_PARTS = 500;

/** The most covers of an account that have not ended: each change of a schedule reads them all. */
export const MOST_COVERS = 200;

export const isTooLong = ({ startAt, endAt }: Interval): boolean =>
  endAt - startAt > LONGEST_COVER_DAYS * DAY;

const sharesTime = (one: Interval, other: Interval): boolean =>
  one.startAt < other.endAt && one.endAt > other.startAt;

/** Whether two covers may concern the same shifts: they share time and a schedule. */
export const isOverlapping = (one: Cover, other: Cover): boolean =>
  one.id !== other.id && sharesTime(one, other) && sharesSchedule(one, other);

function sharesSchedule(one: Cover, other: Cover): boolean {
  if (one.scheduleIds === null || other.scheduleIds === null) return true;
  return one.scheduleIds.some((id) => other.scheduleIds?.includes(id));
}

/** Whether the cover concerns a schedule. */
export const concerns = ({ scheduleIds }: Cover, scheduleId: string): boolean =>
  scheduleIds === null || scheduleIds.includes(scheduleId);

/** Covers apply in the order in which they were created: each sees what earlier ones did. */
export const inOrder = (covers: readonly Cover[]): readonly Cover[] =>
  covers.toSorted((one, other) => (one.id < other.id ? -1 : 1));
