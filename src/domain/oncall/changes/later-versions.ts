/**
 * Later versions of a series when its people change: they change likewise, and their turns go on with
 * those of the version before. So who knows only the event that the series began with changes whoever
 * serves now. Pure.
 */

import type { OnCallEvent } from "../on-call-event.ts";
import { occurrencesStarting } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import { changeRosters } from "../rosters/planned-rosters.ts";
import { changeRoster, isSameRoster } from "../rosters/roster-change.ts";
import { differenceOf } from "../rosters/roster-difference.ts";
import { rosterAt } from "../rosters/serving.ts";
import { beginOf, isOverride } from "../series-versions.ts";
import { firstOf, withLeft } from "./continuation.ts";

/** How the people of a version change. */
export type VersionChange = {
  /** The version as it was and is, without its end: the next one begins there. */
  readonly was: OnCallEvent;
  readonly is: OnCallEvent;
  /** Epoch ms: the new people serve from then on. */
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
 * The later versions that change with the people of one.
 *
 * @param endsAt when that one ends, epoch ms
 * @param later the versions after it, in order
 * @param newId makes an id of an attendee
 */
export function changeLaterVersions(
  change: VersionChange,
  endsAt: number,
  later: readonly OnCallEvent[],
  newId: () => string,
): readonly OnCallEvent[] {
  const [next, ...rest] = later;
  const changed = next && changeNext(change, endsAt, next, newId);
  if (!next || !changed) return [];
  if (next.cutAt === null || rest.length === 0) return [changed];
  const following = { ...change, was: withoutEnd(next), is: withoutEnd(changed) };
  return [changed, ...changeLaterVersions(following, next.cutAt, rest, newId)];
}

/** A version as if it went on for ever, for its people at and after its end. */
export const withoutEnd = (event: OnCallEvent): OnCallEvent => ({ ...event, cutAt: null });

/** The next version; null: it does not change. */
function changeNext(
  { was, is, at, replacesPlanned }: VersionChange,
  endsAt: number,
  next: OnCallEvent,
  newId: () => string,
): OnCallEvent | null {
  const [occurrence] = occurrencesStarting(seriesOf({ ...is, exceptions: [] }), endsAt, endsAt + 1);
  const first = firstOf(next);
  if (!occurrence || !first) return null;
  const from = Math.max(at, endsAt);
  const [before, after] = [rosterAt(was, from), rosterAt(is, from)];
  if (isSameRoster(before, after) && !replacesPlanned) return null;
  const isLater = at > endsAt;
  const started = isLater ? next : withLeft(is, occurrence, next, first);
  const begin = isLater ? Math.max(at, first.startAt) : first.startAt;
  return replacesPlanned
    ? changeRoster(started, after, begin)
    : changeRosters(started, begin, differenceOf(before, after, newId));
}
