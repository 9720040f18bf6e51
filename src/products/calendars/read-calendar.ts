// Reads iCalendar text (RFC 5545): every occurrence in a window, with recurrence rules, added,
// excluded and changed occurrences applied. One unreadable event does not spoil the others, and no
// text makes it throw or takes it long: calendars come from strangers.
import type {
  CalendarEntry,
  CalendarReading,
  CalendarWindow,
} from "../../domain/oncall/imports/calendar-entry.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import {
  type CalendarEvent,
  type CalendarMoment,
  type CalendarOccurrence,
  intervalAt,
  isSeries,
  namedBy,
  recurrenceKey,
  startsOf,
  toCalendarEvent,
} from "./calendar-event.ts";
import { type CalendarFault, INVALID, isFault } from "./calendar-times.ts";
import { type CalendarZones, zonesOf } from "./calendar-zones.ts";
import { type Component, readCalendars } from "./content-lines.ts";
import { summaryOf } from "./entry-people.ts";
import { forgetDates, RecurrenceBudget } from "./recurrence.ts";

const NOT_A_CALENDAR = refuse("invalid", "is not an iCalendar text");
const INVALID_EVENT = refuse("invalid", "cannot be read: an event of it is invalid");
const TOO_LONG = refuse(
  "invalid",
  "cannot be read: the calendar's events repeat too often to be expanded",
);

/** What a reading has found so far, and what it may still spend. */
type Progress = {
  readonly window: CalendarWindow;
  readonly budget: RecurrenceBudget;
  readonly entries: Map<string, CalendarEntry>;
  readonly unreadable: string[];
  events: number;
  /** How many of the events could not be read. */
  failed: number;
};

/**
 * Reads iCalendar text. Never throws.
 *
 * @returns the occurrences that overlap the window; a refusal, whose message follows the name of
 *   what was read, if the text is no calendar, or nothing in it can be read
 */
export function readCalendar(text: string, window: CalendarWindow): CalendarReading | Refusal {
  try {
    const calendars = readCalendars(text);
    if (calendars === null || calendars.length === 0) return NOT_A_CALENDAR;
    return readEvents(calendars, window);
  } catch {
    // Whatever it is, it comes from the text: the calendar fails, and says so.
    return INVALID_EVENT;
  } finally {
    forgetDates();
  }
}

function readEvents(
  calendars: readonly Component[],
  window: CalendarWindow,
): CalendarReading | Refusal {
  const budget = new RecurrenceBudget();
  const progress: Progress = {
    window,
    budget,
    entries: new Map(),
    unreadable: [],
    events: 0,
    failed: 0,
  };
  for (const calendar of calendars) {
    const zones = zonesOf(calendar, window, budget);
    for (const events of eventsByUid(calendar, zones, progress)) {
      for (const entry of entriesOf(events, progress)) {
        if (entry.endAt > window.from && entry.startAt < window.to) {
          progress.entries.set(entry.key, entry);
        }
      }
      if (budget.isExhausted) return TOO_LONG;
    }
    if (budget.isExhausted) return TOO_LONG;
  }
  const { entries, unreadable } = progress;
  if (progress.failed > 0 && progress.failed === progress.events) {
    return refuse("invalid", `has no event that can be read: ${unreadable[0]}`);
  }
  return {
    entries: [...entries.values()].sort(
      (one, other) => one.startAt - other.startAt || (one.key < other.key ? -1 : 1),
    ),
    unreadable,
  };
}

/** Reads one event, or an occurrence of it; names it if that fails. */
function attempt<Value>(
  component: Component,
  progress: Progress,
  read: () => Value | CalendarFault,
): Value | null {
  const value = readOrFault(read);
  if (!isFault(value)) return value;
  const why = value.fault === "" ? "" : ` (${value.fault})`;
  progress.failed += 1;
  progress.unreadable.push(`${summaryOf(component)}${why}`.trim());
  return null;
}

function readOrFault<Value>(read: () => Value): Value | CalendarFault {
  try {
    return read();
  } catch {
    // What a library does not expect in an event spoils no other one.
    return INVALID;
  }
}

