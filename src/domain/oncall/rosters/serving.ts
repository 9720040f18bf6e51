/**
 * Who serves an occurrence of a series whose roster has versions. The version is found by search, so
 * a long history costs nothing. Ignores overrides and restrictions. Pure.
 */

import type { EarlierRoster, OnCallAttendee, OnCallEvent, Roster } from "../on-call-event.ts";
import type { Occurrence } from "../recurrence/occurrences.ts";
import {
  attendeesOnTurn,
  distinctAttendees,
  type RotationPosition,
  rotationOf,
  turnOf,
} from "../recurrence/rotation.ts";

/** A part [startAt, endAt) of an occurrence (epoch ms) and its people; possibly none. */
export type ServedPart = {
  readonly startAt: number;
  readonly endAt: number;
  readonly attendees: readonly OnCallAttendee[];
};

const NONE: readonly EarlierRoster[] = [];

export const earlierRostersOf = (event: OnCallEvent): readonly EarlierRoster[] =>
  event.earlierRosters ?? NONE;

/** Whether an event has occurrences that take turns, if its roster says so. */
export const takesTurns = (event: OnCallEvent): boolean =>
  event.repeat &&
  event.parentId === null &&
  (event.frequency ?? 0) >= 1 &&
  event.frequencyUnit !== null;

/** The index of the first roster that applies after `at`; their number if only the newest does. */
export function rosterIndexAt(earlier: readonly EarlierRoster[], at: number): number {
  let low = 0;
  let high = earlier.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((earlier[middle]?.untilAt ?? Number.POSITIVE_INFINITY) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The roster that serves occurrences starting at an instant (epoch ms). */
export function rosterAt(event: OnCallEvent, at: number): Roster {
  const earlier = earlierRostersOf(event);
  return earlier[rosterIndexAt(earlier, at)] ?? event;
}

/** Whether anyone has ever been in the event's rosters. */
export const hasAttendees = (event: OnCallEvent): boolean =>
  event.attendees.length > 0 || earlierRostersOf(event).some((it) => it.attendees.length > 0);

/**
 * Returns a function from an occurrence to its parts in order. A part ends where a change of the
 * roster hands it to other people.
 */
export function servingOf(event: OnCallEvent): (occurrence: Occurrence) => readonly ServedPart[] {
  const earlier = earlierRostersOf(event);
  const rotates = takesTurns(event);
  const people = new Map<Roster, readonly RotationPosition[]>();
  const positionsOf = (roster: Roster): readonly RotationPosition[] => {
    const known = people.get(roster);
    if (known) return known;
    const positions = rotates && roster.rotation ? rotationOf(roster) : [distinctAttendees(roster)];
    people.set(roster, positions);
    return positions;
  };
  const onTurn = (roster: Roster, turn: number) => attendeesOnTurn(positionsOf(roster), turn);
  return (occurrence) => {
    const { startAt, endAt, turn } = occurrence;
    const first = rosterIndexAt(earlier, startAt);
    const roster = earlier[first] ?? event;
    let part = { startAt, endAt, attendees: onTurn(roster, turnOf(roster, occurrence)) };
    const parts: ServedPart[] = [];
    for (let index = first; index < earlier.length; index++) {
      const { untilAt, cuts } = earlier[index] ?? { untilAt: endAt, cuts: null };
      if (untilAt >= endAt) break;
      if (cuts === null) continue;
      const next = earlier[index + 1] ?? event;
      const cut = cuts.find((it) => it.turn === turn);
      const attendees = onTurn(next, cut ? cut.position : turnOf(next, occurrence));
      if (isSamePeople(part.attendees, attendees)) continue;
      parts.push({ ...part, endAt: untilAt });
      part = { startAt: untilAt, endAt, attendees };
    }
    parts.push(part);
    return parts;
  };
}

const idsOf = (attendees: readonly OnCallAttendee[]): string =>
  attendees
    .map(({ attendeeId }) => attendeeId)
    .sort()
    .join();

const isSamePeople = (one: readonly OnCallAttendee[], other: readonly OnCallAttendee[]): boolean =>
  one === other || idsOf(one) === idsOf(other);
