// Reads iCalendar text (RFC 5545): every occurrence in a window, with recurrence rules, added,
// excluded and changed occurrences applied. One unreadable event does not spoil the others.
import ICAL from "ical.js";
import type {
  CalendarEntry,
  CalendarReading,
  CalendarWindow,
} from "../../domain/oncall/imports/calendar-entry.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import {
  type CalendarEvent,
  type CalendarMoment,
  dayOf,
  intervalAt,
  isSeries,
  recurrenceKey,
  startsOf,
  toCalendarEvent,
} from "./calendar-event.ts";
import { type CalendarZones, zonesOf } from "./calendar-zones.ts";
import { summaryOf } from "./entry-people.ts";
import { RecurrenceBudget, RecurrenceTooLong } from "./recurrence.ts";

const NOT_A_CALENDAR = refuse("invalid", "is not an iCalendar text");

/** Parses a text; null if the library cannot. */
function parseText(text: string): readonly ICAL.Component[] | null {
  try {
    const parsed: unknown = ICAL.parse(text);
    const list = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed];
    return list.map((it) => new ICAL.Component(it));
  } catch {
    return null;
  }
}

const EVENT = /^BEGIN:VEVENT\r?\n[\s\S]*?^END:VEVENT\r?\n?/gim;
const SUMMARY = /^SUMMARY[^:\r\n]*:(.{0,200})/im;

/**
 * The calendars of a text: usually one. The library refuses a text with a single invalid value;
 * then the events that it refuses are left out.
 */
function calendarsIn(text: string, unreadable: string[]): readonly ICAL.Component[] | null {
  // A byte order mark and lines before the calendar are no part of it.
  const from = text.search(/BEGIN:VCALENDAR/i);
  if (from < 0) return null;
  const calendar = text.slice(from);
  const withoutRefused = () =>
    calendar.replace(EVENT, (event) => {
      if (parseText(event) !== null) return event;
      unreadable.push(SUMMARY.exec(event)?.[1] ?? "");
      return "";
    });
  const calendars = parseText(calendar) ?? parseText(withoutRefused());
  return calendars?.filter(({ name }) => name.toLowerCase() === "vcalendar") ?? null;
}

/**
 * Reads iCalendar text.
 *
 * @returns the occurrences that overlap the window; a refusal, whose message follows the name of
 *   what was read, if the text is no calendar
 */
export function readCalendar(text: string, window: CalendarWindow): CalendarReading | Refusal {
  const unreadable: string[] = [];
  const calendars = calendarsIn(text, unreadable);
  if (calendars === null || calendars.length === 0) return NOT_A_CALENDAR;
  const budget = new RecurrenceBudget();
  const entries = new Map<string, CalendarEntry>();
  try {
    for (const calendar of calendars) {
      const zones = zonesOf(calendar);
      for (const events of eventsByUid(calendar, zones, unreadable)) {
        for (const entry of entriesOf(events, window, zones, budget, unreadable)) {
          if (entry.endAt > window.from && entry.startAt < window.to) entries.set(entry.key, entry);
        }
      }
    }
  } catch (error) {
    if (error instanceof RecurrenceTooLong)
      return refuse("invalid", `cannot be read: ${error.message}`);
    throw error;
  }
  return {
    entries: [...entries.values()].sort(
      (one, other) => one.startAt - other.startAt || (one.key < other.key ? -1 : 1),
    ),
    unreadable,
  };
}

/** The events of each UID, in order of their sequence number. */
function eventsByUid(
  calendar: ICAL.Component,
  zones: CalendarZones,
  unreadable: string[],
): readonly (readonly CalendarEvent[])[] {
  const events = calendar.getAllSubcomponents("vevent").flatMap((component) => {
    try {
      return [toCalendarEvent(component, zones)];
    } catch {
      unreadable.push(summaryOf(component));
      return [];
    }
  });
  const ordered = events.sort((one, other) => one.sequence - other.sequence);
  // An event without a UID is identified by its start.
  const uidOf = ({ uid, start }: CalendarEvent) => uid || recurrenceKey(start);
  return [...Map.groupBy(ordered, uidOf).values()];
}

/** The entries of the events of one UID. */
function entriesOf(
  events: readonly CalendarEvent[],
  window: CalendarWindow,
  zones: CalendarZones,
  budget: RecurrenceBudget,
  unreadable: string[],
): CalendarEntry[] {
  const changes = events.filter(({ recurrence }) => recurrence !== null);
  // Of several versions of an event, the last one counts.
  const versions = events.filter(({ recurrence }) => recurrence === null);
  const own = [...new Map(versions.map((it) => [it.start.at, it])).values()];
  // Some programs give several single shifts one UID: each is identified by its start as well.
  const isShared = own.length > 1;
  const entries = own.flatMap((event) => {
    if (!isSeries(event)) {
      const key = isShared ? keyOf(event, event.start) : event.uid;
      return entryOf(event, key, event.start.local);
    }
    try {
      return occurrencesIn(event, changes, window, zones, budget);
    } catch (error) {
      if (error instanceof RecurrenceTooLong) throw error;
      unreadable.push(event.people.summary);
      return [];
    }
  });
  // A changed occurrence may have moved into the window, or come without its series.
  const isCancelled = own.some((it) => isSeries(it) && it.isCancelled);
  const changed = changes.flatMap((it) =>
    entryOf(it, keyOf(it, it.recurrence?.of ?? it.start), it.start.local),
  );
  return isCancelled ? [] : [...entries, ...changed];
}

/** The occurrences of a series that no change of their own replaces. */
function occurrencesIn(
  event: CalendarEvent,
  changes: readonly CalendarEvent[],
  window: CalendarWindow,
  zones: CalendarZones,
  budget: RecurrenceBudget,
): CalendarEntry[] {
  const replaced = changes.flatMap(({ recurrence }) => (recurrence ? [recurrence] : []));
  const instants = new Set(replaced.filter((it) => !it.of.isDate).map((it) => it.of.at));
  const days = new Set(replaced.filter((it) => it.of.isDate).map((it) => it.of.local));
  const following = changes
    .flatMap((change) => (change.recurrence?.following ? [{ change, ...change.recurrence }] : []))
    .sort((one, other) => other.of.at - one.of.at);
  return startsOf(event, window, zones, budget).flatMap((start) => {
    if (instants.has(start.at) || days.has(dayOf(start.local))) return [];
    const key = keyOf(event, start);
    const from = following.find(({ of }) => of.at <= start.at);
    if (!from) return entryOf(event, key, start.local);
    const { change, of } = from;
    return entryOf(change, key, start.local + change.start.local - of.local);
  });
}

/** Identifies an occurrence: by its UID and its recurrence id. */
const keyOf = ({ uid }: CalendarEvent, of: CalendarMoment): string => `${uid} ${recurrenceKey(of)}`;

/** The entry of an occurrence that starts at a local time; none if cancelled or without any time. */
function entryOf(event: CalendarEvent, key: string, local: number): CalendarEntry[] {
  const { people, start, length, isCancelled } = event;
  const interval = intervalAt(start.zone, local, length);
  if (isCancelled || !(interval.endAt > interval.startAt)) return [];
  return [{ key, ...interval, timeZone: start.zone.name, ...people }];
}
