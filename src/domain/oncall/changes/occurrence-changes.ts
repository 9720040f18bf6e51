/**
 * Decides changes to single occurrences of an event: override one, remove one, end the series, and
 * which overrides go with a change of the series. Pure: callers store the result.
 */

import { type Refusal, refuse } from "../../shared/refusal.ts";
import { formatInstant } from "../../shared/time.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import type { Interval } from "../override-precedence.ts";
import {
  type EventInSeries,
  namedOccurrence,
  pastOccurrence,
} from "../recurrence/occurrence-at.ts";
import {
  lastOccurrence,
  nextOccurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "../recurrence/occurrences.ts";
import { type Series, seriesOf } from "../recurrence/recurrence.ts";
import { isOverride } from "../series-versions.ts";

export type ExceptionDecision =
  | { readonly kind: "exception"; readonly startAt: number }
  | { readonly kind: "unchanged" };

export type TerminationDecision =
  | { readonly kind: "cut"; readonly cutAt: number }
  | { readonly kind: "unchanged" };

/**
 * `POST /events/:id/override`: an override [startAt, endAt) of the occurrence that starts at
 * `actionAt` (epoch ms). Where overrides, absences or the past split one, `window_events` shows the
 * part after them with its own start, and that start identifies the occurrence too. An override has a
 * single occurrence, identified by any instant in it, because newer overrides may split it.
 *
 * @returns null if the override is allowed, else the refusal
 */
export function checkOverride(
  family: EventInSeries,
  request: { readonly actionAt: number; readonly startAt: number; readonly endAt: number },
): Refusal | null {
  if (request.endAt <= request.startAt) {
    return refuse("invalid", "end_time must be after start_time", "end_time");
  }
  const { actionAt } = request;
  const occurrence = namedOccurrence(family, actionAt) ?? pastOccurrence(family, actionAt);
  if (occurrence === null) return refuseOccurrence(family.event, actionAt);
  return sharesTime(occurrence, request) ? null : refuseNoOverlap(occurrence, "start_time");
}

/**
 * Checks moving an override to [startAt, endAt): null if allowed, else the refusal. It must share time
 * with an occurrence of its series, if that still has one in the override's hours.
 *
 * @param series all events of its series
 */
export function checkOverrideMove(
  series: readonly OnCallEvent[],
  override: OnCallEvent,
  to: Interval,
): Refusal | null {
  const isBeside = touchesOccurrence(series, override) && !touchesOccurrence(series, to);
  const message = "the override shares no time with an occurrence of the event it overrides";
  return isBeside ? refuse("invalid", message, "start_datetime") : null;
}

/** Whether a version of a series has an occurrence in some hours. */
const touchesOccurrence = (series: readonly OnCallEvent[], { startAt, endAt }: Interval): boolean =>
  series.some(
    (it) => !isOverride(it) && occurrencesTouching(seriesOf(it), startAt, endAt).length > 0,
  );

const sharesTime = (one: Interval, other: Interval) =>
  one.startAt < other.endAt && one.endAt > other.startAt;

function refuseNoOverlap({ startAt, endAt }: Interval, field: string): Refusal {
  const [from, to] = [formatInstant(startAt), formatInstant(endAt)];
  const message = `the override shares no time with the occurrence it overrides, from ${from} to ${to}`;
  return refuse("invalid", message, field);
}

/**
 * `POST /events` with `parent_id`: overrides the parent's occurrence at `startAt` (epoch ms). Null if
 * it has one, else the refusal.
 */
export function checkChild(parent: OnCallEvent, startAt: number): Refusal | null {
  const own = seriesOf(parent);
  if (occurrencesTouching(own, startAt, startAt + 1).length > 0) return null;
  const nearest = describeNearest(own, startAt);
  const message = `no occurrence of the parent event contains start_datetime${nearest}`;
  return refuse("invalid", message, "start_datetime");
}

/** `POST /events/:id/add_exception`: removes the occurrence starting at `actionAt` (epoch ms). */
export function decideException(event: OnCallEvent, actionAt: number): ExceptionDecision | Refusal {
  if (event.exceptions.some((exception) => exception.startAt === actionAt)) {
    return { kind: "unchanged" };
  }
  const series = seriesOf(event);
  if (series.rhythm.kind === "once") return refuseNonRepeating();
  if (!startsAt(series, actionAt)) return refuseOccurrence(event, actionAt);
  return { kind: "exception", startAt: actionAt };
}

/** `POST /events/:id/terminate_on`: removes all occurrences from `actionAt` (epoch ms) on. */
export function decideTermination(
  event: OnCallEvent,
  actionAt: number,
): TerminationDecision | Refusal {
  // Ignore exceptions and an earlier cut: repeating the request must not be refused.
  const full = seriesOf({ ...event, cutAt: null, exceptions: [] });
  if (full.rhythm.kind === "once") return refuseNonRepeating();
  if (!startsAt(full, actionAt)) return refuseOccurrence(event, actionAt);
  if (event.cutAt !== null && event.cutAt <= actionAt) return { kind: "unchanged" };
  return { kind: "cut", cutAt: actionAt };
}

/**
 * The overrides that go with a change of a series: those whose occurrence is removed, and those after
 * its new end. Others stay, also where the series has no occurrence in their hours any more, so that
 * who was agreed on serves.
 *
 * @param before all events of the series before the change
 * @param after the same after it
 * @param removesOccurrences whether the change removes occurrences instead of moving them
 */
export function overridesThatGo(
  before: readonly OnCallEvent[],
  after: readonly OnCallEvent[],
  removesOccurrences: boolean,
): readonly OnCallEvent[] {
  const goesOn = (events: readonly OnCallEvent[], at: number) =>
    events.some((it) => !isOverride(it) && nextOccurrence(seriesOf(it), at) !== null);
  const isRemoved = (it: OnCallEvent) => touchesOccurrence(before, it) && removesOccurrences;
  const isAfterEnd = (it: OnCallEvent) =>
    (touchesOccurrence(before, it) || goesOn(before, it.endAt)) && !goesOn(after, it.endAt);
  return after.filter(
    (it) => isOverride(it) && !touchesOccurrence(after, it) && (isRemoved(it) || isAfterEnd(it)),
  );
}

/**
 * The overrides that go when an event is deleted: those in the hours of that version, or all of the
 * series with its last one; none with another override.
 *
 * @param series all events of its series
 */
export function overridesOfDeleted(
  event: OnCallEvent,
  series: readonly OnCallEvent[],
): readonly OnCallEvent[] {
  if (isOverride(event)) return [];
  const after = series.filter(({ id }) => id !== event.id);
  return after.every(isOverride) ? after : overridesThatGo(series, after, true);
}

function startsAt(series: Series, at: number): boolean {
  return occurrencesStarting(series, at, at + 1).length > 0;
}

/** The refusal of a time that identifies no occurrence; names the nearest one. */
export function refuseOccurrence(event: OnCallEvent, actionAt: number): Refusal {
  const nearest = describeNearest(seriesOf(event), actionAt);
  return refuse(
    "invalid",
    `action_time is not the start of an occurrence${nearest}`,
    "action_time",
  );
}

function refuseNonRepeating(): Refusal {
  const message = "the event does not repeat: delete it, or override it";
  return refuse("invalid", message, "action_time");
}

function describeNearest(series: Series, at: number): string {
  const before = lastOccurrence(series, at)?.startAt;
  const after = nextOccurrence(series, at)?.startAt;
  if (before === undefined && after === undefined) return "; the event has none";
  const isBefore = after === undefined || (before !== undefined && at - before <= after - at);
  return `; the nearest starts at ${formatInstant(isBefore ? Number(before) : after)}`;
}
