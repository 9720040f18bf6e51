/** The absences of a person on the public holidays of their region. Pure. */
import { DAY, formatInstant, instantOf, localOf, type Zone } from "../../shared/time.ts";
import type { Holiday } from "../holidays/holidays.ts";
import type { CalendarAbsence } from "./calendar-absences.ts";

/** A year, so that those of the next year appear by themselves. */
const DAYS_AHEAD = 366;

/**
 * The local dates whose holidays are read, both inclusive.
 *
 * @param now epoch ms
 */
export function holidayDates(zone: Zone, now: number): { from: number; to: number } {
  const today = Math.floor(localOf(zone, now) / DAY);
  return { from: today, to: today + DAYS_AHEAD };
}

/**
 * One absence for each local date with holidays, from the first of them that begins until midnight.
 *
 * @param holidays by date and start
 */
export function holidayAbsences(holidays: readonly Holiday[], zone: Zone): CalendarAbsence[] {
  const byDay = Map.groupBy(holidays, ({ day }) => day);
  return [...byDay].map(([day, together]) => ({
    key: formatInstant(day * DAY).slice(0, 10),
    startAt: instantOf(zone, day * DAY + Math.min(...together.map(({ startsAt }) => startsAt))),
    endAt: instantOf(zone, (day + 1) * DAY),
    reason: [...new Set(together.map(({ name }) => name))].join(", "),
  }));
}
