// Why nobody is on call on a layer for a time, as far as the events of the layer say; and layers on
// which that is no gap.
import type { Event } from "../../features/oncall/events/contract.ts";
import type { Coverage, OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import { listText } from "./rotation/planned-shifts.ts";

type LayerCoverage = Coverage["layers"][number];

/** [from, until) in epoch ms. */
type Gap = { readonly from: number; readonly until: number };

const endedBefore = (event: Event, at: number): boolean =>
  [event.terminated_at, event.repeat ? event.repeat_end_datetime : event.end_datetime].some(
    (end) => end !== null && Date.parse(end) <= at,
  );

/** A clause in lower case, such as `the turn is empty`. */
export function gapReason(gap: Gap, layer: number, events: readonly Event[]): string {
  const own = events.filter((event) => event.layer === layer && event.parent_id === null);
  if (own.length === 0) return "the step has no rotation";
  if (own.every(({ start_datetime }) => Date.parse(start_datetime) >= gap.until)) {
    return "the first shift starts later";
  }
  const isRemoved = own.some(({ exceptions }) =>
    exceptions.some(({ start_datetime: at }) => {
      const start = Date.parse(at);
      return start >= gap.from && start < gap.until;
    }),
  );
  if (isRemoved) return "a shift was removed";
  const running = own.filter((event) => !endedBefore(event, gap.from));
  if (running.length === 0) return "the last shift has ended";
  const isEmpty = running.some(
    ({ rotation, positions }) => rotation && positions.some((people) => people.length === 0),
  );
  return isEmpty ? "the turn is empty" : "no shift covers these hours";
}

/** The layers without shifts in words, as a sentence; null if there are none. */
export function withoutShiftsText(
  layers: readonly Pick<LayerCoverage, "layer" | "gaps" | "has_shifts">[],
): string | null {
  const empty = layers.filter((it) => !it.has_shifts && it.gaps.length === 0);
  if (empty.length === 0) return null;
  if (empty.length === layers.length) return "The schedule has no shifts yet.";
  const steps = listText(empty.map(({ layer }) => String(layer)));
  return empty.length === 1 ? `Step ${steps} has no shifts.` : `Steps ${steps} have no shifts.`;
}

/**
 * When a layer's first shift starts (epoch ms); null if it had one before, or has none.
 *
 * @param entries who is on call in the window of the coverage
 * @param since now, or the start of the window if that is later (epoch ms)
 */
export function firstShiftAt(
  { layer, gaps }: LayerCoverage,
  entries: readonly OnCallEntry[],
  since: number,
): number | null {
  const starts = entries.filter((it) => it.layer === layer).map((it) => Date.parse(it.start_time));
  const first = Math.min(...starts);
  const isGap = gaps.some(({ start_time }) => Date.parse(start_time) < first);
  return first > since && starts.length > 0 && !isGap ? first : null;
}
