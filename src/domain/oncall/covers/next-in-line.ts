/** Who follows a person in a rotation. Pure. */

import type { OnCallEvent } from "../on-call-event.ts";
import { lastOccurrence, type Occurrence, occurrencesTouching } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";
import { modulo, peopleByPosition, turnOf } from "../recurrence/rotation.ts";
import { rosterAt, takesTurns } from "../rosters/serving.ts";

/**
 * The people of a rotation in the order of their turns, beginning with the turn that follows an
 * instant (epoch ms); those whose turn it is come last. Empty for a series without rotation.
 *
 * @param series the series itself, also if the person serves an override of it
 */
export function nextInLine(series: OnCallEvent, person: string, at: number): readonly string[] {
  const roster = rosterAt(series, at);
  if (!takesTurns(series) || !roster.rotation) return [];
  // A removed occurrence still uses its turn.
  const occurrences = seriesOf({ ...series, exceptions: [] });
  const line = peopleByPosition(roster);
  const positionAt = (occurrence: Occurrence) => modulo(turnOf(roster, occurrence), line.length);
  const running = occurrencesTouching(occurrences, at, at + 1);
  const current =
    running.find((it) => line[positionAt(it)]?.includes(person)) ??
    running.at(-1) ??
    lastOccurrence(occurrences, at);
  const position = current === null ? -1 : positionAt(current);
  const following = line.map((_, step) => line[modulo(position + 1 + step, line.length)] ?? []);
  return [...new Set(following.flat())];
}
