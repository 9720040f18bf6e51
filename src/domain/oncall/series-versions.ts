/**
 * The events of one series: its versions, each of which goes on with the one before ("this and
 * following"), and its overrides. Pure.
 */

import type { OnCallEvent } from "./on-call-event.ts";
import { lastOccurrence, nextOccurrence, type Occurrence } from "./recurrence/occurrences.ts";
import { type Series, seriesOf } from "./recurrence/recurrence.ts";

type Member = Pick<OnCallEvent, "id" | "seriesId" | "parentId">;

export const isOverride = ({ parentId }: Pick<OnCallEvent, "parentId">): boolean =>
  parentId !== null;

/** The series of each event, by the event's id; an event that is not among them is its own. */
export function seriesIdsOf(events: readonly Member[]): (id: string) => string {
  const ids = new Map(events.map(({ id, seriesId }) => [id, seriesId]));
  return (id) => ids.get(id) ?? id;
}

/** When a version begins, epoch ms. */
export const beginOf = ({ beginsAt, startAt }: OnCallEvent): number => beginsAt ?? startAt;

/** A series with the occurrences that were removed, which use their turns. */
export const withRemoved = (event: OnCallEvent): Series => seriesOf({ ...event, exceptions: [] });

/** The first occurrence of a version; a removed one is it, too. */
export const firstOf = (event: OnCallEvent): Occurrence | null =>
  nextOccurrence(withRemoved(event), beginOf(event));

/**
 * The turn of a version, as if it went on, in whose place is the first occurrence of the next version.
 * Null: it has no turns.
 */
export function turnAfter(event: OnCallEvent): number | null {
  const series = withRemoved({ ...event, cutAt: null });
  const { cutAt } = event;
  const following = cutAt === null ? null : nextOccurrence(series, cutAt);
  if (following) return following.turn;
  const last = lastOccurrence(series, cutAt ?? Number.POSITIVE_INFINITY);
  return last && last.turn + 1;
}

/**
 * Returns a function from an event to the version of its series that counts at an instant (epoch ms):
 * the last that has begun by then, else the first. A version is its own; an override of a series that
 * is not among the events has none.
 */
export function versionsOf(
  events: readonly OnCallEvent[],
): (event: OnCallEvent, at: number) => OnCallEvent | undefined {
  const bySeries = Map.groupBy(
    events.filter((it) => !isOverride(it)),
    ({ seriesId }) => seriesId,
  );
  return (event, at) => {
    if (!isOverride(event)) return event;
    let version: OnCallEvent | undefined;
    for (const it of bySeries.get(event.seriesId) ?? []) {
      if (version === undefined || isCloser(it, version, at)) version = it;
    }
    return version;
  };
}

function isCloser(one: OnCallEvent, other: OnCallEvent, at: number): boolean {
  const [first, second] = [beginOf(one), beginOf(other)];
  if (first === second) return one.createdAt > other.createdAt;
  return first <= at ? second > at || first > second : second > at && first < second;
}
