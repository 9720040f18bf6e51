/**
 * Changes the roster of a series from an instant on. Who was on call before stays; the people of a
 * running occurrence serve it out unless they have left; the turn goes on with whoever follows them
 * in the new order. Pure.
 */

import type {
  ContinuedTurn,
  EarlierRoster,
  OnCallEvent,
  Roster,
  TurnPosition,
} from "../on-call-event.ts";
import {
  lastOccurrence,
  nextOccurrence,
  type Occurrence,
  occurrencesTouching,
} from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import {
  modulo,
  nextPosition,
  type PositionPeople,
  peopleByPosition,
  type RotationPosition,
  samePosition,
  turnOf,
} from "../recurrence/rotation.ts";
import { withRemoved } from "../series-versions.ts";
import { earlierRostersOf, rosterIndexAt, servingOf, takesTurns } from "./serving.ts";

/** A roster before its place in the line of turns is decided. */
export type NewRoster = Pick<Roster, "rotation" | "attendees" | "emptyPositions">;

/**
 * The event with a new roster from `at` on (epoch ms). Changes that were planned for later are
 * dropped: `changeRosters` applies them again. If the same roster applies then, that is the only
 * effect.
 */
export function changeRoster(event: OnCallEvent, next: NewRoster, at: number): OnCallEvent {
  const continued = event.continues ?? null;
  const earlier = earlierRostersOf(event);
  const index = rosterIndexAt(earlier, at - 1);
  const kept = earlier.slice(0, index);
  const inForce = rosterOf(earlier[index] ?? event);
  if (isSameRoster(inForce, next)) return withRoster(event, kept, inForce);
  // A removed occurrence still uses its turn.
  const full = withRemoved(event);
  const previous = lastOccurrence(full, at);
  if (previous === null && continued === null) {
    return withRoster(event, kept, { ...rosterOf(next), turnOffset: 0 });
  }
  const running = occurrencesTouching(seriesOf(event), at, at + 1).filter((it) => it.startAt < at);
  const change: Change = {
    inForce,
    before: lineOf(event, inForce),
    next,
    after: lineOf(event, next),
    current: running.at(-1) ?? previous,
    following: nextOccurrence(full, at),
    running,
    servesUntil: (occurrence) => peopleBefore(event, occurrence, at),
    continued,
  };
  const turnOffset = turnOffsetOf(change);
  const roster = { ...rosterOf(next), turnOffset };
  const boundary = { ...inForce, untilAt: at, cuts: cutsOf(change, turnOffset) };
  return withRoster(event, [...kept, boundary], roster);
}

/** Only a roster's own fields, all of them. */
export const rosterOf = (roster: Roster): Required<Roster> => ({
  rotation: roster.rotation,
  turnOffset: roster.turnOffset ?? 0,
  attendees: roster.attendees,
  emptyPositions: roster.emptyPositions ?? [],
});

/** A roster of positions in order. */
export const rosterOfPositions = (
  rotation: boolean,
  positions: readonly RotationPosition[],
): NewRoster => ({
  rotation,
  attendees: positions.flatMap((people, position) => people.map((it) => ({ ...it, position }))),
  emptyPositions: positions.flatMap((people, position) => (people.length === 0 ? [position] : [])),
});

const withRoster = (
  event: OnCallEvent,
  earlierRosters: readonly EarlierRoster[],
  roster: Required<Roster>,
): OnCallEvent => ({ ...event, ...roster, earlierRosters });

/**
 * The instant (epoch ms) after which a former roster no longer affects who is on call: the end of
 * the last occurrence that started with it.
 */
export function rosterActiveUntil(event: OnCallEvent, { untilAt }: EarlierRoster): number {
  const running = occurrencesTouching(seriesOf(event), untilAt - 1, untilAt);
  return Math.max(untilAt, ...running.map(({ endAt }) => endAt));
}

/** Whether two rosters put the same people on call in the same order. */
export function isSameRoster(one: NewRoster, other: NewRoster): boolean {
  const [first, second] = [peopleByPosition(one), peopleByPosition(other)];
  return one.rotation === other.rotation && JSON.stringify(first) === JSON.stringify(second);
}

