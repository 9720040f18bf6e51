/**
 * What events contribute to who is on call at each time of a window: everything that decides who is
 * on call, also beside other events. Pure.
 */

import { type Absence, concerns } from "../absences/absence.ts";
import { serveAbsences } from "../absences/serve-absences.ts";
import { edgesBetween, runningAlong } from "../intervals.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { entriesBetween } from "../oncall.ts";

/** One event's part in some schedules: its people on a layer, and the priority with which it hides others there. */
export type Contribution = {
  readonly eventId: string;
  readonly layer: number;
  readonly priority: number;
  /** The ids of those of its schedules in which it has these people, sorted. */
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

/** Schedules that the same absences concern, and these. */
type Place = { readonly scheduleIds: readonly string[]; readonly absences: readonly Absence[] };

/**
 * The parts of [from, to) in which two sets of events do not have the same effect.
 *
 * @param absences those that concern any of their schedules, in order
 */
export function differingTimes(
  served: PlacedEvents,
  wanted: PlacedEvents,
  from: number,
  to: number,
  absences: readonly Absence[],
): readonly ComparedTime[] {
  if (from >= to) return [];
  const places = placesOf([served, wanted], absences);
  const entriesIn = ({ events }: PlacedEvents): readonly (readonly Entry[])[] => {
    const entries = entriesBetween(events, from, to);
    return places.map((place) =>
      serveAbsences(entries, { events, absences: place.absences }).filter(hasEffect),
    );
  };
  const [were, are] = [entriesIn(served), entriesIn(wanted)];
  const instants = edgesBetween([...were, ...are].flat(), from, to);
  const servedAlong = contributionsAlong(were, places, served, instants);
  const wantedAlong = contributionsAlong(are, places, wanted, instants);
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

/** Hours that an absence leaves empty have no effect, unless they hide others. */
const hasEffect = ({ attendees, priority }: Entry): boolean => attendees.length > 0 || priority > 0;

function placesOf(sets: readonly PlacedEvents[], absences: readonly Absence[]): readonly Place[] {
  const ids = new Set(sets.flatMap(({ schedulesOf }) => [...schedulesOf.values()].flat()));
  const concerning = [...ids].sort().map((id) => ({
    scheduleId: id,
    absences: absences.filter((it) => concerns(it, id)),
  }));
  const same = Map.groupBy(concerning, (it) =>
    absences.map((absence) => it.absences.includes(absence)).join(),
  );
  return [...same.values()].map((those) => ({
    scheduleIds: those.map(({ scheduleId }) => scheduleId),
    absences: those[0]?.absences ?? [],
  }));
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

/** What each event contributes from each instant to the next one, by the entries in each place. */
function contributionsAlong(
  entries: readonly (readonly Entry[])[],
  places: readonly Place[],
  { schedulesOf }: PlacedEvents,
  instants: readonly number[],
): readonly (readonly Contribution[])[] {
  const along = entries.map((own) => runningAlong(own, instants));
  return instants.map((_, index) => {
    const contributions = places.flatMap(({ scheduleIds }, place) =>
      contributionsOf(along[place]?.[index] ?? [], scheduleIds, schedulesOf),
    );
    const same = Map.groupBy(contributions, (it) => `${it.eventId} ${it.people.join()}`);
    return [...same.values()].flatMap((those) => {
      const [first] = those;
      const scheduleIds = those.flatMap((it) => it.scheduleIds).sort();
      return first ? [{ ...first, scheduleIds }] : [];
    });
  });
}

/** What each event contributes in some schedules by entries of one time. */
function contributionsOf(
  running: readonly Entry[],
  scheduleIds: readonly string[],
  schedulesOf: PlacedEvents["schedulesOf"],
): readonly Contribution[] {
  return [...Map.groupBy(running, ({ eventId }) => eventId)].flatMap(([eventId, own]) => {
    const [{ layer, priority } = { layer: 0, priority: 0 }] = own;
    const ids = own.flatMap(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId));
    const here = scheduleIds.filter((id) => schedulesOf.get(eventId)?.includes(id));
    if (here.length === 0) return [];
    return [{ eventId, layer, priority, scheduleIds: here, people: [...new Set(ids)].sort() }];
  });
}
