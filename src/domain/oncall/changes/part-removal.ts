/**
 * Removes one part of an occurrence, or moves it: an override that leaves its hours empty. Pure.
 */

import { type Refusal, refuse, refuseFields } from "../../shared/refusal.ts";
import { type OnCallAttendee, type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import { type Interval, subtractIntervals } from "../override-precedence.ts";
import type { OccurrenceWithParts } from "../recurrence/occurrence-at.ts";
import { isOverride } from "../series-versions.ts";
import { validateEventRule } from "./event-validation.ts";

export type PartRemoval = {
  /** The event as it is left; null: delete it. */
  readonly event: OnCallEvent | null;
  /** New events: the override that leaves the hours empty, or the rest of a removed override. */
  readonly added: readonly OnCallEvent[];
};

/**
 * Decides the removal of one part of an occurrence. The hours of an override go back to those whom it
 * replaced.
 *
 * @param newId makes the id of an event
 */
export function decidePartRemoval(
  event: OnCallEvent,
  { occurrence, part }: OccurrenceWithParts,
  newId: () => string,
): PartRemoval {
  if (isOverride(event)) {
    const [left = null, ...rest] = subtractIntervals(event, [part]).map((hours) => ({
      ...event,
      ...hours,
    }));
    return { event: left, added: rest.map((it) => ({ ...it, id: newId() })) };
  }
  const isWhole = part.startAt <= occurrence.startAt && part.endAt >= occurrence.endAt;
  if (!event.repeat && isWhole) return { event: null, added: [] };
  return { event, added: [emptyHours(event, part, newId())] };
}

/** An override that leaves hours of a series empty. */
const emptyHours = (event: OnCallEvent, { startAt, endAt }: Interval, id: string): OnCallEvent => ({
  ...event,
  ...SINGLE_SHIFT,
  id,
  parentId: event.id,
  startAt,
  endAt,
  attendees: [],
  leavesEmpty: true,
  skipChanges: [],
  exceptions: [],
});

/** People who served together, as those of a shift. */
const inOrder = (attendees: readonly OnCallAttendee[]): readonly OnCallAttendee[] =>
  attendees.map((attendee, position) => ({ ...attendee, position }));

const NOBODY = refuse("invalid", "action_time: nobody is on call in this part", "action_time");

/**
 * A part of an occurrence, with its people, as a plain shift of other hours.
 *
 * @param to the new shift's id and its hours [startAt, endAt) in epoch ms
 * @returns 422 if the hours are invalid, or nobody serves the part
 */
export function movedPart(
  event: OnCallEvent,
  { attendees }: OccurrenceWithParts,
  to: Pick<OnCallEvent, "id" | "startAt" | "endAt">,
): OnCallEvent | Refusal {
  if (attendees.length === 0) return NOBODY;
  const shift = {
    ...event,
    ...SINGLE_SHIFT,
    ...to,
    seriesId: to.id,
    parentId: null,
    leavesEmpty: false,
    skipChanges: [],
    exceptions: [],
    attendees: inOrder(attendees),
  };
  const faults = validateEventRule(shift);
  return faults.length > 0 ? refuseFields(faults) : shift;
}
