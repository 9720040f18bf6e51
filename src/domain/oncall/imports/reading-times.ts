/**
 * When a calendar is read: regularly, sooner after a failure, then ever later.
 */
import { DAY, HOUR, MINUTE } from "../../shared/time.ts";
import type { CalendarWindow } from "./calendar-entry.ts";

/** A shift import reads from now on: who was on call before it never changes. */
const WINDOW_AHEAD = 180 * DAY;

/** Most shifts of one import: reads of who is on call read them all. */
const MAX_IMPORTED_SHIFTS = 1_000;

const FIRST_RETRY = 5 * MINUTE;
const LONGEST_RETRY = 4 * HOUR;

/** How long a calendar fails until people are told (ms). */
const FAILING_TOO_LONG = DAY;

/** How long after a complete reading an unchanged calendar is not fetched again (ms). */
const COMPLETE_FOR = DAY;

/**
 * The window of a reading. It ends at midnight UTC, so that readings of one day yield the same.
 *
 * @param now epoch ms
 */
export function importWindow(now: number): CalendarWindow {
  return { from: now, to: Math.floor((now + WINDOW_AHEAD) / DAY) * DAY };
}

/**
 * When to read again after failures.
 *
 * @param failures consecutive ones, from 1
 * @param failingSince the first of them (epoch ms)
 * @param now epoch ms
 */
export function nextReadAfterFailure(failures: number, failingSince: number, now: number): number {
  const next = now + Math.min(FIRST_RETRY * 2 ** (failures - 1), LONGEST_RETRY);
  const toldAt = failingSince + FAILING_TOO_LONG;
  return now < toldAt ? Math.min(next, toldAt) : next;
}

/** Whether people are told of failures since an instant (epoch ms). */
export const isFailingTooLong = (failingSince: number, now: number): boolean =>
  now - failingSince >= FAILING_TOO_LONG;

/**
 * Whether a reading may be skipped if the calendar says that it is unchanged. Once a day it is read
 * all the same: the window has moved, and people may have joined.
 *
 * @param completeAt the last complete reading (epoch ms); null: none
 */
export const maySkipUnchanged = (completeAt: number | null, now: number): boolean =>
  completeAt !== null && now - completeAt < COMPLETE_FOR;

/** Keeps as many shifts as an import may have, the first by start, and says until when (epoch ms). */
export function fitImport<Shift extends { readonly startAt: number }>(
  shifts: readonly Shift[],
  window: CalendarWindow,
  most: number = MAX_IMPORTED_SHIFTS,
): { readonly shifts: readonly Shift[]; readonly until: number } {
  const byStart = shifts.toSorted((one, other) => one.startAt - other.startAt);
  const first = byStart[most];
  if (first === undefined) return { shifts: byStart, until: window.to };
  // Shifts that begin together stay together, unless they alone are too many.
  const before = byStart.slice(0, most).filter((it) => it.startAt < first.startAt);
  return { shifts: before.length > 0 ? before : byStart.slice(0, most), until: first.startAt };
}
