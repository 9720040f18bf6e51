// Why nobody is on call on a layer for a time, as far as the events of the layer say.
import type { Event } from "../../contract/oncall/events/event.ts";

/** [from, until) in epoch ms. */
type Gap = { readonly from: number; readonly until: number };

const endedBefore = (event: Event, at: number): boolean =>
  [event.terminated_at, event.repeat ? event.repeat_end_datetime : event.end_datetime].some(
    (end) => end !== null && Date.parse(end) <= at,
  );

/** A clause in lower case, such as `the turn is empty`. */
export function gapReason(gap: Gap, layer: number, events: readonly Event[]): string {
  const own = events.filter((event) => event.layer === layer && event.parent_id === null);
  if (own.length === 0) return "the layer has no rotation";
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
