/**
 * On-call coverage of a time window: each layer's covered share, gaps and overlaps, and each
 * person's time on call. Based on `onCallBetween`; reports only, without judging.
 */

import type { OnCallSchedule } from "./absences/absence.ts";
import { uniteHours } from "./intervals.ts";
import { type OnCallEntry, onCallBetween } from "./oncall.ts";

/** [startAt, endAt) in epoch ms, clipped to the window. */
export type CoverageInterval = { readonly startAt: number; readonly endAt: number };

type LayerCoverage = {
  readonly layer: number;
  /** The share of the window with someone on call on the layer, 0 to 1. */
  readonly share: number;
  readonly gaps: readonly CoverageInterval[];
  /** Intervals in which several occurrences run at once, with their events. */
  readonly overlaps: readonly (CoverageInterval & { readonly eventIds: readonly string[] })[];
};

export type Coverage = {
  /** Every layer requested or in use, ascending. */
  readonly layers: readonly LayerCoverage[];
  /** Time on call in ms across all layers, with overlapping shifts counted once; by person. */
  readonly people: readonly { readonly attendeeId: string; readonly onCallMs: number }[];
};

/** The coverage of [from, to) (epoch ms). `layers` are reported even if no event serves them. */
export function coverageBetween(
  schedule: OnCallSchedule,
  from: number,
  to: number,
  layers: readonly number[] = [],
): Coverage {
  const entries = clippedEntries(schedule, from, to);
  const byLayer = Map.groupBy(entries, (entry) => entry.layer);
  const reported = [...new Set([...layers, ...byLayer.keys()])].sort((a, b) => a - b);
  return {
    layers: reported.map((layer) => layerCoverage(layer, byLayer.get(layer) ?? [], from, to)),
    people: timePerPerson(entries),
  };
}

/**
 * Each person's time on call in [from, to) (epoch ms), with overlapping shifts counted once.
 * Precedence applies only within one schedule.
 */
export function timeOnCall(
  schedules: readonly OnCallSchedule[],
  from: number,
  to: number,
): Coverage["people"] {
  return timePerPerson(schedules.flatMap((it) => clippedEntries(it, from, to)));
}

const clippedEntries = (schedule: OnCallSchedule, from: number, to: number): OnCallEntry[] =>
  onCallBetween(schedule, from, to).map((entry) => ({
    ...entry,
    startAt: Math.max(entry.startAt, from),
    endAt: Math.min(entry.endAt, to),
  }));

function layerCoverage(
  layer: number,
  entries: readonly OnCallEntry[],
  from: number,
  to: number,
): LayerCoverage {
  const covered = uniteHours(entries);
  const coveredMs = lengthOf(covered);
  return {
    layer,
    share: to > from ? coveredMs / (to - from) : 0,
    gaps: gapsBetween(covered, from, to),
    overlaps: overlapsOf(entries),
  };
}

function timePerPerson(entries: readonly OnCallEntry[]): Coverage["people"] {
  const stretches = new Map<string, CoverageInterval[]>();
  for (const entry of entries) {
    for (const { attendeeId } of entry.attendees) {
      const known = stretches.get(attendeeId);
      if (known) known.push(entry);
      else stretches.set(attendeeId, [entry]);
    }
  }
  return [...stretches]
    .map(([attendeeId, served]) => ({ attendeeId, onCallMs: lengthOf(uniteHours(served)) }))
    .sort((one, other) => (one.attendeeId < other.attendeeId ? -1 : 1));
}

function lengthOf(stretches: readonly CoverageInterval[]): number {
  return stretches.reduce((sum, { startAt, endAt }) => sum + endAt - startAt, 0);
}

function gapsBetween(
  covered: readonly CoverageInterval[],
  from: number,
  to: number,
): CoverageInterval[] {
  const starts = [from, ...covered.map((stretch) => stretch.endAt)];
  const ends = [...covered.map((stretch) => stretch.startAt), to];
  return starts
    .map((startAt, index) => ({ startAt, endAt: ends[index] ?? to }))
    .filter((gap) => gap.endAt > gap.startAt);
}

function overlapsOf(entries: readonly OnCallEntry[]): LayerCoverage["overlaps"] {
  const overlaps: (CoverageInterval & { eventIds: string[] })[] = [];
  const instants = [...new Set(entries.flatMap((entry) => [entry.startAt, entry.endAt]))];
  instants.sort((a, b) => a - b);
  const sorted = entries.toSorted((a, b) => a.startAt - b.startAt);
  let running: OnCallEntry[] = [];
  let next = 0;
  for (const [index, startAt] of instants.entries()) {
    running = running.filter((entry) => entry.endAt > startAt);
    for (let entry = sorted[next]; entry?.startAt === startAt; entry = sorted[next]) {
      running.push(entry);
      next++;
    }
    const endAt = instants[index + 1];
    if (running.length < 2 || endAt === undefined) continue;
    const eventIds = [...new Set(running.map((entry) => entry.eventId))].sort();
    const last = overlaps.at(-1);
    const isContinuation = last?.endAt === startAt && last.eventIds.join() === eventIds.join();
    if (isContinuation) overlaps[overlaps.length - 1] = { ...last, endAt };
    else overlaps.push({ startAt, endAt, eventIds });
  }
  return overlaps;
}
