/**
 * Whose turn it is in a rotation. A person may have several positions, several people may share one,
 * and a position may be empty.
 */

import type { OnCallAttendee, Roster } from "../on-call-event.ts";

/** The people of one position of a rotation; none: nobody's turn. */
export type RotationPosition = readonly OnCallAttendee[];

/** The positions of a rotation, in order. */
export function rotationOf(roster: Roster): readonly RotationPosition[] {
  const people = Map.groupBy(roster.attendees, ({ position }) => position);
  const positions = new Set([...people.keys(), ...(roster.emptyPositions ?? [])]);
  return [...positions].sort((a, b) => a - b).map((position) => people.get(position) ?? []);
}

/** All attendees of a roster on call together: in order, without repeats. */
export function distinctAttendees(roster: Roster): readonly OnCallAttendee[] {
  const inOrder = roster.attendees.toSorted((one, other) => one.position - other.position);
  const first = new Map(inOrder.toReversed().map((it) => [it.attendeeId, it]));
  return inOrder.filter((attendee) => first.get(attendee.attendeeId) === attendee);
}

/** The turn of an occurrence, including the offset of the roster. */
export const turnOf = (roster: Roster, occurrence: { readonly turn: number }): number =>
  occurrence.turn + (roster.turnOffset ?? 0);

/** The people whose turn it is; none if the position is empty. */
export const attendeesOnTurn = (
  positions: readonly RotationPosition[],
  turn: number,
): readonly OnCallAttendee[] => positions[modulo(turn, positions.length)] ?? [];

/** The remainder in [0, length); 0 for a length of 0. */
export const modulo = (value: number, length: number): number =>
  length === 0 ? 0 : ((value % length) + length) % length;

/** A position as it is compared: the ids of its people in a fixed order; empty: nobody. */
export type PositionPeople = readonly string[];

/** The positions of a rotation, by person. */
export const peopleByPosition = (roster: Roster): readonly PositionPeople[] =>
  rotationOf(roster).map((position) =>
    [...new Set(position.map(({ attendeeId }) => attendeeId))].sort(),
  );

/**
 * The position in a changed rotation that takes the next turn: the one after the last people, in the
 * new order. If they have left, that of the next remaining people in the old order.
 *
 * @param before the previous rotation, by person
 * @param after the new rotation, by person
 * @param last the position in `before` that had the last turn
 */
export function nextPosition(
  before: readonly PositionPeople[],
  after: readonly PositionPeople[],
  last: number,
): number {
  if (before.length === 0 || after.length === 0) return 0;
  const currentPosition = samePosition(before, after, last);
  if (currentPosition !== null) return modulo(currentPosition + 1, after.length);
  for (let step = 1; step < before.length; step++) {
    // An empty position replaces nobody who has left.
    if (before[modulo(last + step, before.length)]?.length === 0) continue;
    const found = samePosition(before, after, last + step);
    if (found !== null) return found;
  }
  return 0;
}

/**
 * The position in the new rotation of the people of a position in the old one; if they no longer
 * share one, the first position with most of them; null if none is left. If a person has several
 * positions, the one whose neighbours match the old order best.
 */
export function samePosition(
  before: readonly PositionPeople[],
  after: readonly PositionPeople[],
  position: number,
): number | null {
  if (before.length === 0) return null;
  const at = modulo(position, before.length);
  const [old, now] = [before.map(keyOf), after.map(keyOf)];
  const same = (one: number, other: number) =>
    old[modulo(one, old.length)] === now[modulo(other, now.length)];
  const matchingNeighbours = (to: number) => {
    let ahead = 0;
    let behind = 0;
    while (ahead < before.length && same(at + ahead + 1, to + ahead + 1)) ahead++;
    while (behind < before.length && same(at - behind - 1, to - behind - 1)) behind++;
    return ahead + behind;
  };
  const candidates = likest(before[at] ?? [], after);
  const sorted = candidates.toSorted(
    (one, other) =>
      matchingNeighbours(other) - matchingNeighbours(one) ||
      Math.abs(one - at) - Math.abs(other - at),
  );
  return sorted[0] ?? null;
}

const keyOf = (people: PositionPeople): string => people.join();

/** The positions with exactly these people, or else the first one with most of them. */
function likest(people: PositionPeople, after: readonly PositionPeople[]): readonly number[] {
  const key = keyOf(people);
  const exact = after.flatMap((other, to) => (keyOf(other) === key ? [to] : []));
  if (exact.length > 0) return exact;
  const shared = after.map((other) => other.filter((id) => people.includes(id)).length);
  const most = Math.max(0, ...shared);
  return most === 0 ? [] : [shared.indexOf(most)];
}
