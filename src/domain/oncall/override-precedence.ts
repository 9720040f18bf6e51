/**
 * Computes the hours of an event that overrides replace. For an override these are the hours of
 * newer overrides. Pure.
 *
 * All overrides of one series, direct and nested, form a family. At every instant the newest of the
 * family that covers it is on call, on any layer.
 */

import type { OnCallEvent } from "./on-call-event.ts";
import { earlierRostersOf } from "./rosters/serving.ts";

export type Interval = { readonly startAt: number; readonly endAt: number };

const NONE: readonly Interval[] = [];

/** Hours of an override in which it has people, and the override. */
type Serving = Interval & { readonly override: OnCallEvent };

/**
 * Returns, for each of `events`, the intervals in which overrides replace its people, ordered by
 * start. An override without attendees replaces nobody, unless it leaves its hours empty: the people
 * it replaced are on call again.
 */
export function replacedHours(
  events: readonly OnCallEvent[],
): (event: OnCallEvent) => readonly Interval[] {
  const overrides = events.filter((it) => it.parentId !== null && it.endAt > it.startAt);
  const serving = overrides.flatMap(servingHours);
  if (serving.length === 0) return () => NONE;
  const byId = new Map(events.map((event) => [event.id, event]));
  const replacing = serving.flatMap((it) => replacedBy(it, it.override.parentId ?? "", byId));
  const byParent = Map.groupBy(replacing, ({ parentId }) => parentId);
  const ranks = ranksOf(events, byId);
  const families = Map.groupBy(serving, ({ override }) => rootOf(override, byId));
  const rank = (event: OnCallEvent) => ranks.get(event.id) ?? 0;
  return (event) => {
    if (event.parentId === null) return sortByStart(byParent.get(event.id) ?? []);
    const family = families.get(rootOf(event, byId)) ?? [];
    return sortByStart(
      family.filter(
        (it) =>
          it.startAt < event.endAt && it.endAt > event.startAt && rank(it.override) > rank(event),
      ),
    );
  };
}

const sortByStart = (intervals: readonly Interval[]): readonly Interval[] =>
  intervals.length === 0 ? NONE : intervals.toSorted((one, other) => one.startAt - other.startAt);

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

/**
 * The events whose people the hours replace: the parent's, and in the hours in which that one is an
 * override without people, those of its own parent.
 */
function replacedBy(
  hours: Interval,
  parentId: string,
  byId: ById,
): readonly (Interval & { readonly parentId: string })[] {
  const parent = byId.get(parentId);
  if (!parent?.parentId) return [{ ...hours, parentId }];
  const replaced = subtractIntervals(hours, emptyPeriods(parent));
  const passedOn = subtractIntervals(hours, replaced);
  const above = parent.parentId;
  return [
    ...replaced.map((it) => ({ ...it, parentId })),
    ...passedOn.flatMap((it) => replacedBy(it, above, byId)),
  ];
}

type ById = ReadonlyMap<string, OnCallEvent>;

/** The series at the root of an override's chain; it need not be among the events. */
function rootOf(override: OnCallEvent, byId: ById): string {
  let id = override.id;
  let event: OnCallEvent | undefined = override;
  while (event?.parentId) {
    id = event.parentId;
    event = byId.get(id);
  }
  return id;
}

/** The sort key of an override's age: creation time, id, and depth below that event. */
type Age = { readonly createdAt: number; readonly id: string; readonly depth: number };

/**
 * Ranks the overrides from oldest to newest, starting at 1. An override ranks above the one it
 * overrides, even if both were created in the same millisecond.
 */
function ranksOf(events: readonly OnCallEvent[], byId: ById): ReadonlyMap<string, number> {
  const ages = new Map<string, Age>();
  const ageOf = (event: OnCallEvent): Age => {
    const known = ages.get(event.id);
    if (known) return known;
    const own = { createdAt: event.createdAt, id: event.id, depth: 0 };
    const parent = byId.get(event.parentId ?? "");
    const parentAge = parent?.parentId ? ageOf(parent) : null;
    const isOlder = parentAge !== null && byAge(own, { ...parentAge, depth: 0 }) < 0;
    const age = isOlder ? { ...parentAge, depth: parentAge.depth + 1 } : own;
    ages.set(event.id, age);
    return age;
  };
  const overrides = events.filter((event) => event.parentId !== null);
  const sorted = overrides
    .map((event) => ({ id: event.id, age: ageOf(event) }))
    .sort((one, other) => byAge(one.age, other.age) || (one.id < other.id ? -1 : 1));
  return new Map(sorted.map(({ id }, index) => [id, index + 1]));
}

function byAge(one: Age, other: Age): number {
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt;
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  return one.depth - other.depth;
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
