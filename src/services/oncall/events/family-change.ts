import type { EventFamily } from "../../../db/oncall/events/event-family.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";

/**
 * What a change of an event's family does, for its preview.
 *
 * @param events the event and its overrides after the change, and new events beside them
 * @param placedIn the new schedules of them all; undefined: unchanged
 */
export function changeOfFamily(
  { event, overrides, scheduleIds, schedulesOf, whole }: EventFamily,
  events: readonly OnCallEvent[],
  placedIn?: readonly string[],
): OnCallChange {
  const replacedIds = [event, ...overrides].map(({ id }) => id);
  const before = { replacedIds, events, schedulesBefore: scheduleIds, known: whole };
  if (placedIn) return { ...before, schedulesAfter: placedIn };
  const places = new Map(events.map(({ id }) => [id, schedulesOf.get(id) ?? scheduleIds]));
  return { ...before, schedulesAfter: scheduleIds, schedulesOf: places };
}
