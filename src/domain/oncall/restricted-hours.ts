/**
 * Restricts the occurrences of a series to hours of the week: business hours, nights, weekends. The
 * rotation's turns stay as long as the series says; only the hours in which they are served change.
 * Pure.
 */

import { weekday } from "../shared/calendar.ts";
import { DAY, instantOf, localOf, MINUTE, type Zone, zoneOf } from "../shared/time.ts";
import type { OnCallEvent, Restriction } from "./on-call-event.ts";
import { type Interval, subtractIntervals } from "./override-precedence.ts";

const DAYS_PER_WEEK = 7;
const WEEK = DAYS_PER_WEEK * DAY;

/** Whether the event is served in some hours of its occurrences only. */
const isRestricted = (event: OnCallEvent): boolean => (event.restrictions ?? []).length > 0;

/**
 * Returns a function from an interval to the parts of it that the event is restricted to, ordered by
 * start. Parts that do not touch [from, to) may be missing; the others are whole.
 */
export function restrictedHours(
  event: OnCallEvent,
  from: number,
  to: number,
): (interval: Interval) => readonly Interval[] {
  if (!isRestricted(event)) return (interval) => [interval];
  const zone = zoneOf(event.timeZone);
  const hours = weeklyHours(event.restrictions ?? []);
  if (hours === "all") return (interval) => [interval];
  return (interval) => {
    const near = { startAt: Math.max(interval.startAt, from), endAt: Math.min(interval.endAt, to) };
    return hoursTouching(zone, hours, near).flatMap(({ startAt, endAt }) => {
      const clipped = {
        startAt: Math.max(startAt, interval.startAt),
        endAt: Math.min(endAt, interval.endAt),
      };
      return clipped.startAt < clipped.endAt ? [clipped] : [];
    });
  };
}

/** An interval of wall-clock ms after the start of a week (Sunday); it may end in the next week. */
type WeeklyHours = { readonly start: number; readonly end: number };

/** The hours of every week, without overlap, ordered by start; "all": the whole week. */
function weeklyHours(restrictions: readonly Restriction[]): readonly WeeklyHours[] | "all" {
  const daily = restrictions.flatMap(({ daysOfWeek, startMinute, endMinute }) => {
    const days = daysOfWeek.length > 0 ? daysOfWeek : [0, 1, 2, 3, 4, 5, 6];
    const length =
      endMinute > startMinute ? endMinute - startMinute : endMinute - startMinute + DAY / MINUTE;
    return days.map((day) => {
      const startAt = day * DAY + startMinute * MINUTE;
      return { startAt, endAt: startAt + length * MINUTE };
    });
  });
  // Three weeks make hours that cross the end of a week whole.
  const weeks = [-1, 0, 1].flatMap((week) =>
    daily.map((it) => ({ startAt: it.startAt + week * WEEK, endAt: it.endAt + week * WEEK })),
  );
  const sorted = weeks.toSorted((one, other) => one.startAt - other.startAt);
  const gaps = subtractIntervals({ startAt: -WEEK + DAY, endAt: 2 * WEEK }, sorted);
  const joined = subtractIntervals({ startAt: -WEEK + DAY, endAt: 2 * WEEK }, gaps);
  const own = joined.filter(({ startAt }) => startAt >= 0 && startAt < WEEK);
  return own.length === 0
    ? "all"
    : own.map(({ startAt, endAt }) => ({ start: startAt, end: endAt }));
}

/** The hours that overlap an interval, each whole. */
function hoursTouching(
  zone: Zone,
  hours: readonly WeeklyHours[],
  { startAt, endAt }: Interval,
): readonly Interval[] {
  if (startAt >= endAt) return [];
  const found: Interval[] = [];
  const firstDay = Math.floor(localOf(zone, startAt) / DAY) - DAYS_PER_WEEK - 1;
  const firstWeek = firstDay - weekday(firstDay);
  const lastDay = Math.floor(localOf(zone, endAt) / DAY) + 1;
  for (let day = firstWeek; day <= lastDay; day += DAYS_PER_WEEK) {
    for (const { start, end } of hours) {
      const served = {
        startAt: instantOf(zone, day * DAY + start),
        endAt: instantOf(zone, day * DAY + end),
      };
      const isTouching = served.startAt < endAt && served.endAt > startAt;
      if (isTouching && served.endAt > served.startAt) found.push(served);
    }
  }
  return found;
}
