// A calendar as text (RFC 5545): every shift a single event of its own, in UTC. Never a recurrence
// rule: another library would read it in its own way, and show other people on call than those who
// are paged.
import ical from "ical-generator";

export type CalendarShift = {
  /** The same for the same shift, whenever and by whomever it is read. */
  readonly uid: string;
  readonly summary: string;
  readonly description?: string;
  /** [startAt, endAt) in epoch ms. */
  readonly startAt: number;
  readonly endAt: number;
};

/** How often a program may look again, seconds. */
const REFRESH = 15 * 60;

/** What people name things may hold line ends, which would be lines of the calendar's own. */
const plain = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** The library escapes what events say, but not a calendar's name. */
const escaped = (text: string) => plain(text).replace(/[\\;,]/g, "\\$&");

/** @param now epoch ms: when the calendar was read */
export function calendarText(name: string, shifts: readonly CalendarShift[], now: number): string {
  const calendar = ical({
    name: escaped(name),
    prodId: { company: "Tocsin", product: "On call", language: "EN" },
    ttl: REFRESH,
  });
  const stamp = new Date(now);
  for (const { uid, summary, description, startAt, endAt } of shifts) {
    calendar.createEvent({
      id: uid,
      stamp,
      summary: plain(summary),
      ...(description !== undefined && { description: plain(description) }),
      start: new Date(startAt),
      end: new Date(endAt),
    });
  }
  return `${calendar.toString()}\r\n`;
}
