/**
 * Computes the hours of an event that overrides replace. The overrides of a series are a flat list: at
 * every instant the newest that covers it is on call, on any layer. Pure.
 */

import type { OnCallEvent } from "./on-call-event.ts";
import { earlierRostersOf } from "./rosters/serving.ts";
import { isOverride } from "./series-versions.ts";

export type Interval = { readonly startAt: number; readonly endAt: number };

const NONE: readonly Interval[] = [];

/** Hours of an override in which it replaces others, and the override. */
type Serving = Interval & { readonly override: OnCallEvent };

/**
 * Returns, for each of `events`, the intervals in which overrides replace its people, ordered by
 * start: for an override those of newer ones. An override without attendees replaces nobody, unless it
 * leaves its hours empty: the people it replaced are on call again.
 */
export function replacedHours(
  events: readonly OnCallEvent[],
): (event: OnCallEvent) => readonly Interval[] {
  const serving = events.filter((it) => isOverride(it) && it.endAt > it.startAt);
  if (serving.length === 0) return () => NONE;
  const bySeries = Map.groupBy(
    serving.flatMap(servingHours).sort((one, other) => one.startAt - other.startAt),
    ({ override }) => override.seriesId,
  );
  return (event) => {
    const own = bySeries.get(event.seriesId) ?? NONE_SERVING;
    if (!isOverride(event)) return own;
    return own.filter(
      ({ startAt, endAt, override }) =>
        startAt < event.endAt && endAt > event.startAt && isNewer(override, event),
    );
  };
}

const NONE_SERVING: readonly Serving[] = [];

const isNewer = (one: OnCallEvent, other: OnCallEvent): boolean =>
  one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;

/** The hours of an override in which it has people, or is to have none. */
function servingHours(override: OnCallEvent): readonly Serving[] {
  const { startAt, endAt } = override;
  return subtractIntervals({ startAt, endAt }, emptyPeriods(override)).map((hours) => ({
    ...hours,
    override,
  }));
}

/**
 * When an override replaces nobody: its people may leave it, or join it later. Ordered by start.
 */
function emptyPeriods(override: OnCallEvent): readonly Interval[] {
  if (override.leavesEmpty) return NONE;
  const rosters = [...earlierRostersOf(override), override];
  return rosters.flatMap(({ attendees }, index) => {
    if (attendees.length > 0) return [];
    const startAt = earlierRostersOf(override)[index - 1]?.untilAt ?? Number.NEGATIVE_INFINITY;
    const endAt = earlierRostersOf(override)[index]?.untilAt ?? Number.POSITIVE_INFINITY;
    return [{ startAt, endAt }];
  });
}

/** Subtracts intervals (ordered by start) from an interval. */
export function subtractIntervals(
  { startAt, endAt }: Interval,
  others: readonly Interval[],
): Interval[] {
  const parts: Interval[] = [];
  let from = startAt;
  for (const other of others) {
    if (other.startAt >= endAt) break;
    if (other.endAt <= from) continue;
    if (other.startAt > from) parts.push({ startAt: from, endAt: other.startAt });
    from = other.endAt;
  }
  if (from < endAt) parts.push({ startAt: from, endAt });
  return parts;
}
