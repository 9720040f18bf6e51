import type { EventFamily } from "../../../db/oncall/events/event-family.ts";
import type { FamilyWrites } from "../../../db/oncall/events/event-rows.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";

/**
 * What a change of an event's family does, for its preview.
 *
 * @param placedIn the new schedules of the changed events; undefined: unchanged
 */
export function changeOfFamily(
  { scheduleIds, schedulesOf, whole }: EventFamily,
  { replacedIds, events }: Pick<FamilyWrites, "replacedIds" | "events">,
  placedIn?: readonly string[],
): OnCallChange {
  const before = { replacedIds, events, schedulesBefore: scheduleIds, known: whole };
  if (placedIn) return { ...before, schedulesAfter: placedIn };
  const places = new Map(events.map(({ id }) => [id, schedulesOf.get(id) ?? scheduleIds]));
  return { ...before, schedulesAfter: scheduleIds, schedulesOf: places };
}
