/**
 * What is kept of the past when events change: series that would put others on call in hours that were
 * served count as they were there. A correction of the past keeps nothing. Pure.
 */

import { MINUTE } from "../../shared/time.ts";
import type { Absence } from "../absences/absence.ts";
import { absencesIn } from "../absences/absence.ts";
import { serveAbsences } from "../absences/serve-absences.ts";
import { entriesBetween } from "../event-entries.ts";
import { edgesBetween, runningAlong, subtractHours, uniteHours } from "../intervals.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { type Interval, subtractIntervals } from "../override-precedence.ts";
import type { PrioritizedEntry } from "../priorities.ts";
import { isOverride } from "../series-versions.ts";
import type { PastSeries } from "./past-series.ts";

/** Events, each once, and the schedules of each by its id. */
export type PlacedEvents = {
  readonly events: readonly OnCallEvent[];
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
};

/** A past series in one of its schedules. */
export type PlacedPast = PastSeries & {
  readonly scheduleId: string;
  /** The end (epoch ms) of the shifts that were running at its end. */
  readonly activeUntil: number;
};

export type AddedPast = Omit<PlacedPast, "id">;

export type ChangedSeries = {
  /** All events of the changed series, before and after. */
  readonly before: PlacedEvents;
  readonly after: PlacedEvents;
  /** What is kept of these series already. */
  readonly past: readonly PlacedPast[];
  readonly absences: readonly Absence[];
  /** Hours before it (epoch ms) are not kept: an undo takes back what the change did to them. */
  readonly keptFrom?: number;
};

export type PastChange = {
  readonly added: readonly AddedPast[];
  /** The ids of what does not count any more. */
  readonly corrected: readonly string[];
};

/** A series in one schedule, in hours [startAt, endAt) (epoch ms) that are not kept yet. */
type Part = Interval & {
  readonly seriesId: string;
  readonly scheduleId: string;
  readonly before: readonly OnCallEvent[];
  readonly after: readonly OnCallEvent[];
};

/** An event that was made less than this ago has served nothing worth keeping. */
const LEAST_MS = MINUTE;

/** Decides what is kept, at `now` (epoch ms), of the hours that were served. */
export function keepPast(change: ChangedSeries, now: number): readonly AddedPast[] {
  const parts = partsOf(change, now);
  const bySchedule = Map.groupBy(parts, ({ scheduleId }) => scheduleId);
  return [...bySchedule].flatMap(([scheduleId, own]) => {
    const absences = absencesIn(change.absences, scheduleId);
    const changed = own.filter((it) => differs([it], absences, now));
    // Who moves from one series to another stays on call.
    if (!differs(changed, absences, now)) return [];
    return changed.map(({ before, after, ...part }) => ({
      ...part,
      events: relevant(before, part),
      activeUntil: endOfRunning([before, after], part.endAt),
    }));
  });
}

/**
 * Decides what a correction of the past takes away: of a series that is deleted everything, of others
 * what is kept in the time in which it changes them, from the first to the last difference.
 */
export function correctPast(change: ChangedSeries, now: number): PastChange {
  const start = Math.min(now, ...change.past.map(({ startAt }) => startAt));
  const parts = partsOf({ ...change, past: [], keptFrom: start }, now);
  const corrected: string[] = [];
  const added: AddedPast[] = [];
  for (const kept of change.past) {
    const { seriesId, scheduleId, startAt, endAt, id, activeUntil, ...rest } = kept;
    const part = parts.find((it) => it.seriesId === seriesId && it.scheduleId === scheduleId);
    const absences = absencesIn(change.absences, scheduleId);
    const hours = part && correctedHours(part, absences, now);
    if (!hours || hours.startAt >= endAt || hours.endAt <= startAt) continue;
    corrected.push(id);
    for (const left of subtractIntervals({ startAt, endAt }, [hours])) {
      const running = endOfRunning([kept.events, part.after], left.endAt);
      const until = left.endAt === endAt ? Math.max(running, activeUntil) : running;
      added.push({ ...rest, ...left, seriesId, scheduleId, activeUntil: until });
    }
  }
  return { added, corrected };
}

function correctedHours(part: Part, absences: readonly Absence[], now: number): Interval | null {
  if (part.after.length === 0) return { startAt: part.startAt, endAt: now };
  const times = differingTimes([part], absences, now);
  const [first, last] = [times[0], times.at(-1)];
  return first && last ? { startAt: first.startAt, endAt: last.endAt } : null;
}

