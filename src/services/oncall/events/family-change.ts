import type { EventFamily } from "../../../db/oncall/events/event-family.ts";
import type { FamilyWrites } from "../../../db/oncall/events/event-rows.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";

/** What a change of an event's family does to who is on call. */
export const changeOfFamily = (
  { scheduleIds, whole }: EventFamily,
  { replacedIds, events, schedulesOf }: Omit<FamilyWrites, "writes">,
): OnCallChange => ({
  ...{ replacedIds, events, schedulesOf, known: whole },
  schedulesBefore: scheduleIds,
  schedulesAfter: [...new Set([...scheduleIds, ...[...schedulesOf.values()].flat()])],
});
