/** When a change of a series' roster takes effect. Pure. */

import { DAY } from "../../shared/time.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import {
  lastOccurrence,
  nextOccurrence,
  type Occurrence,
  occurrencesStarting,
} from "../recurrence/occurrences.ts";
import { modulo, rotationOf, turnOf } from "../recurrence/rotation.ts";
import { firstOf, turnAfter, withRemoved } from "../series-versions.ts";
import { rosterAt, takesTurns } from "./serving.ts";

/** The words for an instant that depends on the rotation. */
export const EFFECTIVE_WORDS = ["now", "next_handoff", "after_full_rotation"] as const;

/** An instant in epoch ms, or one of the words. */
export type EffectiveAt = number | (typeof EFFECTIVE_WORDS)[number];

/** The default of a series: the people on call serve out their turn. */
export const defaultEffectiveAt = (event: OnCallEvent, isRotation: boolean): EffectiveAt =>
  takesTurns(event) && isRotation ? "next_handoff" : "now";

/**
 * The instant (epoch ms) from which a change of an event's roster applies. A word is of who serves: for a series that has
 * not begun, its beginning.
 *
 * @param later the versions after the event, in order: a handoff may be theirs
 */
export function effectiveInstant(
  event: OnCallEvent,
  when: EffectiveAt,
  now: number,
  later: readonly OnCallEvent[] = [],
): number {
  if (typeof when === "number") return when;
  const begun = later.findLastIndex((it) => lastOccurrence(withRemoved(it), now + 1) !== null);
  const version = later[begun] ?? event;
  const series = withRemoved(version);
  const current = lastOccurrence(series, now + 1);
  if (current === null) return nextOccurrence(series, now)?.startAt ?? now;
  if (when === "now") return now;
  const turn = firstTurn(version, current, when, now);
  const next = startOfTurn(version, later.slice(begun + 1), turn, now + 1);
  return next ?? Math.max(now, current.endAt);
}

/** The first turn that the change may serve. */
function firstTurn(
  event: OnCallEvent,
  current: Occurrence,
  when: Exclude<EffectiveAt, number | "now">,
  now: number,
): number {
  const roster = rosterAt(event, now);
  const next = current.turn + 1;
  if (when === "next_handoff" || !roster.rotation) return next;
  const positions = rotationOf(roster).length;
  return next + modulo(-turnOf(roster, { turn: next }), positions);
}

const FIRST_SPAN = 8 * DAY;

/** The start of the first occurrence from `at` on whose turn is `turn` or later, also of later versions; null if none. */
function startOfTurn(
  event: OnCallEvent,
  [next, ...later]: readonly OnCallEvent[],
  turn: number,
  at: number,
): number | null {
  const series = withRemoved(event);
  let from = at;
  let span = FIRST_SPAN;
  while (nextOccurrence(series, from) !== null) {
    const found = occurrencesStarting(series, from, from + span).find((it) => it.turn >= turn);
    if (found) return found.startAt;
    from += span;
    span *= 2;
  }
  const first = next && firstOf(next);
  if (!first) return null;
  const left = turn - (turnAfter(event) ?? turn);
  return startOfTurn(next, later, first.turn + left, at);
}
