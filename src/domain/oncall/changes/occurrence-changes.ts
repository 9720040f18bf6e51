/**
 * Decides changes to single occurrences of an event: override one, remove one, end the series, and
 * which overrides still apply after the series is edited. Pure: callers store the result.
 */

import { type Refusal, refuse } from "../../shared/refusal.ts";
import { formatInstant } from "../../shared/time.ts";
import type { Absence } from "../absences/absence.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import type { PastFamily } from "../past/past-family.ts";
import { namedOccurrence, pastOccurrence } from "../recurrence/occurrence-at.ts";
import {
  lastOccurrence,
  nextOccurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "../recurrence/occurrences.ts";
import { type Series, seriesOf } from "../recurrence/recurrence.ts";

/** The override is allowed; `overriddenStartAt` is the start of the occurrence it replaces. */
export type OverrideDecision = { readonly kind: "override"; readonly overriddenStartAt: number };

export type ExceptionDecision =
  | { readonly kind: "exception"; readonly startAt: number }
  | { readonly kind: "unchanged" };

export type TerminationDecision =
  | { readonly kind: "cut"; readonly cutAt: number }
  | { readonly kind: "unchanged" };

/**
 * `POST /events/:id/override`: an override [startAt, endAt) of the occurrence that starts at
 * `actionAt` (epoch ms). `overrides` are the event's current ones: where they, absences or the past split one,
 * `window_events` shows the part after them with its own start, and that start identifies the
 * occurrence too. An override has a single occurrence, identified by any instant in it, because
 * newer overrides, also of other events, may split it.
 */
export function decideOverride(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  request: { readonly actionAt: number; readonly startAt: number; readonly endAt: number },
  absences: readonly Absence[] = [],
  past: readonly PastFamily[] = [],
): OverrideDecision | Refusal {
  if (request.endAt <= request.startAt) {
    return refuse("invalid", "end_time must be after start_time", "end_time");
  }
  const occurrence =
    namedOccurrence(event, overrides, request.actionAt, absences, past) ??
    pastOccurrence(event, request.actionAt, absences, past);
  if (occurrence === null) return refuseOccurrence(event, request.actionAt);
  if (!sharesTime(occurrence, request)) return refuseNoOverlap(occurrence, "start_time");
  return { kind: "override", overriddenStartAt: occurrence.startAt };
}

/**
 * Checks moving an override to [startAt, endAt): null if allowed, else the refusal. It must overlap
 * its occurrence or, if that no longer exists, any occurrence of its parent.
 */
export function checkOverrideMove(
  parent: OnCallEvent,
  override: OnCallEvent,
  to: { readonly startAt: number; readonly endAt: number },
): Refusal | null {
  const series = seriesOf(parent);
  const { overriddenStartAt: at } = override;
  const [own] = at === null ? [] : occurrencesStarting(series, at, at + 1);
  if (own) return sharesTime(own, to) ? null : refuseNoOverlap(own, "start_datetime");
  if (occurrencesTouching(series, to.startAt, to.endAt).length > 0) return null;
  const message = "the override shares no time with an occurrence of the event it overrides";
  return refuse("invalid", message, "start_datetime");
}

type Interval = { readonly startAt: number; readonly endAt: number };

const sharesTime = (one: Interval, other: Interval) =>
  one.startAt < other.endAt && one.endAt > other.startAt;

function refuseNoOverlap({ startAt, endAt }: Interval, field: string): Refusal {
  const [from, to] = [formatInstant(startAt), formatInstant(endAt)];
  const message = `the override shares no time with the occurrence it overrides, from ${from} to ${to}`;
  return refuse("invalid", message, field);
}

/** `POST /events` with `parent_id`: overrides the parent's occurrence at `startAt` (epoch ms). */
export function decideChild(parent: OnCallEvent, startAt: number): OverrideDecision | Refusal {
  const series = seriesOf(parent);
  const [containing] = occurrencesTouching(series, startAt, startAt + 1);
  if (containing) return { kind: "override", overriddenStartAt: containing.startAt };
  const nearest = describeNearest(series, startAt);
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

export type OverridesAfterEdit = {
  /** Still in effect, each with the start of the occurrence it now replaces. */
  readonly applying: readonly {
    readonly override: OnCallEvent;
    readonly overriddenStartAt: number;
  }[];
  /** Overrides with nothing left to replace: delete them and report them in the response. */
  readonly fallenAway: readonly OnCallEvent[];
};

/**
 * Which of an event's overrides (direct and nested) still apply after the event became `edited`, or
 * was deleted (null). An override applies while its occurrence exists or, if that moved, while it
 * overlaps any occurrence, so that the agreed substitute stays on call. An override whose parent no
 * longer applies does not apply either.
 */
export function overridesAfterEdit(
  edited: OnCallEvent | null,
  overrides: readonly OnCallEvent[],
): OverridesAfterEdit {
  const applying: { override: OnCallEvent; overriddenStartAt: number }[] = [];
  const fallenAway: OnCallEvent[] = [];
  const parents = new Set(overrides.map((override) => override.id));
  const visit = (parent: OnCallEvent | null, children: readonly OnCallEvent[]) => {
    for (const override of children) {
      const overriddenStartAt = parent && occurrenceFor(seriesOf(parent), override);
      if (overriddenStartAt === null) fallenAway.push(override);
      else applying.push({ override, overriddenStartAt });
      const nested = overrides.filter((other) => other.parentId === override.id);
      visit(overriddenStartAt === null ? null : override, nested);
    }
  };
  const direct = (override: OnCallEvent) =>
    edited ? override.parentId === edited.id : !parents.has(override.parentId ?? "");
  visit(edited, overrides.filter(direct));
  return { applying, fallenAway };
}

function occurrenceFor(series: Series, override: OnCallEvent): number | null {
  const { overriddenStartAt, startAt, endAt } = override;
  if (overriddenStartAt !== null && startsAt(series, overriddenStartAt)) return overriddenStartAt;
  return occurrencesTouching(series, startAt, endAt)[0]?.startAt ?? null;
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