/** The events of each UID, in order of their sequence number. */
function eventsByUid(
  calendar: Component,
  zones: CalendarZones,
  progress: Progress,
): readonly (readonly CalendarEvent[])[] {
  const events = calendar.components.flatMap((component) => {
    if (component.name !== "vevent") return [];
    progress.events += 1;
    const event = attempt(component, progress, () => toCalendarEvent(component, zones));
    if (event === null) return [];
    if (event.isPartial) progress.unreadable.push(event.people.summary);
    return [event];
  });
  const ordered = events.sort((one, other) => one.sequence - other.sequence);
  // An event without a UID is identified by its start.
  const uidOf = ({ uid, start }: CalendarEvent) => uid || recurrenceKey(start);
  return [...Map.groupBy(ordered, uidOf).values()];
}

type Change = CalendarEvent & { readonly recurrence: NonNullable<CalendarEvent["recurrence"]> };

const isChange = (event: CalendarEvent): event is Change => event.recurrence !== null;

/** The entries of the events of one UID. */
function entriesOf(events: readonly CalendarEvent[], progress: Progress): CalendarEntry[] {
  // Of several versions of an event, only the newest counts.
  const versions = events.filter((it) => !isChange(it));
  const newest = versions.at(-1)?.sequence ?? 0;
  const current = versions.filter(({ sequence }) => sequence === newest);
  const own = [...new Map(current.map((it) => [it.start.at, it])).values()];
  const changed = events
    .filter(isChange)
    .map((it) => [`${recurrenceKey(it.recurrence.of)} ${it.recurrence.following}`, it] as const);
  const changes = [...new Map(changed).values()].filter(
    (it) => it.sequence >= newest || !isUndone(it, own),
  );
  // Some programs give several single shifts one UID: each is identified by its start as well.
  const isShared = own.length > 1;
  const occurrencesOfSeries = changedBy(changes, progress);
  const entries = own.flatMap((event) => {
    const { component, start, uid } = event;
    const read = () =>
      isSeries(event)
        ? occurrencesOfSeries(event)
        : entryOf(event, isShared ? keyOf(event, start) : uid, start);
    return attempt(component, progress, read) ?? [];
  });
  if (own.some((it) => isSeries(it) && it.isCancelled)) return [];
  // A changed occurrence may have moved into the window, or come without its series.
  const moved = changes.flatMap((it) => {
    const read = () => entryOf(it, keyOf(it, it.recurrence.of), it.start);
    return attempt(it.component, progress, read) ?? [];
  });
  return [...entries, ...moved];
}

/** Whether newer versions of the event no longer have the occurrence that an older change changes. */
const isUndone = ({ recurrence: { of } }: Change, own: readonly CalendarEvent[]): boolean =>
  own.length > 0 && own.every((it) => !isSeries(it) || namedBy(it.excluded)(of, it.start));

/** The occurrences of a series that no change of their own replaces, as the others change them. */
function changedBy(
  changes: readonly Change[],
  { window, budget }: Progress,
): (series: CalendarEvent) => CalendarEntry[] | CalendarFault {
  const isReplaced = namedBy(changes.map(({ recurrence }) => recurrence.of));
  const following = changes
    .filter(({ recurrence }) => recurrence.following)
    .sort((one, other) => other.recurrence.of.at - one.recurrence.of.at);
  return (event) => {
    const starts = startsOf(event, window, budget);
    if (isFault(starts)) return starts;
    if (!budget.spend((starts.length * following.length) / 20)) return INVALID;
    return starts.flatMap((start) => {
      if (isReplaced(start, event.start)) return [];
      const key = keyOf(event, start);
      const from = following.find(({ recurrence }) => recurrence.of.at <= start.at);
      if (!from) return entryOf(event, key, start);
      const local = start.local + from.start.local - from.recurrence.of.local;
      return entryOf(from, key, { ...start, local });
    });
  };
}

/** Identifies an occurrence: by its UID and its recurrence id. */
const keyOf = ({ uid }: CalendarEvent, of: CalendarMoment): string => `${uid} ${recurrenceKey(of)}`;

/** The entry of an occurrence that starts at a local time; none if cancelled or without any time. */
function entryOf(
  { people, start, length, isCancelled, isFree }: CalendarEvent,
  key: string,
  occurrence: CalendarOccurrence,
): CalendarEntry[] {
  const interval = intervalAt(start.zone, occurrence.local, occurrence.length ?? length);
  if (isCancelled || !(interval.endAt > interval.startAt)) return [];
  return [{ key, ...interval, timeZone: start.zone.name, isFree, ...people }];
}
