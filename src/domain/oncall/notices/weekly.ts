// When a person's weekly digest is due: a weekday and a time of day in their zone. Pure.
import { weekday } from "../../shared/calendar.ts";
import { DAY, HOUR, instantOf, localOf, MINUTE, zoneOf } from "../../shared/time.ts";

/** Monday first. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `HH:mm`, 00:00 to 23:59. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

export type WeeklyTime = {
  readonly day: Weekday;
  /** `HH:mm`. */
  readonly time: string;
  /** A listed or IANA name. */
  readonly timeZone: string;
};

/** The next such instant after `after` (epoch ms). A time that the clocks skip moves forward. */
export function nextWeekly({ day, time, timeZone }: WeeklyTime, after: number): number {
  const zone = zoneOf(timeZone);
  const [hours, minutes] = time.split(":").map(Number);
  const ofDay = Number(hours) * HOUR + Number(minutes) * MINUTE;
  const today = Math.floor(localOf(zone, after) / DAY);
  // Sunday is 0.
  const ahead = (WEEKDAYS.indexOf(day) + 1 - weekday(today) + 7) % 7;
  for (let date = today + ahead; ; date += 7) {
    const at = instantOf(zone, date * DAY + ofDay);
    if (at > after) return at;
  }
}