/** The changed series in each schedule, without hours that are kept already. */
function partsOf(change: ChangedSeries, now: number): readonly Part[] {
  const { before, after, past, keptFrom = Number.NEGATIVE_INFINITY } = change;
  const [were, are] = [eventsBySeries(before), eventsBySeries(after)];
  const oldest = Math.min(now, ...[...were.values()].map(beginOf));
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((seriesId) => {
    const [was, is] = [were.get(seriesId) ?? [], are.get(seriesId) ?? []];
    const begin = beginOf(was.length > 0 ? was : is);
    // Shifts that a change makes of a series' hours are as old.
    const since = begin < now ? begin : oldest;
    if (now - since < LEAST_MS) return [];
    const places = new Set([
      ...was.flatMap(({ id }) => before.schedulesOf.get(id) ?? []),
      ...is.flatMap(({ id }) => after.schedulesOf.get(id) ?? []),
    ]);
    return [...places].flatMap((scheduleId) => {
      const kept = past.filter((it) => it.seriesId === seriesId && it.scheduleId === scheduleId);
      const here = ({ schedulesOf }: PlacedEvents, events: readonly OnCallEvent[]) =>
        events.filter(({ id }) => schedulesOf.get(id)?.includes(scheduleId));
      const own = { seriesId, scheduleId, before: here(before, was), after: here(after, is) };
      const hours = { startAt: Math.max(since, keptFrom), endAt: now };
      return subtractHours([hours], uniteHours(kept)).map((left) => ({ ...left, ...own }));
    });
  });
}

const eventsBySeries = ({ events }: PlacedEvents): ReadonlyMap<string, readonly OnCallEvent[]> =>
  Map.groupBy(events, ({ seriesId }) => seriesId);

/** When the series was made (epoch ms). */
const beginOf = (series: readonly OnCallEvent[]): number =>
  Math.min(...series.map(({ createdAt }) => createdAt));

const differs = (parts: readonly Part[], absences: readonly Absence[], now: number): boolean =>
  differingTimes(parts, absences, now).length > 0;

/** When others would be on call after the change, on a layer and with a priority; by start. */
function differingTimes(
  parts: readonly Part[],
  absences: readonly Absence[],
  now: number,
): readonly Interval[] {
  const from = Math.min(now, ...parts.map(({ startAt }) => startAt));
  if (from >= now) return [];
  const entriesOf = (name: "before" | "after") =>
    parts.flatMap((part) => servedEntries(part[name], part, absences));
  const [were, are] = [entriesOf("before"), entriesOf("after")];
  const instants = edgesBetween([...were, ...are], from, now);
  const [before, after] = [runningAlong(were, instants), runningAlong(are, instants)];
  return instants.slice(1).flatMap((endAt, index) => {
    const [was, is] = [before[index] ?? [], after[index] ?? []];
    return effectOf(was) === effectOf(is) ? [] : [{ startAt: instants[index] ?? from, endAt }];
  });
}

/** What events contribute in some hours, cut to them. */
function servedEntries(
  events: readonly OnCallEvent[],
  { startAt, endAt }: Interval,
  absences: readonly Absence[],
): readonly PrioritizedEntry[] {
  const entries = entriesBetween(events, startAt, endAt);
  return serveAbsences(entries, { events, absences })
    .filter((it) => it.attendees.length > 0 || it.priority > 0)
    .map((it) => ({
      ...it,
      startAt: Math.max(it.startAt, startAt),
      endAt: Math.min(it.endAt, endAt),
    }))
    .filter((it) => it.startAt < it.endAt);
}

/** People of one layer and priority count together, whichever events they come from. */
function effectOf(running: readonly PrioritizedEntry[]): string {
  const groups = Map.groupBy(running, ({ layer, priority }) => `${layer} ${priority}`);
  const lines = [...groups].map(([key, own]) => {
    const people = own.flatMap((it) => it.attendees.map(({ attendeeId }) => attendeeId));
    return `${key} ${[...new Set(people)].sort().join()}`;
  });
  return lines.sort().join(";");
}

/** The events without overrides of other hours. */
const relevant = (events: readonly OnCallEvent[], hours: Interval): readonly OnCallEvent[] =>
  events.filter((it) => !isOverride(it) || (it.startAt < hours.endAt && it.endAt > hours.startAt));

/** The end (epoch ms) of the shifts that run at an instant, or that. */
const endOfRunning = (sets: readonly (readonly OnCallEvent[])[], at: number): number =>
  Math.max(
    at,
    ...sets.flatMap((events) => entriesBetween(events, at - 1, at + 1)).map(({ endAt }) => endAt),
  );
