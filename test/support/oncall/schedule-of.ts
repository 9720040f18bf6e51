import type { Absence, OnCallSchedule } from "../../../src/domain/oncall/absences/absence.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";

/** A schedule of these events; without absences unless there are some. */
export const scheduleOf = (
  events: readonly OnCallEvent[],
  absences: readonly Absence[] = [],
): OnCallSchedule => ({ events, absences });
