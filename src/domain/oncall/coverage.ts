/**
 * On-call coverage of a time window: each layer's covered share, gaps and overlaps, and each
 * person's time on call. Based on `onCallBetween`; reports only, without judging.
 */

import type { OnCallSchedule } from "./absences/absence.ts";
import { clipHours, uniteHours } from "./intervals.ts";
import type { OnCallEvent } from "./on-call-event.ts";
import { type OnCallEntry, onCallBetween } from "./oncall.ts";
import { earlierRostersOf, hasAttendees } from "./rosters/serving.ts";

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

/** Coverage as it is reported: gaps are counted only where somebody is expected to be on call. */
export type ReportedCoverage = Omit<Coverage, "layers"> & {
  readonly layers: readonly ReportedLayer[];
};

type ReportedLayer = LayerCoverage & {
  /** Whether the layer has shifts that have not all ended before the window. */
  readonly hasShifts: boolean;
};

/**
 * The coverage of [from, to) (epoch ms), with the gaps that count. On the first layer they count from
 * the schedule's first shift on, also if it has lost its shifts, and on another one from its own first
 * shift on. The time before, and a layer above the first without shifts, is no gap.
 *
 * @param layers are reported even if no event serves them
 * @param pastSince since when the schedule has had shifts that are not among the events (epoch ms):
 *   they had ended, or were deleted; null: there are none
 */
export function reportedCoverage(
  schedule: OnCallSchedule,
  [from, to]: readonly [from: number, to: number],
  layers: readonly number[],
  pastSince: number | null,
): ReportedCoverage {
  const coverage = coverageBetween(schedule, from, to, layers);
  const begun = Math.min(pastSince ?? to, firstShiftAt(schedule, from, to));
  return {
    ...coverage,
    layers: coverage.layers.map((it) => {
      const own = ofLayer(schedule, it.layer);
      const since = it.layer === 1 ? begun : firstShiftAt(own, from, to);
      const hasShifts = eventsOf(own).some(hasAttendees);
      return { ...it, hasShifts, gaps: clipHours(it.gaps, since, to) };
    }),
  };
}

type DatedEvents = Pick<OnCallSchedule, "events" | "past">;

/** The events of a layer, also those of the past. */
function ofLayer({ events, past = [] }: DatedEvents, layer: number): DatedEvents {
  const isOfLayer = (event: OnCallEvent) => event.layer === layer;
  return {
    events: events.filter(isOfLayer),
    past: past.map((it) => ({ ...it, events: it.events.filter(isOfLayer) })),
  };
}

const eventsOf = ({ events, past = [] }: DatedEvents): readonly OnCallEvent[] => [
  ...events,
  ...past.flatMap((family) => family.events),
];

/** When shifts of some events begin: at the latest `from` if there were any before; `to` if none. */
function firstShiftAt(dated: DatedEvents, from: number, to: number): number {
  if (eventsOf(dated).some((event) => hasServedBefore(event, from))) return from;
  return Math.min(
    to,
    ...onCallBetween({ ...dated, absences: [] }, from, to).map(({ startAt }) => startAt),
  );
}

/** Whether anybody was in the event's roster before an instant (epoch ms) at which it had started. */
function hasServedBefore(event: OnCallEvent, at: number): boolean {
  let since = Math.max(event.startAt, event.beginsAt ?? event.startAt);
  for (const roster of [...earlierRostersOf(event), { ...event, untilAt: at }]) {
    if (since >= at) return false;
    if (roster.attendees.length > 0) return true;
    since = roster.untilAt;
  }
  return false;
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
