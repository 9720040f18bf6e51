import type { EventFamily } from "../../../db/oncall/events/event-family.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";

/**
 * What a change of an event's family does, for its preview.
 *
 * @param events the event and its overrides after the change, and new events beside them
 * @param scheduleIds the new schedules; undefined: unchanged
 */
export function changeOfFamily(
  { event, overrides, scheduleIds: schedulesBefore }: EventFamily,
  events: readonly OnCallEvent[],
  scheduleIds: readonly string[] = schedulesBefore,
): OnCallChange {
  const replacedIds = [event, ...overrides].map(({ id }) => id);
  return { replacedIds, events, schedulesBefore, schedulesAfter: scheduleIds };
}
