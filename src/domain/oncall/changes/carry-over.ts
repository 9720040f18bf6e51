/**
 * Carries exceptions and planned changes of the people over when the times of a series
 * change: each moves to the occurrence that replaces its own. Pure.
 */

import { DAY, instantOf, localOf } from "../../shared/time.ts";
import type { EarlierRoster, OnCallEvent } from "../on-call-event.ts";
import { nextOccurrence, occurrencesStarting } from "../recurrence/occurrences.ts";
import { type Series, seriesOf } from "../recurrence/recurrence.ts";
import { modulo } from "../recurrence/rotation.ts";
import { type PlannedRoster, plannedRosters, planRosters } from "../rosters/planned-rosters.ts";
import { rosterOf } from "../rosters/roster-change.ts";
import { earlierRostersOf, rosterAt } from "../rosters/serving.ts";

type Exception = OnCallEvent["exceptions"][number];

/** A change of a series; `by` is how far its starts move on the wall clock (ms). */
export type SeriesChange = { readonly from: Series; readonly to: Series; readonly by: number };

export type CarriedExceptions = {
  /** With their starts in the changed series. */
  readonly kept: readonly Exception[];
  /** Exceptions whose occurrence has no successor: nothing is left to remove. */
  readonly dropped: readonly Exception[];
};

/** The start of the occurrence that replaces the one at `startAt`; null if none does. */
function successorOf({ from, to, by }: SeriesChange, startAt: number): number | null {
  const starting = (at: number, until: number) => occurrencesStarting(to, at, until)[0]?.startAt;
  const local = localOf(from.zone, startAt) + by;
  const moved = instantOf(to.zone, local);
  const exact =
    (by === 0 ? starting(startAt, startAt + 1) : undefined) ?? starting(moved, moved + 1);
  if (exact !== undefined || to.rhythm.kind === "elapsed") return exact ?? null;
  const midnight = Math.floor(local / DAY) * DAY;
  const day = starting(instantOf(to.zone, midnight), instantOf(to.zone, midnight + DAY));
  return day ?? null;
}

/** The exceptions of a series after it changed. */
export function carryExceptions(
  change: SeriesChange,
  exceptions: readonly Exception[],
): CarriedExceptions {
  const kept = new Map<number, Exception>();
  const dropped: Exception[] = [];
  for (const exception of exceptions) {
    const startAt = successorOf(change, exception.startAt);
    if (startAt === null) dropped.push(exception);
    else kept.set(startAt, { id: exception.id, startAt });
  }
  return { kept: [...kept.values()], dropped };
}

/** Whether two series have the same occurrences, apart from where they begin and end. */
export const isSameRhythm = (one: OnCallEvent, other: OnCallEvent): boolean =>
  JSON.stringify(rhythmOf(one)) === JSON.stringify(rhythmOf(other));

const rhythmOf = (event: OnCallEvent) => [
  [event.startAt, event.endAt, event.timeZone, event.repeat],
  [event.frequency, event.frequencyUnit, event.daysOfWeek],
];

/**
 * When a change of the people at `at` (epoch ms) takes effect in the changed series. A handoff moves
 * with its occurrence; another instant, such as midnight within a shift, is meant as it is.
 */
export function carryInstant({ from, to, by }: SeriesChange, at: number): number {
  // Removed occurrences have their handoffs, too.
  const whole = { by, from: withoutExceptions(from), to: withoutExceptions(to) };
  if (occurrencesStarting(whole.from, at, at + 1).length === 0) return at;
  return successorOf(whole, at) ?? instantOf(to.zone, localOf(from.zone, at) + by);
}

const withoutExceptions = (series: Series): Series => ({
  ...series,
  event: { ...series.event, exceptions: [] },
});

/**
 * The changed series, with what is planned for the people of the old one. Turns go on from whoever
 * is on call then.
 */
export function carryPlanned(
  change: SeriesChange,
  changed: OnCallEvent,
  planned: readonly PlannedRoster[],
): OnCallEvent {
  let last = Number.NEGATIVE_INFINITY;
  const carried = planned.map(({ at, roster }) => {
    // What is planned for later is never overtaken.
    last = Math.max(last, carryInstant(change, at));
    return { at: last, roster };
  });
  return planRosters(changed, carried);
}

/**
 * Carries the exceptions, `beginsAt` and planned rosters of an event over to its edited rule.
 *
 * @param now epoch ms: rosters that take effect later are planned
 */
export function carryEdit(event: OnCallEvent, edited: OnCallEvent, now: number): OnCallEvent {
  const from = seriesOf(event);
  const to = seriesOf({ ...edited, exceptions: [], beginsAt: null });
  const by = anchorOf(to) - anchorOf(from);
  const change = { from, to, by };
  const { kept } = carryExceptions(change, event.exceptions);
  const oldBeginsAt = event.beginsAt ?? null;
  const isLater = oldBeginsAt !== null && edited.startAt < oldBeginsAt;
  const first = isLater ? nextOccurrence(withoutExceptions(from), oldBeginsAt) : null;
  const beginsAt = isLater ? ((first && successorOf(change, first.startAt)) ?? oldBeginsAt) : null;
  const carried = { ...edited, exceptions: kept, beginsAt };
  if (isSameRhythm(event, edited)) return carried;
  return carryRosters({ ...change, by: handoffShift(to, by) }, event, carried, now);
}

/** The edited event with the rosters of before: what is planned is decided anew for its turns. */
function carryRosters(
  change: SeriesChange,
  event: OnCallEvent,
  edited: OnCallEvent,
  now: number,
): OnCallEvent {
  const served = earlierRostersOf(event).filter(({ untilAt }) => untilAt <= now);
  const earlierRosters: EarlierRoster[] = [];
  for (const roster of served) {
    const untilAt = carryInstant(change, roster.untilAt);
    if (untilAt > (earlierRosters.at(-1)?.untilAt ?? 0)) {
      earlierRosters.push({ ...roster, untilAt });
    }
  }
  const present = { ...edited, ...rosterOf(rosterAt(event, now)), earlierRosters };
  return carryPlanned(change, present, plannedRosters(event, now));
}

/** How far handoffs move (ms) when a series starts `by` ms later: by whole turns they stay. */
function handoffShift({ rhythm }: Series, by: number): number {
  const turn = turnLength(rhythm);
  const rest = modulo(by, turn);
  return rest > turn / 2 ? rest - turn : rest;
}

/** The time (ms) between handoffs; of months, a day: their dates differ. */
function turnLength(rhythm: Series["rhythm"]): number {
  switch (rhythm.kind) {
    case "elapsed":
      return rhythm.step;
    case "days":
      return rhythm.every * DAY;
    case "weeks":
      return rhythm.every * 7 * DAY;
    case "once":
    case "months":
      return DAY;
  }
}

const anchorOf = ({ startDay, startClock }: Series) => startDay * DAY + startClock;
