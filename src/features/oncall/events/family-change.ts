import type { OnCallChange } from "../on-call/preview-on-call-change.ts";
import type { EventFamily } from "./event-family.ts";
import type { FamilyWrites } from "./event-rows.ts";

/** What a change of an event's family does to who is on call. */
export const changeOfFamily = (
  { scheduleIds, whole }: EventFamily,
  { replacedIds, events, schedulesOf }: Omit<FamilyWrites, "writes">,
): OnCallChange => ({
  ...{ replacedIds, events, schedulesOf, known: whole },
  schedulesBefore: scheduleIds,
  schedulesAfter: [...new Set([...scheduleIds, ...[...schedulesOf.values()].flat()])],
});
