/**
 * What a change of a series' times leaves of its removed occurrences and of its overrides: each
 * goes on with the occurrence that takes the place of its own. Decides only.
 */

import {
  nextOccurrence,
  type Occurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "./occurrences.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { type Series, seriesOf } from "./recurrence.ts";
import { DAY, instantOf, localOf } from "./time.ts";

type Exception = OnCallEvent["exceptions"][number];

/** How a series changes; `by` is how far its starts move on the wall clock, ms. */
export type SeriesChange = { readonly from: Series; readonly to: Series; readonly by: number };

export type CarriedExceptions = {
  /** With the starts that they have in the changed series. */
  readonly kept: readonly Exception[];
  /** Their occurrences have none in their place: nothing is left to remove. */
  readonly dropped: readonly Exception[];
};

/**
 * The start of the occurrence of the changed series that takes the place of the one at `startAt`;
 * null: none does.
 */
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

/** The removed occurrences of a series after it changed. */
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

/**
 * A series whose rule was edited as a whole, with its removed occurrences and its beginning where
 * the edited rule has them.
 */
export function carryEdit(event: OnCallEvent, edited: OnCallEvent): OnCallEvent {
  const from = seriesOf(event);
  const bare = { ...edited, exceptions: [], beginsAt: null };
  const to = seriesOf(bare);
  const by = anchorOf(to) - anchorOf(from);
  const change = { from, to, by };
  const { kept } = carryExceptions(change, event.exceptions);
  const begins = event.beginsAt ?? null;
  const isLater = begins !== null && edited.startAt < begins;
  const first = isLater
    ? nextOccurrence({ ...from, event: { ...event, exceptions: [] } }, begins)
    : null;
  const beginsAt = isLater ? ((first && successorOf(change, first.startAt)) ?? begins) : null;
  return { ...edited, exceptions: kept, beginsAt };
}

const anchorOf = ({ startDay, startClock }: Series) => startDay * DAY + startClock;

/**
 * The occurrence of the changed series that an override of the old one is for: the successor of its
 * own, or another that shares time with it; null: it shares time with none.
 */
export function occurrenceForOverride(
  change: SeriesChange,
  override: OnCallEvent,
): Occurrence | null {
  const touched = occurrencesTouching(change.to, override.startAt, override.endAt);
  const own = override.overriddenStartAt;
  const successor = own === null ? null : successorOf(change, own);
  return touched.find(({ startAt }) => startAt === successor) ?? touched[0] ?? null;
}
