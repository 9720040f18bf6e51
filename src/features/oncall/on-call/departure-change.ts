import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { PreviewedChange } from "./preview-on-call-change.ts";

/**
 * What it does that people leave rosters, for its preview.
 *
 * @param changed the events without them
 * @param schedulesOf the schedules of each of these, by its id
 */
export function changeOfDeparture(
  changed: readonly OnCallEvent[],
  schedulesOf: ReadonlyMap<string, readonly string[]>,
): PreviewedChange {
  const schedules = changed.flatMap(({ id }) => schedulesOf.get(id) ?? []);
  return {
    replacedIds: changed.map(({ id }) => id),
    events: changed,
    schedulesBefore: schedules,
    schedulesAfter: schedules,
    schedulesOf,
  };
}