/** The people by position; null if all are on call together. */
type Line = readonly PositionPeople[] | null;

const lineOf = (event: OnCallEvent, roster: NewRoster): Line =>
  roster.rotation && takesTurns(event) ? peopleByPosition(roster) : null;

type Change = {
  readonly inForce: Roster;
  readonly before: Line;
  readonly next: NewRoster;
  readonly after: Line;
  /** The running occurrence that started last, or else the last one; null: in another series. */
  readonly current: Occurrence | null;
  /** The first occurrence that starts with the new roster. */
  readonly following: Occurrence | null;
  /** The occurrences that started before the change and end after it. */
  readonly running: readonly Occurrence[];
  /** The people of a running occurrence just before the change. */
  readonly servesUntil: (occurrence: Occurrence) => PositionPeople;
  /** How the following occurrence goes on with another series, if it is the first one. */
  readonly continued: ContinuedTurn | null;
};

/** What is added to an occurrence's turn to find its position in the new line. */
function turnOffsetOf(change: Change): number {
  const { inForce, before, after, current, following, running } = change;
  if (after === null) return 0;
  if (current === null) return following === null ? 0 : continuedOffsetOf(change, following);
  const turn = turnOf(inForce, current);
  const same = samePosition(before ?? [], after, turn);
  if (same !== null) return modulo(same - current.turn, after.length);
  // Whoever follows those who left takes the rest of their turn, if it goes on, or else the next.
  const goesOn = running.length > 0 || following?.turn === current.turn;
  const first = goesOn ? current.turn : (following?.turn ?? current.turn + 1);
  return modulo(nextPosition(before ?? [], after, turn) - first, after.length);
}

/** The same for a series that continues another one. */
function continuedOffsetOf(change: Change, following: Occurrence): number {
  const { inForce, before, after } = change;
  const isUnderWay = change.continued === "same_turn";
  const turn = turnOf(inForce, following);
  const [old, now] = [before ?? [], after ?? []];
  const same = isUnderWay ? samePosition(old, now, turn) : null;
  const position = same ?? nextPosition(old, now, isUnderWay ? turn : turn - 1);
  return modulo(position - following.turn, now.length);
}

function peopleBefore(event: OnCallEvent, occurrence: Occurrence, at: number): PositionPeople {
  const served = servingOf(event)(occurrence).findLast(({ startAt }) => startAt < at);
  return everyoneIn({ rotation: false, attendees: served?.attendees ?? [] });
}

/** Who serves the rest of the running occurrences; null: the same people as before. */
function cutsOf(change: Change, turnOffset: number): readonly TurnPosition[] | null {
  const { next, after, current, running, servesUntil } = change;
  const cuts: TurnPosition[] = [];
  let isCut = false;
  for (const occurrence of running) {
    const was = servesUntil(occurrence);
    if (after === null) {
      isCut ||= !isSame(was, everyoneIn(next));
      continue;
    }
    const onTurn = modulo(occurrence.turn + turnOffset, after.length);
    const isCurrent = occurrence.turn === current?.turn;
    const position = isCurrent ? onTurn : positionFor(change, after, occurrence, was);
    if (position !== onTurn) cuts.push({ turn: occurrence.turn, position });
    isCut ||= !isSame(was, after[position]);
  }
  return isCut ? cuts : null;
}

/** Occurrences that overlap the current one: their people stay in them, or those who follow. */
function positionFor(
  { inForce, before }: Change,
  after: readonly PositionPeople[],
  occurrence: Occurrence,
  was: PositionPeople,
): number {
  const line = before ?? [];
  const turn = turnOf(inForce, occurrence);
  const isOnTurn = isSame(line[modulo(turn, line.length)], was);
  const last = isOnTurn
    ? turn
    : Math.max(
        0,
        line.findIndex((people) => isSame(people, was)),
      );
  return samePosition(line, after, last) ?? nextPosition(line, after, last);
}

const isSame = (one: PositionPeople | undefined, other: PositionPeople | undefined): boolean =>
  (one ?? []).join() === (other ?? []).join();

const everyoneIn = (roster: NewRoster): PositionPeople =>
  [...new Set(roster.attendees.map(({ attendeeId }) => attendeeId))].sort();
