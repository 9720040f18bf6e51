/**
 * Whose turn it is in a rotation. A person may have several positions, and a position may be
 * nobody's.
 */

import type { OnCallAttendee, OnCallEvent } from "./on-call-event.ts";

/** One position of a rotation; null: nobody's turn. */
export type Place<Person> = Person | null;

/** The positions of a rotation in their order. */
export function rotationOf(event: OnCallEvent): readonly Place<OnCallAttendee>[] {
  const people = event.attendees.map((attendee) => ({ position: attendee.position, attendee }));
  const empty = (event.emptyPositions ?? []).map((position) => ({ position, attendee: null }));
  return [...people, ...empty]
    .sort((one, other) => one.position - other.position)
    .map(({ attendee }) => attendee);
}

/** Everyone who attends the event, in order, once each: those on call together. */
export function distinctAttendees(event: OnCallEvent): readonly OnCallAttendee[] {
  const inOrder = event.attendees.toSorted((one, other) => one.position - other.position);
  const first = new Map(inOrder.toReversed().map((it) => [it.attendeeId, it]));
  return inOrder.filter((attendee) => first.get(attendee.attendeeId) === attendee);
}

/** The turn of an occurrence, with the offset of a series that continues another one. */
export const turnOf = (event: OnCallEvent, occurrence: { readonly turn: number }): number =>
  occurrence.turn + (event.turnOffset ?? 0);

/** Whoever has a turn; empty when it is nobody's. */
export function onTurn(
  line: readonly Place<OnCallAttendee>[],
  turn: number,
): readonly OnCallAttendee[] {
  const attendee = line[modulo(turn, line.length)];
  return attendee ? [attendee] : [];
}

/** The remainder in [0, length); 0 for a length of 0. */
export const modulo = (value: number, length: number): number =>
  length === 0 ? 0 : ((value % length) + length) % length;

/**
 * The position in a changed rotation that has the next turn: after whoever had the last one, in the
 * new order. When that person has left, the next in the old order who is still there.
 *
 * @param before the rotation as it was, by person
 * @param after the rotation as it becomes
 * @param last the position in `before` that had the last turn
 */
export function nextPosition(
  before: readonly Place<string>[],
  after: readonly Place<string>[],
  last: number,
): number {
  if (before.length === 0 || after.length === 0) return 0;
  const held = samePosition(before, after, last);
  if (held !== null) return modulo(held + 1, after.length);
  for (let step = 1; step < before.length; step++) {
    const found = samePosition(before, after, last + step);
    if (found !== null) return found;
  }
  return 0;
}

/**
 * The position that a person of the old rotation has in the new one, or null. Of several positions
 * of one person it is the one whose neighbours agree best with the old order.
 */
export function samePosition(
  before: readonly Place<string>[],
  after: readonly Place<string>[],
  position: number,
): number | null {
  const at = modulo(position, before.length);
  const agreement = (to: number) => {
    let ahead = 0;
    let behind = 0;
    while (ahead < before.length && same(at + ahead + 1, to + ahead + 1)) ahead++;
    while (behind < before.length && same(at - behind - 1, to - behind - 1)) behind++;
    return ahead + behind;
  };
  const same = (one: number, other: number) =>
    before[modulo(one, before.length)] === after[modulo(other, after.length)];
  const positions = after.flatMap((person, to) => (person === before[at] ? [to] : []));
  const best = positions.toSorted(
    (one, other) => agreement(other) - agreement(one) || Math.abs(one - at) - Math.abs(other - at),
  );
  return best[0] ?? null;
}
