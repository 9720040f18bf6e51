/** Who follows a person in a rotation. Pure. */

import type { OnCallEvent } from "../on-call-event.ts";
import {
  lastOccurrence,
  nextOccurrence,
  type Occurrence,
  occurrencesTouching,
} from "../recurrence/occurrences.ts";
import { attendeesOnTurn, modulo, rotationOf, turnOf } from "../recurrence/rotation.ts";
import { rosterAt, takesTurns } from "../rosters/serving.ts";
import { withRemoved } from "../series-versions.ts";

/**
 * The people of a rotation in the order of their turns, beginning with the turn that follows an
 * instant (epoch ms); those whose turn it is come last. Empty for a series without rotation.
 *
 * @param series the series itself, also if the person serves an override of it
 * @param turn the turn of the occurrence that the person serves; absent: they serve an override
 */
export function nextInLine(
  series: OnCallEvent,
  person: string,
  at: number,
  turn?: number,
): readonly string[] {
  const roster = rosterAt(series, at);
  if (!takesTurns(series) || !roster.rotation) return [];
  const line = rotationOf(roster).map((those) => those.map(({ attendeeId }) => attendeeId));
  const positionAt = (occurrence: Pick<Occurrence, "turn">) =>
    modulo(turnOf(roster, occurrence), line.length);
  const isOfPerson = (occurrence: Pick<Occurrence, "turn">) =>
    line[positionAt(occurrence)]?.includes(person) ?? false;
  const current = turn === undefined ? turnAt(series, at, isOfPerson) : { turn };
  const position = current === null ? -1 : positionAt(current);
  const following = line.map((_, step) => line[modulo(position + 1 + step, line.length)] ?? []);
  return [...new Set(following.flat())];
}

/** The turn that an override takes hours of: a person's, or the latest. */
function turnAt(
  series: OnCallEvent,
  at: number,
  isOfPerson: (occurrence: Occurrence) => boolean,
): Occurrence | null {
  // A removed occurrence still uses its turn.
  const occurrences = withRemoved(series);
  const running = occurrencesTouching(occurrences, at, at + 1);
  return running.find(isOfPerson) ?? running.at(-1) ?? lastOccurrence(occurrences, at);
}

/** The people of a rotation whose turn an occurrence is. */
export function onTurn(
  series: OnCallEvent,
  { startAt, turn }: Pick<Occurrence, "startAt" | "turn">,
): readonly string[] {
  const roster = rosterAt(series, startAt);
  const own = attendeesOnTurn(rotationOf(roster), turnOf(roster, { turn }));
  return own.map(({ attendeeId }) => attendeeId);
}

/**
 * How many turns a rotation has given each of its people from an instant on (epoch ms) until an
 * occurrence: 0 for the first of everybody.
 */
export function turnsSince(
  series: OnCallEvent,
  since: number,
  { startAt, turn }: Pick<Occurrence, "startAt" | "turn">,
): number {
  const positions = rotationOf(rosterAt(series, startAt)).length;
  const all = withRemoved(series);
  const first = lastOccurrence(all, since + 1) ?? nextOccurrence(all, since);
  if (first === null || positions === 0) return 0;
  return Math.max(0, Math.floor((turn - first.turn) / positions));
}
