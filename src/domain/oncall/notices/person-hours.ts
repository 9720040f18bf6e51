// The hours that people are on call, by person and layer: what a schedule's object remembers, so that
// it can tell what a change did. Bounded in size. Pure.

import type { OnCallSchedule } from "../absences/absence.ts";
import { clipHours, type Hours, uniteHours } from "../intervals.ts";
import { onCallBetween } from "../oncall.ts";

/** Hours on call by account user id, then layer; without empty lists. */
export type PersonHours = Readonly<Record<string, LayerHours>>;
export type LayerHours = Readonly<Record<number, Hours>>;

/** The hours before `until` (epoch ms). Later ones are unknown. */
export type KnownHours = { readonly until: number; readonly people: PersonHours };

/** Maximum number of intervals remembered: about 400 KB. With more, fewer days are known. */
const MAX_INTERVALS = 8_000;

/**
 * Everybody's hours that overlap [from, to) (epoch ms), with the start and end that they have. All
 * are known before `until`, which is `to` unless there are too many.
 */
export function hoursBetween(
  schedule: OnCallSchedule,
  from: number,
  to: number,
  most: number = MAX_INTERVALS,
): KnownHours {
  const served = onCallBetween(schedule, from, to).flatMap(({ layer, startAt, endAt, attendees }) =>
    attendees.map(({ attendeeId }) => ({ attendeeId, layer, startAt, endAt })),
  );
  const people: Record<string, Record<number, Hours>> = {};
  for (const [id, own] of Map.groupBy(served, (it) => it.attendeeId)) {
    const layers = Map.groupBy(own, (it) => it.layer);
    people[id] = Object.fromEntries(
      [...layers].map(([layer, intervals]) => [layer, uniteHours(intervals)]),
    );
  }
  return withoutExcess({ until: to, people }, most);
}

/** Cuts the known time, so that no more than `most` intervals are known. */
function withoutExcess(known: KnownHours, most: number): KnownHours {
  const starts = Object.values(known.people)
    .flatMap((layers) => Object.values(layers).flat())
    .map(({ startAt }) => startAt);
  if (starts.length <= most) return known;
  const until = starts.sort((a, b) => a - b)[most] as number;
  return { until, people: clipPeople(known.people, Number.NEGATIVE_INFINITY, until) };
}

/** The part of everybody's hours in [from, to). */
export const clipPeople = (people: PersonHours, from: number, to: number): PersonHours =>
  mapHours(people, (hours) => clipHours(hours, from, to));

function mapHours(people: PersonHours, change: (hours: Hours) => Hours): PersonHours {
  const entries = Object.entries(people).flatMap(([id, layers]) => {
    const changed = Object.entries(layers)
      .map(([layer, hours]) => [layer, change(hours)] as const)
      .filter(([, hours]) => hours.length > 0);
    return changed.length === 0 ? [] : [[id, Object.fromEntries(changed)] as const];
  });
  return Object.fromEntries(entries);
}

/** What is known from `now` on, with the hours after its end taken from `current`. */
export function extendKnown(known: KnownHours, current: KnownHours, now: number): KnownHours {
  const before = clipPeople(known.people, now, known.until);
  const after = clipPeople(current.people, Math.max(known.until, now), current.until);
  return {
    until: Math.max(known.until, current.until),
    people: Object.fromEntries(
      [...new Set([...Object.keys(before), ...Object.keys(after)])].map((id) => [
        id,
        uniteLayers(before[id] ?? {}, after[id] ?? {}),
      ]),
    ),
  };
}

const uniteLayers = (one: LayerHours, other: LayerHours): LayerHours =>
  Object.fromEntries(
    layersOf(one, other).map((layer) => [
      layer,
      uniteHours([...(one[layer] ?? []), ...(other[layer] ?? [])]),
    ]),
  );

/** The layers of either, ascending. */
export const layersOf = (one: LayerHours, other: LayerHours): number[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)].map(Number))].sort((a, b) => a - b);
