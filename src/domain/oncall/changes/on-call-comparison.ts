/**
 * Compares who is on call before and after a change: the windows that differ, the gaps that appear
 * and close, and each person's hours. Pure.
 */

import type { OnCallSchedule } from "../absences/absence.ts";
import { timeOnCall } from "../coverage.ts";
import { edgesBetween, runningAlong } from "../intervals.ts";
import { type OnCallEntry, onCallBetween } from "../oncall.ts";

/** A window [startAt, endAt) (epoch ms) in which a layer's people differ. */
export type ChangedWindow = {
  readonly layer: number;
  readonly startAt: number;
  readonly endAt: number;
  /** Account user ids, sorted. */
  readonly before: readonly string[];
  readonly after: readonly string[];
};

export type OnCallComparison = {
  /** Ordered by layer, then start. Nobody after: a gap appears; nobody before: one closes. */
  readonly windows: readonly ChangedWindow[];
  /** Time on call in the window (ms) of everyone who has some before or after; by person. */
  readonly people: readonly PersonTime[];
};

/** A time [startAt, endAt) (epoch ms) in which the same people are on call on a layer. */
export type LayerShift = {
  readonly layer: number;
  readonly startAt: number;
  readonly endAt: number;
  /** Account user ids, sorted; at least one. */
  readonly people: readonly string[];
};

type PersonTime = {
  readonly attendeeId: string;
  readonly beforeMs: number;
  readonly afterMs: number;
};

/** Compares two forms of one schedule in [from, to) (epoch ms). */
export function compareOnCall(
  before: OnCallSchedule,
  after: OnCallSchedule,
  from: number,
  to: number,
): OnCallComparison {
  const windows = windowsBetween(
    onCallBetween(before, from, to),
    onCallBetween(after, from, to),
    from,
    to,
  );
  return {
    windows,
    people: compareTimes(timeOnCall([before], from, to), timeOnCall([after], from, to)),
  };
}

/** A schedule, and the layers of it that are asked. */
export type AskedLayers = { readonly schedule: OnCallSchedule; readonly layers: readonly number[] };

/** Compares who is asked in [from, to) (epoch ms): whoever is on call on a layer that is not asked is not paged. */
export function compareAsked(
  before: AskedLayers,
  after: AskedLayers,
  from: number,
  to: number,
): readonly ChangedWindow[] {
  const asked = ({ schedule, layers }: AskedLayers) =>
    onCallBetween(schedule, from, to).filter(({ layer }) => layers.includes(layer));
  return windowsBetween(asked(before), asked(after), from, to);
}

/** The windows that differ, by layer. */
function windowsBetween(
  were: readonly OnCallEntry[],
  are: readonly OnCallEntry[],
  from: number,
  to: number,
): readonly ChangedWindow[] {
  const layers = new Set([...were, ...are].map(({ layer }) => layer));
  const ofLayer = (entries: readonly OnCallEntry[], layer: number) =>
    entries.filter((entry) => entry.layer === layer);
  return [...layers]
    .sort((one, other) => one - other)
    .flatMap((layer) => changedWindows(layer, ofLayer(were, layer), ofLayer(are, layer), from, to));
}

/**
 * The start (epoch ms) of the first difference between two forms of one schedule in [from, to);
 * null: there is none. Reads `stepMs` at a time.
 */
export function firstDifference(
  before: OnCallSchedule,
  after: OnCallSchedule,
  [from, to]: readonly [from: number, to: number],
  stepMs: number,
): number | null {
  for (let start = from; start < to; start += stepMs) {
    const { windows } = compareOnCall(before, after, start, Math.min(start + stepMs, to));
    if (windows.length > 0) return Math.min(...windows.map(({ startAt }) => startAt));
  }
  return null;
}

/**
 * Who is on call in [from, to) (epoch ms), cut to it: by layer, then start. Adjacent times of the
 * same people are one.
 */
export function layerShiftsBetween(
  schedule: OnCallSchedule,
  from: number,
  to: number,
): LayerShift[] {
  const byLayer = Map.groupBy(onCallBetween(schedule, from, to), ({ layer }) => layer);
  return [...byLayer].flatMap(([layer, entries]) =>
    changedWindows(layer, [], entries, from, to).map(({ startAt, endAt, after: people }) => ({
      layer,
      startAt,
      endAt,
      people,
    })),
  );
}

function changedWindows(
  layer: number,
  were: readonly OnCallEntry[],
  are: readonly OnCallEntry[],
  from: number,
  to: number,
): ChangedWindow[] {
  const instants = edgesBetween([...were, ...are], from, to);
  const [peopleBefore, peopleAfter] = [peopleAlong(were, instants), peopleAlong(are, instants)];
  const windows: ChangedWindow[] = [];
  for (const [index, endAt] of instants.slice(1).entries()) {
    const startAt = instants[index] ?? from;
    const before = peopleBefore[index] ?? [];
    const after = peopleAfter[index] ?? [];
    if (before.join() === after.join()) continue;
    const last = windows.at(-1);
    const isSame = last?.before.join() === before.join() && last.after.join() === after.join();
    if (last && isSame && last.endAt === startAt) windows[windows.length - 1] = { ...last, endAt };
    else windows.push({ layer, startAt, endAt, before, after });
  }
  return windows;
}

/** Who is on call from each instant to the next one. */
function peopleAlong(
  entries: readonly OnCallEntry[],
  instants: readonly number[],
): readonly (readonly string[])[] {
  return runningAlong(entries, instants).map((running) => {
    const ids = running.flatMap(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId));
    return [...new Set(ids)].sort();
  });
}

type Times = ReturnType<typeof timeOnCall>;

function compareTimes(before: Times, after: Times): readonly PersonTime[] {
  const [was, is] = [before, after].map(
    (times) => new Map(times.map(({ attendeeId, onCallMs }) => [attendeeId, onCallMs])),
  );
  const ids = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].sort();
  return ids.map((attendeeId) => ({
    attendeeId,
    beforeMs: was?.get(attendeeId) ?? 0,
    afterMs: is?.get(attendeeId) ?? 0,
  }));
}
