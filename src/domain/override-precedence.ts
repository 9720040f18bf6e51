/**
 * Which hours of an event other people serve: the overrides of it, and for an override also the
 * newer ones that cover the same hours. Pure.
 *
 * All overrides below one series (overrides of overrides too) are a family. At every instant the
 * newest of the family that covers it is on call, on whatever layer.
 */

import type { OnCallEvent } from "./on-call-event.ts";

export type Interval = { readonly startAt: number; readonly endAt: number };

const NONE: readonly Interval[] = [];

/**
 * Answers, for each of `events`, the intervals in which overrides replace its people, by start.
 * An override whose people have all been removed replaces nobody: those it replaced are on call
 * again.
 */
export function replacedHours(
  events: readonly OnCallEvent[],
): (event: OnCallEvent) => readonly Interval[] {
  const overrides = events.filter((it) => it.parentId !== null && it.endAt > it.startAt);
  const serving = overrides.filter((it) => it.attendees.length > 0);
  if (serving.length === 0) return () => NONE;
  const byId = new Map(events.map((event) => [event.id, event]));
  const byParent = Map.groupBy(serving, (it) => servingParent(it, byId));
  const ranks = ranksOf(events, byId);
  const families = Map.groupBy(serving, (it) => rootOf(it, byId));
  const rank = (event: OnCallEvent) => ranks.get(event.id) ?? 0;
  return (event) => {
    if (event.parentId === null) return inOrder(byParent.get(event.id) ?? []);
    const family = families.get(rootOf(event, byId)) ?? [];
    return inOrder(
      family.filter(
        (it) => it.startAt < event.endAt && it.endAt > event.startAt && rank(it) > rank(event),
      ),
    );
  };
}

const inOrder = (overrides: readonly OnCallEvent[]): readonly Interval[] =>
  overrides.length === 0 ? NONE : overrides.toSorted((one, other) => one.startAt - other.startAt);

type ById = ReadonlyMap<string, OnCallEvent>;

/** Whom an override replaces: its parent, or in place of an emptied one those that it replaced. */
function servingParent(override: OnCallEvent, byId: ById): string {
  let parentId = override.parentId ?? override.id;
  let parent = byId.get(parentId);
  while (parent?.parentId && parent.attendees.length === 0) {
    parentId = parent.parentId;
    parent = byId.get(parentId);
  }
  return parentId;
}

/** The series at the top of an override's chain, which need not be among the events. */
function rootOf(override: OnCallEvent, byId: ById): string {
  let id = override.id;
  let event: OnCallEvent | undefined = override;
  while (event?.parentId) {
    id = event.parentId;
    event = byId.get(id);
  }
  return id;
}

/** An override's age: when it was created, its id, and how far below that event it stands. */
type Age = { readonly createdAt: number; readonly id: string; readonly depth: number };

/**
 * The overrides from the oldest to the newest, numbered from 1. One is always newer than the one
 * it overrides, also where both were created in the same millisecond.
 */
function ranksOf(events: readonly OnCallEvent[], byId: ById): ReadonlyMap<string, number> {
  const ages = new Map<string, Age>();
  const ageOf = (event: OnCallEvent): Age => {
    const known = ages.get(event.id);
    if (known) return known;
    const own = { createdAt: event.createdAt, id: event.id, depth: 0 };
    const parent = byId.get(event.parentId ?? "");
    const above = parent?.parentId ? ageOf(parent) : null;
    const isOlder = above !== null && byAge(own, { ...above, depth: 0 }) < 0;
    const age = isOlder ? { ...above, depth: above.depth + 1 } : own;
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

/** The parts of an interval that none of the others (sorted by start) covers. */
export function without({ startAt, endAt }: Interval, others: readonly Interval[]): Interval[] {
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
