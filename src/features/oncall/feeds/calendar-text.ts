// Serializes a calendar (RFC 5545): each shift as a single event, in UTC. No recurrence rules:
// another library could expand them differently from the calculation that pages.
import ICAL from "ical.js";
import { LAYER_PROPERTY, PEOPLE_PROPERTY } from "../../../products/calendars/content-lines.ts";
import type { CalendarShift } from "./read-feed-shifts.ts";

/** The suggested refresh interval. */
const REFRESH = "PT15M";

// The library does not count the space before a continued line. A line has at most 75 octets.
ICAL.foldLength = 74;

/** Removes control characters: a line break in a name would start a new calendar line. */
const stripControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** The library escapes the texts of properties that it knows: not the calendar's name. */
const escapeText = (text: string) => stripControls(text).replace(/[\\;,]/g, "\\$&");

const timeOf = (at: number) => ICAL.Time.fromJSDate(new Date(at), true);

/** Adds a property whose type the library does not know. */
function addText(component: ICAL.Component, name: string, text: string): void {
  const property = new ICAL.Property(name);
  property.setValue(text);
  component.addProperty(property);
}

function toEvent(shift: CalendarShift, stamp: ICAL.Time): ICAL.Component {
  const event = new ICAL.Component("vevent");
  event.addPropertyWithValue("uid", shift.uid);
  event.addPropertyWithValue("sequence", 0);
  event.addPropertyWithValue("dtstamp", stamp);
  event.addPropertyWithValue("dtstart", timeOf(shift.startAt));
  event.addPropertyWithValue("dtend", timeOf(shift.endAt));
  // Who is on call is free for other things: free/busy look-ups do not show the shift.
  event.addPropertyWithValue("transp", "TRANSPARENT");
  event.addPropertyWithValue("summary", stripControls(shift.summary));
  if (shift.description !== undefined) {
    event.addPropertyWithValue("description", stripControls(shift.description));
  }
  if (shift.onCall) {
    addText(event, PEOPLE_PROPERTY, shift.onCall.people.join(" "));
    addText(event, LAYER_PROPERTY, String(shift.onCall.layer));
  }
  return event;
}

/**
 * Serializes shifts as iCalendar text.
 *
 * @param now epoch ms; the time stamp of the events
 */
export function calendarText(name: string, shifts: readonly CalendarShift[], now: number): string {
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Tocsin//On call//EN");
  addText(calendar, "name", escapeText(name));
  addText(calendar, "x-wr-calname", escapeText(name));
  const interval = new ICAL.Property("refresh-interval");
  interval.resetType("duration");
  interval.setValue(ICAL.Duration.fromString(REFRESH));
  calendar.addProperty(interval);
  addText(calendar, "x-published-ttl", REFRESH);
  const stamp = timeOf(now);
  for (const shift of shifts) calendar.addSubcomponent(toEvent(shift, stamp));
  return `${calendar.toString()}\r\n`;
}
