/**
 * What may be done to the occurrences of an event: override one, remove one, end the series, and
 * what an edit of the series leaves of its overrides. Decides only; whoever asked writes it down.
 */

import { namedOccurrence } from "./occurrence-at.ts";
import {
  lastOccurrence,
  nextOccurrence,
  occurrencesStarting,
  occurrencesTouching,
} from "./occurrences.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { type Series, seriesOf } from "./recurrence.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { formatInstant } from "./time.ts";

/** An override may be made; `overriddenStartAt` is the start of the occurrence it is for. */
export type OverrideDecision = { readonly kind: "override"; readonly overriddenStartAt: number };

export type ExceptionDecision =
  | { readonly kind: "exception"; readonly startAt: number }
  | { readonly kind: "unchanged" };

export type TerminationDecision =
  | { readonly kind: "cut"; readonly cutAt: number }
  | { readonly kind: "unchanged" };

/**
 * `POST /events/:id/override`: an override [startAt, endAt) of the occurrence that starts at
 * `actionAt` (epoch ms). `overrides` are the event's present ones: where they split an occurrence,
 * `window_events` shows the part after them with a start of its own, and that names the occurrence
 * as well. An override has one occurrence, which any instant in it names: newer overrides, also of
 * other events, may split it.
 */
export function decideOverride(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  request: { readonly actionAt: number; readonly startAt: number; readonly endAt: number },
): OverrideDecision | Refusal {
  if (request.endAt <= request.startAt) {
    return refuse("invalid", "end_time must be after start_time", "end_time");
  }
  const named = namedOccurrence(event, overrides, request.actionAt);
  if (named === null) return refuseOccurrence(event, request.actionAt);
  if (!sharesTime(named, request)) return refuseOutside(named, "start_time");
  return { kind: "override", overriddenStartAt: named.startAt };
}

/**
 * Whether an override may be moved to [startAt, endAt): null, or why not. It must share time with
 * its occurrence, or, where that is no more, with any of its parent's.
 */
export function refuseMove(
  parent: OnCallEvent,
  override: OnCallEvent,
  to: { readonly startAt: number; readonly endAt: number },
): Refusal | null {
  const series = seriesOf(parent);
  const { overriddenStartAt: at } = override;
  const [own] = at === null ? [] : occurrencesStarting(series, at, at + 1);
  if (own) return sharesTime(own, to) ? null : refuseOutside(own, "start_datetime");
  if (occurrencesTouching(series, to.startAt, to.endAt).length > 0) return null;
  const message = "the override shares no time with an occurrence of the event it overrides";
  return refuse("invalid", message, "start_datetime");
}

type Interval = { readonly startAt: number; readonly endAt: number };

const sharesTime = (one: Interval, other: Interval) =>
  one.startAt < other.endAt && one.endAt > other.startAt;

function refuseOutside({ startAt, endAt }: Interval, field: string): Refusal {
  const [from, to] = [formatInstant(startAt), formatInstant(endAt)];
  const message = `the override shares no time with the occurrence it overrides, from ${from} to ${to}`;
  return refuse("invalid", message, field);
}

/**
 * `POST /events` with `parent_id`: an override of the parent's occurrence that contains its start
 * (epoch ms).
 */
export function decideChild(parent: OnCallEvent, startAt: number): OverrideDecision | Refusal {
  const series = seriesOf(parent);
  const [containing] = occurrencesTouching(series, startAt, startAt + 1);
  if (containing) return { kind: "override", overriddenStartAt: containing.startAt };
  const nearest = nearestStart(series, startAt);
  const message = `no occurrence of the parent event contains start_datetime${nearest}`;
  return refuse("invalid", message, "start_datetime");
}

/**
 * `POST /events/:id/add_exception`: removes the occurrence that starts at `actionAt` (epoch ms).
 */
export function decideException(event: OnCallEvent, actionAt: number): ExceptionDecision | Refusal {
  if (event.exceptions.some((exception) => exception.startAt === actionAt)) {
    return { kind: "unchanged" };
  }
  const series = seriesOf(event);
  if (series.rhythm.kind === "once") return refuseSingle();
  if (!startsAt(series, actionAt)) return refuseOccurrence(event, actionAt);
  return { kind: "exception", startAt: actionAt };
}

/**
 * `POST /events/:id/terminate_on`: removes the occurrence that starts at `actionAt` (epoch ms) and
 * all later ones.
 */
export function decideTermination(
  event: OnCallEvent,
  actionAt: number,
): TerminationDecision | Refusal {
  // What was removed before is still a place to cut at: doing the same twice must not be refused.
  const whole = seriesOf({ ...event, cutAt: null, exceptions: [] });
  if (whole.rhythm.kind === "once") return refuseSingle();
  if (!startsAt(whole, actionAt)) return refuseOccurrence(event, actionAt);
  if (event.cutAt !== null && event.cutAt <= actionAt) return { kind: "unchanged" };
  return { kind: "cut", cutAt: actionAt };
}

export type OverridesAfterEdit = {
  /** Still in effect, with the start of the occurrence each is for now. */
  readonly applying: readonly {
    readonly override: OnCallEvent;
    readonly overriddenStartAt: number;
  }[];
  /** With nothing left to replace: to be deleted, and named in the answer. */
  readonly fallenAway: readonly OnCallEvent[];
};

/**
 * Which of an event's overrides (all below it, chains too) still apply after the event became
 * `edited`; null: it was deleted. One applies while its occurrence exists or, moved, while any
 * occurrence shares time with it: whoever agreed to stand in keeps doing so. One whose parent fell
 * away falls with it.
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
      const below = overrides.filter((other) => other.parentId === override.id);
      visit(overriddenStartAt === null ? null : override, below);
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

/** The refusal of a time that names no occurrence, with the nearest that there is. */
export function refuseOccurrence(event: OnCallEvent, actionAt: number): Refusal {
  const nearest = nearestStart(seriesOf(event), actionAt);
  return refuse(
    "invalid",
    `action_time is not the start of an occurrence${nearest}`,
    "action_time",
  );
}

function refuseSingle(): Refusal {
  const message = "the event does not repeat: delete it, or override it";
  return refuse("invalid", message, "action_time");
}

function nearestStart(series: Series, at: number): string {
  const before = lastOccurrence(series, at)?.startAt;
  const after = nextOccurrence(series, at)?.startAt;
  if (before === undefined && after === undefined) return "; the event has none";
  const isBefore = after === undefined || (before !== undefined && at - before <= after - at);
  return `; the nearest starts at ${formatInstant(isBefore ? Number(before) : after)}`;
}
