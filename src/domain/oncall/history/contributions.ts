/**
 * What events contribute to who is on call at each time of a window: everything that decides who is
 * on call, also beside other events. Pure.
 */

import { edgesBetween, runningAlong } from "../intervals.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { entriesBetween } from "../oncall.ts";

/** One event's part: its people on a layer, and the priority with which it hides others there. */
export type Contribution = {
  readonly eventId: string;
  readonly layer: number;
  readonly priority: number;
  /** The ids of its schedules, sorted. */
  readonly scheduleIds: readonly string[];
  /** Account user ids, sorted; none: the event only hides others. */
  readonly people: readonly string[];
};

/** A time [startAt, endAt) (epoch ms) in which two sets of events contribute the same throughout. */
export type ComparedTime = {
  readonly startAt: number;
  readonly endAt: number;
  readonly served: readonly Contribution[];
  readonly wanted: readonly Contribution[];
};

/** Events, each once, and the schedules of each by its id. */
export type PlacedEvents = {
  readonly events: readonly OnCallEvent[];
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
};

/** Two contributions with the same key have the same effect. */
export const keyOf = ({ layer, priority, people, scheduleIds }: Contribution): string =>
  `${scheduleIds.join()} ${layer} ${priority} ${people.join()}`;

type Entry = ReturnType<typeof entriesBetween>[number];

/** The parts of [from, to) in which two sets of events do not have the same effect. */
export function differingTimes(
  served: PlacedEvents,
  wanted: PlacedEvents,
  from: number,
  to: number,
): readonly ComparedTime[] {
  if (from >= to) return [];
  const were = entriesBetween(served.events, from, to);
  const are = entriesBetween(wanted.events, from, to);
  const instants = edgesBetween([...were, ...are], from, to);
  const servedAlong = contributionsAlong(were, served, instants);
  const wantedAlong = contributionsAlong(are, wanted, instants);
  return instants.slice(1).flatMap((endAt, index) => {
    const time = {
      startAt: instants[index] ?? from,
      endAt,
      served: servedAlong[index] ?? [],
      wanted: wantedAlong[index] ?? [],
    };
    return effectOf(time.served) === effectOf(time.wanted) ? [] : [time];
  });
}

/** People of one schedule, layer and priority count together, whichever events they come from. */
function effectOf(contributions: readonly Contribution[]): string {
  const placed = contributions.flatMap(({ scheduleIds, layer, priority, people }) =>
    scheduleIds.map((id) => ({ key: `${id} ${layer} ${priority}`, people })),
  );
  const groups = Map.groupBy(placed, ({ key }) => key);
  const lines = [...groups].map(([key, own]) => {
    const people = new Set(own.flatMap((it) => it.people));
    return `${key} ${[...people].sort().join()}`;
  });
  return lines.sort().join(";");
}

/** What each event contributes from each instant to the next one. */
function contributionsAlong(
  entries: readonly Entry[],
  { schedulesOf }: PlacedEvents,
  instants: readonly number[],
): readonly (readonly Contribution[])[] {
  return runningAlong(entries, instants).map((running) =>
    [...Map.groupBy(running, ({ eventId }) => eventId)].flatMap(([eventId, own]) => {
      const [{ layer, priority } = { layer: 0, priority: 0 }] = own;
      const ids = own.flatMap(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId));
      const scheduleIds = (schedulesOf.get(eventId) ?? []).toSorted();
      return [{ eventId, layer, priority, scheduleIds, people: [...new Set(ids)].sort() }];
    }),
  );
}
