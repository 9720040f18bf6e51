/**
 * Precedence between series of one layer: in the hours of a series, those of lower priority do not
 * count. Pure.
 */

import type { AbsentPerson } from "./absences/serve-absences.ts";
import type { OnCallAttendee, OnCallEvent } from "./on-call-event.ts";
import { subtractIntervals } from "./override-precedence.ts";
import { versionsOf } from "./series-versions.ts";

/** An occurrence, or a part of it; without attendees it only takes precedence. */
export type PrioritizedEntry = {
  readonly layer: number;
  readonly startAt: number;
  readonly endAt: number;
  readonly eventId: string;
  /** The start (epoch ms) of the occurrence. */
  readonly occurrenceAt: number;
  /** The turn of the occurrence; not present: it is an override. */
  readonly turn?: number;
  readonly attendees: readonly OnCallAttendee[];
  readonly priority: number;
  readonly absent?: readonly AbsentPerson[];
  readonly named?: readonly string[];
};

/**
 * Returns the priority of an event. An override has that of its series when it begins, or its own if
 * the series is not among the events.
 */
export function priorityOf(events: readonly OnCallEvent[]): (event: OnCallEvent) => number {
  if (events.every(({ priority }) => !priority)) return () => 0;
  const versionAt = versionsOf(events);
  return (event) => (versionAt(event, event.startAt) ?? event).priority ?? 0;
}

/**
 * Removes from each entry the hours in which one of its layer has a higher priority.
 *
 * @param entriesAbove the entries of a priority above one, in a window (epoch ms): entries may be cut
 *   outside the window that they were computed for
 * @param highest the highest priority that there is
 */
export function applyPriorities<Entry extends PrioritizedEntry>(
  entries: readonly Entry[],
  entriesAbove: (priority: number, from: number, to: number) => readonly PrioritizedEntry[],
  highest: number,
): readonly Entry[] {
  const lower = entries.filter((it) => it.priority < highest);
  if (lower.length === 0) return entries;
  const from = Math.min(...lower.map(({ startAt }) => startAt));
  const to = Math.max(...lower.map(({ endAt }) => endAt));
  const lowest = Math.min(...lower.map((it) => it.priority));
  const preceding = entriesAbove(lowest, from, to);
  const byLayer = Map.groupBy(
    preceding.toSorted((one, other) => one.startAt - other.startAt),
    ({ layer }) => layer,
  );
  return entries.flatMap((entry) => {
    const above = byLayer.get(entry.layer)?.filter((it) => it.priority > entry.priority) ?? [];
    return subtractIntervals(entry, above).map((hours) => ({ ...entry, ...hours }));
  });
}
