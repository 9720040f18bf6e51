/**
 * The cover of an absent person: an absence for which somebody decided who is on call instead. Pure.
 */

import { DAY } from "../../shared/time.ts";
import type { Interval } from "../override-precedence.ts";
import type { Absence } from "./absence.ts";

/** Who is on call instead: a named person, the next of each rotation, or nobody. */
export const COVERED_BY = ["person", "next_in_line", "nobody"] as const;
export type CoveredBy = (typeof COVERED_BY)[number];

export type Cover = Absence & { readonly instead: CoveredBy };

/** The longest absence, in days. */
export const LONGEST_COVER_DAYS = 366;

/** The most covers of an account that have not ended: who is on call is calculated from them all. */
export const MOST_COVERS = 200;

export const isTooLong = ({ startAt, endAt }: Interval): boolean =>
  endAt - startAt > LONGEST_COVER_DAYS * DAY;

const sharesTime = (one: Interval, other: Interval): boolean =>
  one.startAt < other.endAt && one.endAt > other.startAt;

/** Whether two covers may concern the same shifts: they share time and a schedule. */
export const isOverlapping = (one: Absence, other: Absence): boolean =>
  one.id !== other.id && sharesTime(one, other) && sharesSchedule(one, other);

function sharesSchedule(one: Absence, other: Absence): boolean {
  if (one.scheduleIds === null || other.scheduleIds === null) return true;
  return one.scheduleIds.some((id) => other.scheduleIds?.includes(id));
}

/**
 * Whether a person is away in some of the time of a cover, in schedules that it concerns.
 *
 * @param absences all of the account
 */
export const absencesOfSubstitute = (
  cover: Cover,
  absences: readonly Absence[],
): readonly Absence[] =>
  absences.filter(
    (other) => other.accountUserId === cover.coveringAccountUserId && isOverlapping(cover, other),
  );
