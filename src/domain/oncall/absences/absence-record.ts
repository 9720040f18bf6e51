/**
 * The record of an absence: what somebody decided for it, its status, and what it does to who is on
 * call. Pure.
 */

import { DAY } from "../../shared/time.ts";
import type { Interval } from "../override-precedence.ts";
import type { Absence } from "./absence.ts";
import { type AskingStatus, statusAt } from "./asking.ts";

/**
 * Who is on call instead: nobody yet (the person stays on call), the next of each rotation, a named
 * person, nobody, or the first of those who are asked who accepts.
 */
export const INSTEAD = ["nobody_yet", "next_in_line", "person", "empty", "ask"] as const;
export type Instead = (typeof INSTEAD)[number];

export const ABSENCE_STATUSES = [
  "uncovered",
  "asking",
  "covered",
  "declined",
  "expired",
  "cancelled",
] as const;
export type AbsenceStatus = (typeof ABSENCE_STATUSES)[number];

export const ABSENCE_SOURCES = ["person", "calendar"] as const;

/** The longest absence, in days. */
export const LONGEST_ABSENCE_DAYS = 732;

/**
 * The most absences of an account that have not ended and decide who is on call instead: who is on
 * call is calculated from them all.
 */
export const MOST_DECIDED = 200;

/** An absence as it is stored, as far as it says who is on call. [startAt, endAt) in epoch ms. */
export type AbsenceRecord = Omit<Absence, "instead"> & {
  readonly instead: Instead;
  /** Of an `ask`; otherwise null. */
  readonly asking: { readonly status: AskingStatus; readonly expiresAt: number } | null;
};

/** What an absence does to who is on call; null if the person is not away. */
export function servedBy({ asking, instead, ...absence }: AbsenceRecord): Absence | null {
  if (asking === null) return { ...absence, instead: instead === "ask" ? "nobody_yet" : instead };
  switch (asking.status) {
    case "cancelled":
      return null;
    case "accepted":
      return { ...absence, instead: "person" };
    default:
      return { ...absence, instead: "nobody_yet", coveringAccountUserId: null };
  }
}

/** The status of an absence at `now` (epoch ms). */
export function absenceStatusAt(record: AbsenceRecord, now: number): AbsenceStatus {
  const { asking, instead, coveringAccountUserId } = record;
  const asked = asking === null ? null : statusAt(asking, now);
  if (asked === "open") return "asking";
  if (asked !== null && asked !== "accepted") return asked;
  const isNamed = instead === "person" || asked === "accepted";
  const isCovered = isNamed ? coveringAccountUserId !== null : instead !== "nobody_yet";
  return isCovered ? "covered" : "uncovered";
}

/** Whether an absence decides who is on call instead, or will if somebody accepts. */
export function decides(record: AbsenceRecord, now: number): boolean {
  if (record.asking === null) return record.instead !== "nobody_yet";
  const status = statusAt(record.asking, now);
  return status === "open" || status === "accepted";
}

export const isTooLong = ({ startAt, endAt }: Interval): boolean =>
  endAt - startAt > LONGEST_ABSENCE_DAYS * DAY;

type Place = Interval & Pick<Absence, "id" | "scheduleIds">;

const sharesTime = (one: Interval, other: Interval): boolean =>
  one.startAt < other.endAt && one.endAt > other.startAt;

/** Whether two absences may concern the same shifts: they share time and a schedule. */
export const isOverlapping = (one: Place, other: Place): boolean =>
  one.id !== other.id && sharesTime(one, other) && sharesSchedule(one, other);

function sharesSchedule(one: Place, other: Place): boolean {
  if (one.scheduleIds === null || other.scheduleIds === null) return true;
  return one.scheduleIds.some((id) => other.scheduleIds?.includes(id));
}

/** The first other absence of the same person that decides about the same shifts, by id. */
export const overlappingDecision = (
  record: AbsenceRecord,
  others: readonly AbsenceRecord[],
  now: number,
): AbsenceRecord | undefined =>
  others
    .filter((it) => it.accountUserId === record.accountUserId && decides(it, now))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .find((it) => isOverlapping(record, it));
