/**
 * Takes people out of the rosters of an event when they leave the account. What they served stays.
 * Pure.
 */

import type { OnCallEvent, Roster } from "../on-call-event.ts";
import { rotationOf } from "../recurrence/rotation.ts";
import { changeRosters } from "./planned-rosters.ts";
import { type NewRoster, rosterOfPositions } from "./roster-change.ts";

/**
 * The event without these people from `now` (epoch ms) on. Changes that are planned for later still
 * take effect then, without them.
 */
export const removeFromRosters = (
  event: OnCallEvent,
  people: ReadonlySet<string>,
  now: number,
): OnCallEvent => changeRosters(event, now, (roster) => withoutPeople(roster, people));

/** A position that loses all its people is no longer part of the rotation. */
function withoutPeople(roster: Roster, people: ReadonlySet<string>): NewRoster {
  const positions = rotationOf(roster).flatMap((position) => {
    const left = position.filter(({ attendeeId }) => !people.has(attendeeId));
    return position.length > 0 && left.length === 0 ? [] : [left];
  });
  return rosterOfPositions(roster.rotation, positions);
}
