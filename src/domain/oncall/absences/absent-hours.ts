/** What an absence does in each schedule: the hours in which others serve, and those left. Pure. */

import type { OnCallEntry } from "../oncall.ts";
import { onCallBetween, servedBetween } from "../oncall.ts";
import type { Interval } from "../override-precedence.ts";
import { type Absence, absencesIn, concerns, type OnCallSchedule, sinceOf } from "./absence.ts";

/** Hours of an event [startAt, endAt) (epoch ms), and who serves them. */
export type ServedHours = Interval & {
  readonly eventId: string;
  readonly layer: number;
  readonly scheduleIds: readonly string[];
  /** Account user ids; none: an absence leaves the hours empty. */
  readonly people: readonly string[];
};

/** The schedules of an account that may matter, by id. */
export type OnCallSchedules = ReadonlyMap<string, OnCallSchedule>;

type Span = Interval & Pick<Absence, "accountUserId" | "scheduleIds">;

/** The hours in which a person is on call in a time, in some schedules or (null) all; by start. */
export const servedHours = (span: Span, schedules: OnCallSchedules): readonly ServedHours[] =>
  hoursIn(span, schedules, onCallBetween, ({ attendees }) =>
    attendees.some(({ attendeeId }) => attendeeId === span.accountUserId),
  );

/** The hours in which somebody serves, or nobody, instead of the person of an absence; by start. */
export const coveredHours = (
  absence: Span & Pick<Absence, "id">,
  schedules: OnCallSchedules,
): readonly ServedHours[] =>
  hoursIn(absence, schedules, servedBetween, ({ absent }) =>
    (absent ?? []).some(({ absenceId }) => absenceId === absence.id),
  );

function hoursIn(
  { startAt, endAt, scheduleIds }: Span,
  schedules: OnCallSchedules,
  entriesBetween: typeof onCallBetween,
  isMeant: (entry: OnCallEntry) => boolean,
): readonly ServedHours[] {
  if (startAt >= endAt) return [];
  const found = [...schedules]
    .filter(([id]) => concerns({ scheduleIds }, id))
    .flatMap(([scheduleId, schedule]) =>
      entriesBetween(schedule, startAt, endAt)
        .filter(isMeant)
        .map((entry) => ({
          ...{ scheduleId, eventId: entry.eventId, layer: entry.layer },
          startAt: Math.max(entry.startAt, startAt),
          endAt: Math.min(entry.endAt, endAt),
          people: entry.attendees.map(({ attendeeId }) => attendeeId),
        })),
    );
  // An event may be in several schedules.
  const same = Map.groupBy(found, (it) =>
    JSON.stringify([it.eventId, it.startAt, it.endAt, it.people]),
  );
  return [...same.values()]
    .flatMap((all) => {
      const [first] = all;
      if (!first) return [];
      const { scheduleId: _, ...hours } = first;
      return [{ ...hours, scheduleIds: all.map((it) => it.scheduleId).sort() }];
    })
    .sort((one, other) => one.startAt - other.startAt || one.layer - other.layer);
}

/** The schedules with other absences. */
export const withAbsences = (
  schedules: OnCallSchedules,
  absences: readonly Absence[],
): OnCallSchedules =>
  new Map([...schedules].map(([id, it]) => [id, { ...it, absences: absencesIn(absences, id) }]));

/** A change of absences. */
export type AbsenceChange = {
  /** Ids of absences that change or go. */
  readonly replacedIds: readonly string[];
  /** The absences that there are instead. */
  readonly absences: readonly Absence[];
};

/** The absences after a change at `now` (epoch ms): what was served before stays. */
export function absencesAfter(
  absences: readonly Absence[],
  change: AbsenceChange,
  now: number,
): readonly Absence[] {
  const replaced = new Set(change.replacedIds);
  return [
    ...absences.map((it) => (replaced.has(it.id) ? { ...it, endAt: Math.min(it.endAt, now) } : it)),
    ...change.absences.map((it) => ({
      ...it,
      since: sinceOf(it),
      startAt: Math.max(it.startAt, now),
    })),
  ].filter(({ startAt, endAt }) => startAt < endAt);
}
