/** A schedule after changes of events and absences, before they are written. Pure. */

import type { Absence, OnCallSchedule } from "../absences/absence.ts";
import { absencesIn } from "../absences/absence.ts";
import { type AbsenceChange, absencesAfter } from "../absences/absent-hours.ts";
import type { OnCallEvent } from "../on-call-event.ts";

/** What a change does to events and absences. */
export type ServingChange = {
  /** The ids of all events that change or go. */
  readonly replacedIds: readonly string[];
  /** The events after the change: those that are changed or new. */
  readonly events: readonly OnCallEvent[];
  /** Their schedules. */
  readonly schedulesAfter: readonly string[];
  /** The schedules of each of them; absent: all of `schedulesAfter`. */
  readonly schedulesOf?: ReadonlyMap<string, readonly string[]>;
  readonly absences?: AbsenceChange;
};

/** The events of a schedule after a change of them. */
export function eventsAfter(
  stored: readonly OnCallEvent[],
  scheduleId: string,
  { replacedIds, events, schedulesAfter, schedulesOf }: ServingChange,
): readonly OnCallEvent[] {
  const replaced = new Set(replacedIds);
  const others = stored.filter(({ id }) => !replaced.has(id));
  if (!schedulesAfter.includes(scheduleId)) return others;
  return [
    ...others,
    ...events.filter(({ id }) => schedulesOf?.get(id)?.includes(scheduleId) ?? true),
  ];
}

/**
 * Returns the schedules after several changes, one after the other, by their ids.
 *
 * @param absences all absences of the account
 * @param now epoch ms
 */
export function schedulesAfter(
  schedules: ReadonlyMap<string, OnCallSchedule>,
  absences: readonly Absence[],
  changes: readonly ServingChange[],
  now: number,
): (scheduleId: string) => OnCallSchedule {
  const served = changes.reduce(
    (all, { absences: change }) => (change ? absencesAfter(all, change, now) : all),
    absences,
  );
  return (scheduleId) => {
    const stored = schedules.get(scheduleId);
    return {
      ...stored,
      events: changes.reduce(
        (all, change) => eventsAfter(all, scheduleId, change),
        stored?.events ?? [],
      ),
      absences: absencesIn(served, scheduleId),
    };
  };
}
