import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import type { EventFamily } from "./event-family.ts";
import type { FamilyWrites } from "./event-rows.ts";

/** What a change of an event's family does to who is on call. */
export const changeOfFamily = (
  { scheduleIds, schedulesOf: before, whole }: EventFamily,
  { replacedIds, events, schedulesOf }: Omit<FamilyWrites, "writes">,
): PreviewedChange => ({
  ...{ replacedIds, events, schedulesOf, known: whole },
  // Versions of a series may be in other schedules than the event.
  schedulesBefore: [
    ...new Set([...scheduleIds, ...replacedIds.flatMap((id) => before.get(id) ?? [])]),
  ],
  schedulesAfter: [...new Set([...scheduleIds, ...[...schedulesOf.values()].flat()])],
});
