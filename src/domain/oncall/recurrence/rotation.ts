/** Whose turn it is in a rotation. A person may have several positions; a position may be empty. */

import type { OnCallAttendee, OnCallEvent } from "../on-call-event.ts";

/** One position of a rotation; null: empty. */
export type RotationPosition<Person> = Person | null;

/** The positions of a rotation, in order. */
export function rotationOf(event: OnCallEvent): readonly RotationPosition<OnCallAttendee>[] {
  const people = event.attendees.map((attendee) => ({ position: attendee.position, attendee }));
  const empty = (event.emptyPositions ?? []).map((position) => ({ position, attendee: null }));
  return [...people, ...empty]
    .sort((one, other) => one.position - other.position)
    .map(({ attendee }) => attendee);
}

/** All attendees of an event on call together: in order, without repeats. */
export function distinctAttendees(event: OnCallEvent): readonly OnCallAttendee[] {
  const inOrder = event.attendees.toSorted((one, other) => one.position - other.position);
  const first = new Map(inOrder.toReversed().map((it) => [it.attendeeId, it]));
  return inOrder.filter((attendee) => first.get(attendee.attendeeId) === attendee);
}

/** The turn of an occurrence, including the offset of a series that continues another one. */
export const turnOf = (event: OnCallEvent, occurrence: { readonly turn: number }): number =>
  occurrence.turn + (event.turnOffset ?? 0);

/** The person whose turn it is; empty if the position is. */
export function attendeesOnTurn(
  positions: readonly RotationPosition<OnCallAttendee>[],
  turn: number,
): readonly OnCallAttendee[] {
  const attendee = positions[modulo(turn, positions.length)];
  return attendee ? [attendee] : [];
}

/** The remainder in [0, length); 0 for a length of 0. */
export const modulo = (value: number, length: number): number =>
  length === 0 ? 0 : ((value % length) + length) % length;

/**
 * The position in a changed rotation that takes the next turn: the one after the last person, in
 * the new order. If that person has left, the next remaining person in the old order.
 *
 * @param before the previous rotation, by person
 * @param after the new rotation, by person
 * @param last the position in `before` that had the last turn
 */
export function nextPosition(
  before: readonly RotationPosition<string>[],
  after: readonly RotationPosition<string>[],
  last: number,
): number {
  if (before.length === 0 || after.length === 0) return 0;
  const currentPosition = samePosition(before, after, last);
  if (currentPosition !== null) return modulo(currentPosition + 1, after.length);
  for (let step = 1; step < before.length; step++) {
    const found = samePosition(before, after, last + step);
    if (found !== null) return found;
  }
  return 0;
}

/**
 * The position in the new rotation of a person in the old one, or null. Of several positions of one
 * person, the one whose neighbours match the old order best.
 */
export function samePosition(
  before: readonly RotationPosition<string>[],
  after: readonly RotationPosition<string>[],
  position: number,
): number | null {
  const at = modulo(position, before.length);
  const matchingNeighbours = (to: number) => {
    let ahead = 0;
    let behind = 0;
    while (ahead < before.length && same(at + ahead + 1, to + ahead + 1)) ahead++;
    while (behind < before.length && same(at - behind - 1, to - behind - 1)) behind++;
    return ahead + behind;
  };
  const same = (one: number, other: number) =>
    before[modulo(one, before.length)] === after[modulo(other, after.length)];
  const positions = after.flatMap((person, to) => (person === before[at] ? [to] : []));
  const sorted = positions.toSorted(
    (one, other) =>
      matchingNeighbours(other) - matchingNeighbours(one) ||
      Math.abs(one - at) - Math.abs(other - at),
  );
  return sorted[0] ?? null;
}
