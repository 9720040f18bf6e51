/**
 * Changes a series from one of its occurrences on ("this and following"): it goes on as another
 * version, with its turns and its later exceptions. Overrides belong to hours, so none of them
 * changes. Pure.
 */

import { isSkipping } from "../absences/absence.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { lastOccurrence, type Occurrence } from "../recurrence/occurrences.ts";
import { rotationOf } from "../recurrence/rotation.ts";
import { withRemoved } from "../series-versions.ts";
import { continuationOf, type PeopleChange } from "./continuation.ts";

export type FollowingChange = {
  /** The series before the occurrence; null if that was the first, so the whole series changes. */
  readonly before: OnCallEvent | null;
  /** The series from the occurrence on, with its remaining exceptions. */
  readonly after: OnCallEvent;
  /** Starts (epoch ms) of exceptions whose occurrence has no successor. */
  readonly dropped: readonly number[];
};

/**
 * Decides the change of a series from an occurrence on.
 *
 * @param edited the event with the change; its start and end are those of the first changed
 *   occurrence
 * @param id id of the new version, if the change splits the event
 * @param people how the people of `edited` serve, if they differ
 */
export function decideFollowing(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
  id: string,
  people: PeopleChange,
): FollowingChange {
  const { startAt: at } = occurrence;
  const isFirst = lastOccurrence(withRemoved(event), at) === null;
  const { event: continued, dropped } = continuationOf(event, occurrence, edited, people);
  return {
    before: isFirst ? null : { ...event, cutAt: at },
    after: { ...continued, id: isFirst ? event.id : id },
    dropped,
  };
}

/** Whether a change has no effect from an occurrence on. */
export function isUnchanged(
  event: OnCallEvent,
  occurrence: Occurrence,
  edited: OnCallEvent,
): boolean {
  const { startAt, endAt } = occurrence;
  return JSON.stringify(ruleOf({ ...event, startAt, endAt })) === JSON.stringify(ruleOf(edited));
}

/** The editable fields in a fixed order; row ids are ignored. */
const ruleOf = (event: OnCallEvent) => [
  [event.startAt, event.endAt, event.layer, event.timeZone, event.repeat, event.rotation],
  [event.frequency, event.frequencyUnit, event.daysOfWeek, event.repeatEndAt],
  [event.restrictions ?? [], event.priority ?? 0, isSkipping(event)],
  rotationOf(event).map((position) => position.map(({ attendeeId }) => attendeeId)),
];
