// The layers for which nobody is on call now or within a day. The same layers count as for notices
// of gaps: the first, and those of the policy that normally have people. Pure.
import { DAY } from "../../shared/time.ts";
import type { OnCallSchedule } from "../absences/absence.ts";
import { coverageBetween } from "../coverage.ts";
import { GAP_WINDOW_MS, SHORTEST_GAP_MS, STAFFED_SHARE } from "./gaps.ts";

/** A layer is reported if its next gap starts within this time. */
const UNCOVERED_WITHIN_MS = DAY;

export type UncoveredLayer = {
  readonly layer: number;
  /** Epoch ms; now if nobody is on call. */
  readonly startAt: number;
  /** Epoch ms; null if nobody is on call for the next 14 days. */
  readonly endAt: number | null;
};

/**
 * Whether somebody means to have people on a layer at all hours: hours without are worth a warning.
 *
 * @param share of the time ahead in which the layer has people
 * @param policyLayers the layers of the escalation policy
 */
export const isWatchedLayer = (
  { layer, share }: { readonly layer: number; readonly share: number },
  policyLayers: readonly number[],
): boolean => layer === 1 || (policyLayers.includes(layer) && share >= STAFFED_SHARE);

/**
 * The uncovered layers of a schedule, ascending, each with its first gap.
 *
 * @param policyLayers the layers of the escalation policy
 * @param now epoch ms
 */
export function uncoveredLayers(
  schedule: OnCallSchedule,
  policyLayers: readonly number[],
  now: number,
): readonly UncoveredLayer[] {
  const until = now + GAP_WINDOW_MS;
  const { layers } = coverageBetween(schedule, now, until, [1, ...policyLayers]);
  return layers
    .filter((it) => isWatchedLayer(it, policyLayers))
    .flatMap(({ layer, gaps }) => {
      const gap = gaps.find(({ startAt, endAt }) => endAt - startAt >= SHORTEST_GAP_MS);
      if (gap === undefined || gap.startAt >= now + UNCOVERED_WITHIN_MS) return [];
      const { startAt, endAt } = gap;
      return [{ layer, startAt, endAt: endAt === until ? null : endAt }];
    })
    .sort((a, b) => a.layer - b.layer);
}
