// Serializes a calendar (RFC 5545): each shift as a single event, in UTC. No recurrence rules:
// another library could expand them differently from the calculation that pages.
import ical from "ical-generator";
import type { CalendarShift } from "../../../services/oncall/feeds/read-feed-shifts.ts";

/** The suggested refresh interval, in seconds. */
const REFRESH = 15 * 60;

/** Removes control characters: a line break in a name would start a new calendar line. */
const stripControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** The library escapes event texts, but not the calendar's name. */
const escapeText = (text: string) => stripControls(text).replace(/[\\;,]/g, "\\$&");

/**
 * Serializes shifts as iCalendar text.
 *
 * @param now epoch ms; the time stamp of the events
 */
export function calendarText(name: string, shifts: readonly CalendarShift[], now: number): string {
  const calendar = ical({
    name: escapeText(name),
    prodId: { company: "Tocsin", product: "On call", language: "EN" },
    ttl: REFRESH,
  });
  const stamp = new Date(now);
  for (const { uid, summary, description, startAt, endAt } of shifts) {
    calendar.createEvent({
      id: uid,
      stamp,
      summary: stripControls(summary),
      ...(description !== undefined && { description: stripControls(description) }),
      start: new Date(startAt),
      end: new Date(endAt),
    });
  }
  return `${calendar.toString()}\r\n`;
}
