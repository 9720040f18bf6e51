/**
 * Removes one part of an occurrence that is split, or moves it. Its hours have nobody on call; the
 * other parts and the overrides stay as plain shifts. Pure.
 */

import { type Refusal, refuse, refuseFields } from "../../shared/refusal.ts";
import { type OnCallAttendee, type OnCallEvent, SINGLE_SHIFT } from "../on-call-event.ts";
import type { OccurrenceWithParts } from "../recurrence/occurrence-at.ts";
import { occurrencesTouching } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import { rosterOf } from "../rosters/roster-change.ts";
import { validateEventRule } from "./event-validation.ts";
import { preserveServedHours } from "./served-hours.ts";

/** People who served together, as those of a shift. */
const inOrder = (attendees: readonly OnCallAttendee[]): readonly OnCallAttendee[] =>
  attendees.map((attendee, position) => ({ ...attendee, position }));

export type PartRemoval = {
  /** The changed event; null: delete it. */
  readonly event: OnCallEvent | null;
  /** The start of the occurrence to remove from the event; null: none. */
  readonly exceptionAt: number | null;
  /** Changed overrides in their new form. */
  readonly changed: readonly OnCallEvent[];
  /** The other parts and additional pieces of overrides, as new events: the caller assigns ids. */
  readonly added: readonly OnCallEvent[];
  /** Ids of overrides that served no hours: delete them. */
  readonly unserved: readonly string[];
};

/**
 * Decides the removal of one part of an occurrence.
 *
 * @param overrides all overrides of the event, direct and nested
 * @param left ids of people who have left the account
 */
export function decidePartRemoval(
  event: OnCallEvent,
  overrides: readonly OnCallEvent[],
  shown: OccurrenceWithParts,
  left: ReadonlySet<string>,
): PartRemoval {
  const { occurrence, part, ownParts } = shown;
  const others = ownParts.filter(
    ({ startAt, endAt }) => endAt <= part.startAt || startAt >= part.endAt,
  );
  const single = { ...event, ...SINGLE_SHIFT, exceptions: [] };
  const rest = others.map(({ attendees, ...hours }) =>
    withServed({ ...single, ...hours, attendees: inOrder(attendees) }, left),
  );
  const direct = overrides.filter((override) => override.parentId === event.id);
  if (event.repeat && event.parentId === null) {
    const exceptions = [...event.exceptions, { id: "", startAt: occurrence.startAt }];
    const series = seriesOf({ ...event, exceptions });
    const orphaned = direct.filter(
      ({ startAt, endAt }) => occurrencesTouching(series, startAt, endAt).length === 0,
    );
    const asShift = (it: OnCallEvent) => ({ ...it, parentId: null, overriddenStartAt: null });
    const replacements = new Map(orphaned.map((it) => [it.id, [asShift(it)]]));
    const { changed, rests, unserved } = preserveServedHours(event, overrides, replacements);
    const added = [...rest, ...rests];
    return { event, exceptionAt: occurrence.startAt, changed, added, unserved };
  }
  // Removing part of an override returns its hours to the people it replaced; its own overrides now
  // override those.
  const { parentId, overriddenStartAt } = event;
  const changed = direct.map((override) => ({ ...override, parentId, overriddenStartAt }));
  const [shrunk, ...added] = rest;
  return { event: shrunk ?? null, exceptionAt: null, changed, added, unserved: [] };
}

/** A shift whose people have left since: they served it, and are in its former roster only. */
function withServed(shift: OnCallEvent, left: ReadonlySet<string>): OnCallEvent {
  const present = shift.attendees.filter(({ attendeeId }) => !left.has(attendeeId));
  if (present.length === shift.attendees.length) return shift;
  const served = { ...rosterOf(shift), untilAt: shift.endAt, cuts: null };
  return { ...shift, attendees: inOrder(present), earlierRosters: [served] };
}

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
    parentId: null,
    overriddenStartAt: null,
    leavesEmpty: false,
    skipChanges: [],
    exceptions: [],
    attendees: inOrder(attendees),
  };
  const faults = validateEventRule(shift);
  return faults.length > 0 ? refuseFields(faults) : shift;
}
