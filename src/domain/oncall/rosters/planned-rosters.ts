/**
 * The rosters of a series that are planned for later, and changes that concern them too. Pure.
 */

import type { OnCallEvent, Roster } from "../on-call-event.ts";
import { peopleByPosition } from "../recurrence/rotation.ts";
import { changeRoster, type NewRoster } from "./roster-change.ts";
import { earlierRostersOf, rosterAt, rosterIndexAt } from "./serving.ts";

export type PlannedRoster = {
  /** Epoch ms: it serves from then on. */
  readonly at: number;
  readonly roster: Roster;
};

/** The rosters that take effect after an instant (epoch ms), in order. */
export function plannedRosters(event: OnCallEvent, after: number): readonly PlannedRoster[] {
  const earlier = earlierRostersOf(event);
  const index = rosterIndexAt(earlier, after);
  return earlier.slice(index).map(({ untilAt }, step) => ({
    at: untilAt,
    roster: earlier[index + step + 1] ?? event,
  }));
}

/**
 * The last instant (epoch ms) for which events that are left after a change have different people
 * planned; null: there is none.
 */
export function lastPlannedDifference(
  before: readonly OnCallEvent[],
  after: readonly OnCallEvent[],
  now: number,
): number | null {
  const left = new Set(after.map(({ id }) => id));
  const were = plansOf(
    before.filter(({ id }) => left.has(id)),
    now,
  );
  const are = plansOf(after, now);
  const changed = [...were, ...are].filter(([plan]) => were.has(plan) !== are.has(plan));
  return changed.length === 0 ? null : Math.max(...changed.map(([, at]) => at));
}

/** What is planned, as a text to compare, and when. */
const plansOf = (events: readonly OnCallEvent[], now: number): ReadonlyMap<string, number> =>
  new Map(
    events
      .flatMap((event) => plannedRosters(event, now))
      .map(({ at, roster }) => [
        JSON.stringify([at, roster.rotation, peopleByPosition(roster)]),
        at,
      ]),
  );

/** The event with rosters that take effect in turn, after those that it has. */
export const planRosters = (event: OnCallEvent, planned: readonly PlannedRoster[]): OnCallEvent =>
  planned.reduce((changed, { at, roster }) => changeRoster(changed, roster, at), event);

/**
 * The event with its roster from `at` on (epoch ms) changed, and each that is planned for later.
 *
 * @param change makes a roster of the one that serves at `at`, and of each later one
 */
export function changeRosters(
  event: OnCallEvent,
  at: number,
  change: (roster: Roster) => NewRoster,
): OnCallEvent {
  const planned = plannedRosters(event, at);
  const changed = changeRoster(event, change(rosterAt(event, at)), at);
  return planRosters(
    changed,
    planned.map((it) => ({ at: it.at, roster: change(it.roster) })),
  );
}
