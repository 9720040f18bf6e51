import type { OnCallChange } from "../on-call/preview-on-call-change.ts";

/** What it does that a schedule loses all its events; they stay in others. */
export const changeOfEmptied = (scheduleId: string): OnCallChange => ({
  replacedIds: [],
  events: [],
  schedulesBefore: [scheduleId],
  schedulesAfter: [],
  emptied: scheduleId,
});
