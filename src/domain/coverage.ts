/**
 * How well a window is covered: per layer its share, its gaps and its overlaps, and the time each
 * person serves. Reads the entries of the one on-call calculation; says what is, and judges
 * nothing.
 */

import type { OnCallEvent } from "./on-call-event.ts";
import { type OnCallEntry, onCallBetween } from "./oncall.ts";

/** [startAt, endAt) in epoch ms, cut to the window. */
export type Stretch = { readonly startAt: number; readonly endAt: number };

type LayerCoverage = {
  readonly layer: number;
  /** The part of the window in which somebody is on call on the layer, 0 to 1. */
  readonly share: number;
  readonly gaps: readonly Stretch[];
  /** Where more than one occurrence runs at once, with the events they are of. */
  readonly overlaps: readonly (Stretch & { readonly eventIds: readonly string[] })[];
};

export type Coverage = {
  /** Every layer asked for or in use, in order. */
  readonly layers: readonly LayerCoverage[];
  /** Time on call in ms, on whatever layers, counted once where shifts coincide; by person. */
  readonly people: readonly { readonly attendeeId: string; readonly onCallMs: number }[];
};

/**
 * The coverage of [from, to) (epoch ms). `layers` names layers to report even if no event serves
 * them.
 */
export function coverageBetween(
  events: readonly OnCallEvent[],
  from: number,
  to: number,
  layers: readonly number[] = [],
): Coverage {
  const entries = onCallBetween(events, from, to).map((entry) => ({
    ...entry,
    startAt: Math.max(entry.startAt, from),
    endAt: Math.min(entry.endAt, to),
  }));
  const byLayer = Map.groupBy(entries, (entry) => entry.layer);
  const reported = [...new Set([...layers, ...byLayer.keys()])].sort((a, b) => a - b);
  return {
    layers: reported.map((layer) => coverLayer(layer, byLayer.get(layer) ?? [], from, to)),
    people: timePerPerson(entries),
  };
}

function coverLayer(
  layer: number,
  entries: readonly OnCallEntry[],
  from: number,
  to: number,
): LayerCoverage {
  const covered = union(entries);
  const coveredMs = lengthOf(covered);
  return {
    layer,
    share: to > from ? coveredMs / (to - from) : 0,
    gaps: gapsBetween(covered, from, to),
    overlaps: overlapsOf(entries),
  };
}

function timePerPerson(entries: readonly OnCallEntry[]): Coverage["people"] {
  const stretches = new Map<string, Stretch[]>();
  for (const entry of entries) {
    for (const { attendeeId } of entry.attendees) {
      const known = stretches.get(attendeeId);
      if (known) known.push(entry);
      else stretches.set(attendeeId, [entry]);
    }
  }
  return [...stretches]
    .map(([attendeeId, served]) => ({ attendeeId, onCallMs: lengthOf(union(served)) }))
    .sort((one, other) => (one.attendeeId < other.attendeeId ? -1 : 1));
}

/** The stretches joined where they touch, by start. */
function union(stretches: readonly Stretch[]): Stretch[] {
  const joined: { startAt: number; endAt: number }[] = [];
  for (const { startAt, endAt } of stretches.toSorted((a, b) => a.startAt - b.startAt)) {
    const last = joined.at(-1);
    if (last && startAt <= last.endAt) last.endAt = Math.max(last.endAt, endAt);
    else joined.push({ startAt, endAt });
  }
  return joined;
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { startAt, endAt }) => sum + endAt - startAt, 0);
}

function gapsBetween(covered: readonly Stretch[], from: number, to: number): Stretch[] {
  const starts = [from, ...covered.map((stretch) => stretch.endAt)];
  const ends = [...covered.map((stretch) => stretch.startAt), to];
  return starts
    .map((startAt, index) => ({ startAt, endAt: ends[index] ?? to }))
    .filter((gap) => gap.endAt > gap.startAt);
}

function overlapsOf(entries: readonly OnCallEntry[]): LayerCoverage["overlaps"] {
  const overlaps: (Stretch & { eventIds: string[] })[] = [];
  const instants = [...new Set(entries.flatMap((entry) => [entry.startAt, entry.endAt]))];
  instants.sort((a, b) => a - b);
  const waiting = entries.toSorted((a, b) => a.startAt - b.startAt);
  let running: OnCallEntry[] = [];
  let next = 0;
  for (const [index, startAt] of instants.entries()) {
    running = running.filter((entry) => entry.endAt > startAt);
    for (let entry = waiting[next]; entry?.startAt === startAt; entry = waiting[next]) {
      running.push(entry);
      next++;
    }
    const endAt = instants[index + 1];
    if (running.length < 2 || endAt === undefined) continue;
    const eventIds = [...new Set(running.map((entry) => entry.eventId))].sort();
    const last = overlaps.at(-1);
    const goesOn = last?.endAt === startAt && last.eventIds.join() === eventIds.join();
    if (goesOn) overlaps[overlaps.length - 1] = { ...last, endAt };
    else overlaps.push({ startAt, endAt, eventIds });
  }
  return overlaps;
}
