/** What the events of a schedule contribute to who is on call, each by its rule. Pure. */

import type { OnCallAttendee, OnCallEvent } from "./on-call-event.ts";
import { replacedHours, subtractIntervals } from "./override-precedence.ts";
import { type PrioritizedEntry, priorityOf } from "./priorities.ts";
import { type Occurrence, occurrencesTouching } from "./recurrence/occurrences.ts";
import { seriesOf } from "./recurrence/recurrence.ts";
import { restrictedHours } from "./restricted-hours.ts";
import { hasAttendees, servingOf } from "./rosters/serving.ts";
import { isOverride } from "./series-versions.ts";

/**
 * What each event contributes in [from, to) (epoch ms) before priorities apply; entries of nobody
 * only where they have precedence.
 */
export function entriesBetween(
  events: readonly OnCallEvent[],
  from: number,
  to: number,
): PrioritizedEntry[] {
  const replacedIn = replacedHours(events);
  const priorityIn = priorityOf(events);
  const entries: PrioritizedEntry[] = [];
  for (const event of events) {
    const priority = priorityIn(event);
    if (priority === 0 && !hasAttendees(event)) continue;
    const isGivenBack = isOverride(event) && !event.leavesEmpty;
    const occurrences = occurrencesTouching(seriesOf(event), from, to);
    if (occurrences.length === 0) continue;
    const serving = servingOf(event);
    const restricted = restrictedHours(event, from, to);
    const replaced = replacedIn(event);
    const add = (
      attendees: readonly OnCallAttendee[],
      occurrence: Occurrence,
      hours: { startAt: number; endAt: number },
    ) => {
      for (const part of subtractIntervals(hours, replaced)) {
        if (part.startAt >= to || part.endAt <= from) continue;
        const { startAt, endAt } = part;
        entries.push({
          layer: event.layer,
          startAt,
          endAt,
          eventId: event.id,
          occurrenceAt: occurrence.startAt,
          ...(!isOverride(event) && { turn: occurrence.turn }),
          attendees,
          priority,
        });
      }
    };
    for (const occurrence of occurrences) {
      for (const { attendees, ...served } of serving(occurrence)) {
        if (attendees.length === 0 && (priority === 0 || isGivenBack)) continue;
        for (const hours of restricted(served)) add(attendees, occurrence, hours);
      }
    }
  }
  return entries;
}
