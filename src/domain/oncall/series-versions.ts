/**
 * The events of one series: its versions, each of which goes on with the one before ("this and
 * following"), and its overrides. Pure.
 */

import type { OnCallEvent } from "./on-call-event.ts";

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
