/**
 * Later versions of a series when one changes: their people change likewise, and their turns go on with
 * those of the version before. So who knows only the event that the series began with changes whoever
 * serves now. Pure.
 */

import type { ContinuedTurn, OnCallEvent, Roster } from "../on-call-event.ts";
import type { Occurrence } from "../recurrence/occurrences.ts";
import { modulo, rotationOf, turnOf } from "../recurrence/rotation.ts";
import { changeRosters, plannedRosters } from "../rosters/planned-rosters.ts";
import { changeRoster, isSameRoster, rosterOf } from "../rosters/roster-change.ts";
import { differenceOf } from "../rosters/roster-difference.ts";
import { rosterAt, takesTurns } from "../rosters/serving.ts";
import { beginOf, firstOf, isOverride, turnAfter } from "../series-versions.ts";
import { continuedTurn, shiftTurns, withLeft } from "./continuation.ts";

/** How a version changes. */
export type VersionChange = {
  readonly was: OnCallEvent;
  readonly is: OnCallEvent;
  /** Epoch ms: new people serve from then on. */
  readonly at: number;
  /** Whether they also replace what is planned for later, which else changes as they do. */
  readonly replacesPlanned: boolean;
};

/** The versions of a series that begin after one of them, in order. */
export const versionsAfter = (
  series: readonly OnCallEvent[],
  event: OnCallEvent,
): readonly OnCallEvent[] =>
  isOverride(event) || event.cutAt === null
    ? []
    : series
        .filter((it) => !isOverride(it) && beginOf(it) > beginOf(event))
        .sort((one, other) => beginOf(one) - beginOf(other));

/**
 * The later versions that change with one: its people change theirs, and its turns go on in them.
 *
 * @param later the versions after it, in order
 * @param newId makes an id of an attendee
 */
export function changeLaterVersions(
  change: VersionChange,
  later: readonly OnCallEvent[],
  newId: () => string,
): readonly OnCallEvent[] {
  const [next, ...rest] = later;
  if (!next) return [];
  const first = firstOf(next);
  if (!first) return changeLaterVersions(change, rest, newId);
  const changed = changeNext(change, next, first, newId);
  const following = { ...change, was: next, is: changed ?? next };
  return [...(changed ? [changed] : []), ...changeLaterVersions(following, rest, newId)];
}

/** The next version, which begins with `first`; null: it does not change. */
function changeNext(
  { was, is, at, replacesPlanned }: VersionChange,
  next: OnCallEvent,
  first: Occurrence,
  newId: () => string,
): OnCallEvent | null {
  const rosterOfNext = (it: OnCallEvent) => rosterAt(it, Math.max(at, it.cutAt ?? at));
  const [before, after] = [rosterOfNext(was), rosterOfNext(is)];
  // The turns of a version that has begun are not decided anew.
  const isLater = at > first.startAt;
  const begin = isLater ? at : first.startAt;
  const handed = isLater ? null : handedOn(is);
  const isSame = replacesPlanned
    ? isSameRoster(rosterAt(next, begin), after) && plannedRosters(next, begin).length === 0
    : isSameRoster(before, after);
  if (isSame && (handed === null || isSameHanded(handedOn(was), handed))) return null;
  const started = handed ? goOn(next, handed, first) : next;
  return replacesPlanned
    ? changeRoster(started, after, begin)
    : changeRosters(started, begin, differenceOf(before, after, newId));
}

/** What a version leaves to the next one: the roster of its end, the turn that follows, and whether that has begun. */
type Handed = {
  readonly left: Required<Roster>;
  readonly turn: number;
  readonly continues: ContinuedTurn | null;
};

/** Null: the version has no turns that could go on. */
function handedOn(event: OnCallEvent): Handed | null {
  const turn = turnAfter(event);
  const { cutAt } = event;
  if (turn === null || cutAt === null || !takesTurns(event)) return null;
  const left = rosterOf(rosterAt(event, cutAt - 1));
  return { left, turn, continues: continuedTurn(event, cutAt, turn) };
}

const isSameHanded = (one: Handed | null, other: Handed): boolean =>
  one !== null &&
  isSameRoster(one.left, other.left) &&
  one.continues === other.continues &&
  positionOf(one) === positionOf(other);

const positionOf = ({ left, turn }: Handed): number =>
  modulo(turnOf(left, { turn }), rotationOf(left).length);

function goOn(
  next: OnCallEvent,
  { left, turn, continues }: Handed,
  first: Occurrence,
): OnCallEvent {
  const started = withLeft(next, shiftTurns(left, turn - first.turn), first.startAt);
  return { ...started, continues };
}
