/**
 * Carries exceptions and overrides over when the times of a series change: each moves to the
 * occurrence that replaces its own. Pure.
 */

import { DAY, instantOf, localOf } from "../../shared/time.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import {
  nextOccurrence,
  type Occurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "../recurrence/occurrences.ts";
import { type Series, seriesOf } from "../recurrence/recurrence.ts";

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

/** Carries the exceptions and `beginsAt` of an event over to its edited rule. */
export function carryEdit(event: OnCallEvent, edited: OnCallEvent): OnCallEvent {
  const from = seriesOf(event);
  const withoutExceptions = { ...edited, exceptions: [], beginsAt: null };
  const to = seriesOf(withoutExceptions);
  const by = anchorOf(to) - anchorOf(from);
  const change = { from, to, by };
  const { kept } = carryExceptions(change, event.exceptions);
  const oldBeginsAt = event.beginsAt ?? null;
  const isLater = oldBeginsAt !== null && edited.startAt < oldBeginsAt;
  const first = isLater
    ? nextOccurrence({ ...from, event: { ...event, exceptions: [] } }, oldBeginsAt)
    : null;
  const beginsAt = isLater ? ((first && successorOf(change, first.startAt)) ?? oldBeginsAt) : null;
  return { ...edited, exceptions: kept, beginsAt };
}

const anchorOf = ({ startDay, startClock }: Series) => startDay * DAY + startClock;

/**
 * The occurrence of the changed series that an override applies to: the successor of its
 * own, else one that it overlaps; null if it overlaps none.
 */
export function occurrenceForOverride(
  change: SeriesChange,
  override: OnCallEvent,
): Occurrence | null {
  const overlapping = occurrencesTouching(change.to, override.startAt, override.endAt);
  const overriddenAt = override.overriddenStartAt;
  const successor = overriddenAt === null ? null : successorOf(change, overriddenAt);
  return overlapping.find(({ startAt }) => startAt === successor) ?? overlapping[0] ?? null;
}
