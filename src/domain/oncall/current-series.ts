/**
 * A series without what is over: what another account needs to have the same people on call from an
 * instant on. Pure.
 */

import type { EarlierRoster, OnCallEvent, Roster, TurnPosition } from "./on-call-event.ts";
import { lastOccurrence } from "./recurrence/occurrences.ts";
import { seriesOf } from "./recurrence/recurrence.ts";
import {
  distinctAttendees,
  modulo,
  type RotationPosition,
  rotationOf,
} from "./recurrence/rotation.ts";
import { rosterActiveUntil, rosterOf, rosterOfPositions } from "./rosters/roster-change.ts";
import { earlierRostersOf, takesTurns } from "./rosters/serving.ts";
import { beginOf, isOverride, versionsOf } from "./series-versions.ts";

/**
 * The versions of a series that have not ended at `now` (epoch ms), by when they begin, then its
 * overrides, the newest last. A version that has ended is among them while an override of its hours is.
 * None: all of the series is over.
 */
export function currentSeries<Event extends OnCallEvent>(
  events: readonly Event[],
  now: number,
): readonly Event[] {
  const versionAt = versionsOf(events);
  const overrides = events
    .filter((it) => isOverride(it) && it.endAt > now && versionAt(it, it.startAt) !== undefined)
    .sort(byAge);
  const overridden = new Set(overrides.map((it) => versionAt(it, it.startAt)?.id));
  const versions = events
    .filter((it) => !isOverride(it) && (overridden.has(it.id) || endOf(it) > now))
    .sort((one, other) => beginOf(one) - beginOf(other) || byAge(one, other));
  return [...versions, ...overrides].map((it) => currentEvent(it, now));
}

const byAge = (one: OnCallEvent, other: OnCallEvent): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

/** The end (epoch ms) of the last occurrence; Infinity: there is none. */
function endOf(event: OnCallEvent): number {
  const series = seriesOf(event);
  const isEndless = series.lastDay === Number.POSITIVE_INFINITY && event.cutAt === null;
  if (isEndless && series.rhythm.kind !== "once") return Number.POSITIVE_INFINITY;
  return lastOccurrence(series, Number.POSITIVE_INFINITY)?.endAt ?? Number.NEGATIVE_INFINITY;
}

/** The event without the rosters that serve nobody any more, and the exceptions that have passed. */
function currentEvent<Event extends OnCallEvent>(event: Event, now: number): Event {
  const { longest } = seriesOf(event);
  const earlier = earlierRostersOf(event);
  const first = earlier.findIndex((it) => rosterActiveUntil(event, it) > now);
  const serving = first < 0 ? [] : earlier.slice(first);
  const earlierRosters = serving.map((roster, index): EarlierRoster => {
    const next = serving[index + 1] ?? event;
    const { untilAt, cuts } = roster;
    return {
      ...fromFirstTurn(event, roster),
      untilAt,
      cuts: cuts && cutsInTurn(event, next, cuts),
    };
  });
  const exceptions = event.exceptions
    .filter(({ startAt }) => startAt + longest > now)
    .toSorted((one, other) => one.startAt - other.startAt);
  return { ...event, ...fromFirstTurn(event, event), earlierRosters, exceptions };
}

/** The roster with its positions in the order of their turns: the first has the first occurrence. */
function fromFirstTurn(event: OnCallEvent, roster: Roster): Required<Roster> {
  const positions: readonly RotationPosition[] = roster.rotation
    ? rotationOf(roster)
    : distinctAttendees(roster).map((it) => [it]);
  const offset = modulo(offsetOf(event, roster), positions.length);
  const inTurn = [...positions.slice(offset), ...positions.slice(0, offset)];
  return rosterOf(rosterOfPositions(roster.rotation, inTurn));
}

/** The cuts that hand occurrences to a roster, by its positions in the order of their turns. */
function cutsInTurn(event: OnCallEvent, next: Roster, cuts: readonly TurnPosition[]) {
  if (!next.rotation) return [];
  const count = rotationOf(next).length;
  const offset = offsetOf(event, next);
  return cuts.map(({ turn, position }) => ({ turn, position: modulo(position - offset, count) }));
}

const offsetOf = (event: OnCallEvent, roster: Roster): number =>
  roster.rotation && takesTurns(event) ? (roster.turnOffset ?? 0) : 0;
