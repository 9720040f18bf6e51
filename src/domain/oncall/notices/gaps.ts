// Gaps in the next 14 days: hours for which nobody is on call on a layer that normally has somebody.
// A gap is notified once, when it appears or comes within 14 days. Pure.
import { DAY, END_OF_TIME, HOUR, MINUTE } from "../../shared/time.ts";
import type { OnCallSchedule } from "../absences/absence.ts";
import { coverageBetween } from "../coverage.ts";
import { clipHours, type Hours, subtractHours, uniteHours } from "../intervals.ts";
import type { LayerInterval } from "./shift-changes.ts";

/** A gap is notified once it starts within this time. */
export const GAP_WINDOW_MS = 14 * DAY;
/** Gaps are known for twice as long, so that a schedule is read every 14 days at least. */
const KNOWN_WINDOW_MS = 2 * GAP_WINDOW_MS;
/** A shorter gap is an inaccuracy. */
export const SHORTEST_GAP_MS = MINUTE;
/** A layer above the first is watched once it has people for this share of the next 14 days. */
export const STAFFED_SHARE = 0.5;
const WEEK = 7 * DAY;
/** Maximum number of gaps remembered of a layer. The last one then counts as endless. */
const MAX_GAPS = 500;
/** A weekly gap counts as the same although the clocks changed. */
const CLOCK_CHANGE = HOUR;
/** After changes, gaps are looked for once there are no others for this long, */
const QUIET_MS = 2 * MINUTE;
/** and at the latest this long after the first. */
const LONGEST_WAIT_MS = 15 * MINUTE;

/** The gaps of a layer as last seen. A gap without a known end ends at `END_OF_TIME`. */
type LayerGaps = {
  readonly seen: Hours;
  /** Those within 14 days: notified, or not worth a notice. */
  readonly notified: Hours;
};

export type GapMemory = {
  readonly scheduleId: string | null;
  /** Whether the schedule has ever had a shift. */
  readonly staffed: boolean;
  /** Gaps are known up to then (epoch ms). */
  readonly until: number;
  /** By layer; the watched layers only. */
  readonly layers: Readonly<Record<number, LayerGaps>>;
};

export type GapFacts = {
  readonly scheduleId: string | null;
  readonly schedule: OnCallSchedule;
  /** Whether the schedule has events, even ended ones. */
  readonly hasEvents: boolean;
  /** Whether any of them has started. */
  readonly hasStarted: boolean;
  /** The layers of the team's escalation policy. */
  readonly policyLayers: readonly number[];
};

export type GapDecision = {
  readonly memory: GapMemory;
  /** The gaps to notify of, by start. `endAt` is `END_OF_TIME` if no end is known. */
  readonly gaps: readonly LayerInterval[];
  /** When to look again if nothing changes (epoch ms); null: never. */
  readonly nextAt: number | null;
};

/** When to look for gaps after changes (epoch ms). */
export const gapsDueAt = (firstAt: number, lastAt: number): number =>
  Math.min(lastAt + QUIET_MS, firstAt + LONGEST_WAIT_MS);

/**
 * The gaps to notify of now.
 *
 * @param memory the last decision's; null: the first one
 */
export function decideGaps(memory: GapMemory | null, facts: GapFacts, now: number): GapDecision {
  const { scheduleId, schedule, hasEvents, hasStarted } = facts;
  const known = memory?.scheduleId === scheduleId ? memory : null;
  const staffed = (known?.staffed ?? false) || hasEvents;
  const until = now + KNOWN_WINDOW_MS;
  const empty = { scheduleId, staffed, until, layers: {} };
  if (scheduleId === null || !staffed) return { memory: empty, gaps: [], nextAt: null };
  const gaps: LayerInterval[] = [];
  const layers: Record<number, LayerGaps> = {};
  for (const layer of watchedLayers(known, facts, now)) {
    const seen = gapsOf(schedule, layer, now, until);
    const notified = seen.filter(({ startAt }) => startAt <= now + GAP_WINDOW_MS);
    const before = known?.layers[layer] ?? (hasStarted ? NOTHING : leadingGap(seen, now));
    const isNew = newGap(before, known?.layers[layer] ? known.until : now);
    gaps.push(...notified.filter(isNew).map((gap) => ({ layer, ...gap })));
    layers[layer] = { seen, notified };
  }
  gaps.sort((a, b) => a.startAt - b.startAt || a.layer - b.layer);
  return { memory: { ...empty, layers }, gaps, nextAt: nextLook(layers, now) };
}

const NOTHING: LayerGaps = { seen: [], notified: [] };

/** Nobody is on call before a schedule's first shift: that is not a gap. */
function leadingGap(seen: Hours, now: number): LayerGaps {
  const leading = seen.filter(({ startAt }) => startAt === now);
  return { seen: leading, notified: leading };
}

/** The first layer, and those of the policy that normally have people, ascending. */
function watchedLayers(known: GapMemory | null, facts: GapFacts, now: number): number[] {
  const { schedule, policyLayers } = facts;
  const coverage = coverageBetween(schedule, now, now + GAP_WINDOW_MS, policyLayers);
  const others = coverage.layers
    .filter(({ layer }) => layer > 1 && policyLayers.includes(layer))
    .filter(({ layer, share }) => share >= STAFFED_SHARE || isStillWatched(known, layer, now))
    .map(({ layer }) => layer);
  return [1, ...others];
}

/** A watched layer that stays empty is watched until its gap has been notified. */
function isStillWatched(known: GapMemory | null, layer: number, now: number): boolean {
  const gaps = known?.layers[layer];
  if (gaps === undefined) return false;
  return !gaps.notified.some(({ startAt, endAt }) => startAt <= now && endAt === END_OF_TIME);
}

function gapsOf(schedule: OnCallSchedule, layer: number, now: number, until: number): Hours {
  const { layers } = coverageBetween(schedule, now, until, [layer]);
  const gaps = (layers.find((it) => it.layer === layer)?.gaps ?? []).filter(
    (it) => it.endAt - it.startAt >= SHORTEST_GAP_MS,
  );
  return gaps.slice(0, MAX_GAPS).map(({ startAt, endAt }, i) => ({
    startAt,
    endAt: endAt === until || i === MAX_GAPS - 1 ? END_OF_TIME : endAt,
  }));
}

/**
 * Whether a gap is new: a change made it or made it longer; or it came within 14 days by the passing
 * of time, and there was none at the same hours a week earlier.
 */
function newGap({ seen, notified }: LayerGaps, knownUntil: number) {
  const aWeekEarlier = uniteHours(
    notified.map(({ startAt, endAt }) => ({
      startAt: startAt + WEEK - CLOCK_CHANGE,
      endAt: endAt + WEEK + CLOCK_CHANGE,
    })),
  );
  return (gap: { readonly startAt: number; readonly endAt: number }): boolean => {
    const wasCovered = subtractHours(clipHours([gap], 0, knownUntil), seen);
    if (wasCovered.length > 0) return true;
    const entering = subtractHours([gap], notified);
    return subtractHours(entering, aWeekEarlier).length > 0;
  };
}

/** When the next gap comes within 14 days, or the known time is used up (epoch ms). */
function nextLook(layers: Readonly<Record<number, LayerGaps>>, now: number): number {
  const starts = Object.values(layers)
    .flatMap(({ seen }) => seen.map(({ startAt }) => startAt - GAP_WINDOW_MS))
    .filter((at) => at > now);
  return Math.min(now + KNOWN_WINDOW_MS - GAP_WINDOW_MS, ...starts);
}
