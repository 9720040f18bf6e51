// A person's shifts of the coming week, as their weekly digest lists them. Pure.
import { DAY } from "../../shared/time.ts";
import type { OnCallSchedule } from "../absences/absence.ts";
import type { DigestShift } from "./notice-text.ts";
import { hoursBetween } from "./person-hours.ts";

/** A digest lists the shifts that overlap this time after it. */
export const DIGEST_WINDOW_MS = 7 * DAY;

type NamedSchedule = { readonly name: string; readonly schedule: OnCallSchedule };

/**
 * A person's shifts that overlap the week from `from` (epoch ms), by start. Shifts of a layer that
 * follow each other without a pause are one.
 */
export function shiftsOfWeek(
  schedules: readonly NamedSchedule[],
  accountUserId: string,
  from: number,
): readonly DigestShift[] {
  return schedules
    .flatMap(({ name, schedule }) => {
      const { people } = hoursBetween(schedule, from, from + DIGEST_WINDOW_MS);
      return Object.entries(people[accountUserId] ?? {}).flatMap(([layer, hours]) =>
        hours.map((it) => ({ schedule: name, layer: Number(layer), ...it })),
      );
    })
    .sort((a, b) => a.startAt - b.startAt || a.layer - b.layer);
}
