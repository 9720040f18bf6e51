/**
 * Takes people out of the rosters of an event when they leave the account. What they served stays.
 * Pure.
 */

import type { OnCallEvent, Roster } from "../on-call-event.ts";
import { rotationOf } from "../recurrence/rotation.ts";
import { changeRoster, type NewRoster, rosterOf } from "./roster-change.ts";
import { earlierRostersOf, rosterIndexAt } from "./serving.ts";

/**
 * The event without these people from `now` (epoch ms) on. Changes that are planned for later still
 * take effect then, without them.
 */
export function removeFromRosters(
  event: OnCallEvent,
  people: ReadonlySet<string>,
  now: number,
): OnCallEvent {
  const earlier = earlierRostersOf(event);
  const index = rosterIndexAt(earlier, now - 1);
  const planned = earlier.slice(index).map(({ untilAt }, step) => ({
    at: untilAt,
    roster: withoutPeople(earlier[index + step + 1] ?? event, people),
  }));
  const left = changeRoster(event, withoutPeople(earlier[index] ?? event, people), now);
  return planned.reduce((changed, { at, roster }) => changeRoster(changed, roster, at), left);
}

/** A position that loses all its people is no longer part of the rotation. */
function withoutPeople(roster: Roster, people: ReadonlySet<string>): NewRoster {
  const { rotation } = rosterOf(roster);
  const positions = rotationOf(roster).flatMap((position) => {
    const left = position.filter(({ attendeeId }) => !people.has(attendeeId));
    return position.length > 0 && left.length === 0 ? [] : [left];
  });
  return {
    rotation,
    attendees: positions.flatMap((those, position) => those.map((it) => ({ ...it, position }))),
    emptyPositions: positions.flatMap((those, position) => (those.length === 0 ? [position] : [])),
  };
}
