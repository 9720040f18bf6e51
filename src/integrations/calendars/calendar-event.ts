// One VEVENT of a calendar: its times in local time, and its occurrences.
import ICAL from "ical.js";
import type { CalendarWindow } from "../../domain/oncall/imports/calendar-entry.ts";
import { DAY, formatInstant, SECOND } from "../../domain/shared/time.ts";
import { type CalendarZone, type CalendarZones, localTime } from "./calendar-zones.ts";
import { type EventPeople, peopleOf } from "./entry-people.ts";
import { occurrencesOf, type RecurrenceBudget } from "./recurrence.ts";

/** A time of a calendar: an instant, and what the wall clock of its zone shows. */
export type CalendarMoment = {
  readonly at: number;
  readonly local: number;
  readonly isDate: boolean;
  readonly zone: CalendarZone;
};

export type CalendarEvent = {
  readonly component: ICAL.Component;
  readonly uid: string;
  readonly sequence: number;
  readonly start: CalendarMoment;
  /** The length by the wall clock (ms): a day's shift ends at the same time of the next day. */
  readonly length: number;
  /** For a changed occurrence: which one; `following`: it changes the later ones too. */
  readonly recurrence: { readonly of: CalendarMoment; readonly following: boolean } | null;
  readonly isCancelled: boolean;
  readonly people: EventPeople;
};

/** A property's time or date in its zone. */
function momentOf(value: ICAL.Time, property: ICAL.Property, zones: CalendarZones): CalendarMoment {
  const tzid = property.getParameter("tzid");
  const isUtc = value.zone === ICAL.Timezone.utcTimezone;
  const local = localTime(value);
  const isDate = value.isDate;
  if (isUtc && !isDate) return { at: local, local, isDate, zone: zones.of("Etc/UTC") };
  const zone = typeof tzid === "string" && !isDate ? zones.of(tzid) : zones.floating;
  return { at: zone.toInstant(local), local, isDate, zone };
}

/** The times of a property; throws for a value that is no time. */
function momentsOf(property: ICAL.Property, zones: CalendarZones): CalendarMoment[] {
  return property.getValues().map((value) => {
    const time = value instanceof ICAL.Period ? value.start : value;
    if (!(time instanceof ICAL.Time)) throw new Error("it has an invalid time");
    const moment = momentOf(time, property, zones);
    if (Number.isNaN(moment.at)) throw new Error("it has an invalid time");
    return moment;
  });
}

function momentNamed(
  component: ICAL.Component,
  name: string,
  zones: CalendarZones,
): CalendarMoment | null {
  const property = component.getFirstProperty(name);
  return property ? (momentsOf(property, zones)[0] ?? null) : null;
}

/** The wall-clock length: to DTEND, of DURATION, or the day of a date. */
function lengthOf(component: ICAL.Component, start: CalendarMoment, zones: CalendarZones): number {
  const end = momentNamed(component, "dtend", zones);
  if (end) return start.zone.toLocal(end.at) - start.local;
  const duration = component.getFirstPropertyValue("duration");
  if (duration instanceof ICAL.Duration) return duration.toSeconds() * SECOND;
  return start.isDate ? DAY : 0;
}

/** Reads a VEVENT. Throws if its times cannot be read. */
export function toCalendarEvent(component: ICAL.Component, zones: CalendarZones): CalendarEvent {
  const start = momentNamed(component, "dtstart", zones);
  if (!start) throw new Error("it has no start");
  const changed = momentNamed(component, "recurrence-id", zones);
  const range = component.getFirstProperty("recurrence-id")?.getParameter("range");
  return {
    component,
    uid: String(component.getFirstPropertyValue("uid") ?? ""),
    sequence: Number(component.getFirstPropertyValue("sequence")) || 0,
    start,
    length: lengthOf(component, start, zones),
    recurrence: changed && { of: changed, following: range === "THISANDFUTURE" },
    isCancelled:
      String(component.getFirstPropertyValue("status") ?? "").toUpperCase() === "CANCELLED",
    people: peopleOf(component),
  };
}

/** Whether the event has several occurrences. */
export const isSeries = ({ component }: CalendarEvent): boolean =>
  component.hasProperty("rrule") || component.hasProperty("rdate");

/** The start of a local day (ms). */
export const dayOf = (local: number): number => Math.floor(local / DAY) * DAY;

/** Identifies an occurrence within its series. */
export const recurrenceKey = ({ at, local, isDate }: CalendarMoment): string =>
  isDate ? formatInstant(local).slice(0, 10) : formatInstant(at);

/** The interval of an occurrence that starts at a local time of a zone. */
export function intervalAt(zone: CalendarZone, local: number, length: number) {
  return { startAt: zone.toInstant(local), endAt: zone.toInstant(local + length) };
}

/**
 * The starts of a series' occurrences that may overlap the window, in order: by its rules and added
 * dates, without the excluded ones. Throws if a rule cannot be read.
 */
export function startsOf(
  event: CalendarEvent,
  window: CalendarWindow,
  zones: CalendarZones,
  budget: RecurrenceBudget,
): CalendarMoment[] {
  const { component, start, length } = event;
  const { zone, isDate } = start;
  const from = zone.toLocal(window.from) - Math.max(length, 0) - DAY;
  const before = zone.toLocal(window.to);
  const named = (name: string) =>
    component.getAllProperties(name).flatMap((it) => momentsOf(it, zones));
  const excluded = named("exdate");
  const instants = new Set(excluded.filter((it) => !it.isDate).map(({ at }) => at));
  const days = new Set(excluded.filter((it) => it.isDate).map((it) => it.local));
  const added = named("rdate").map(({ at }) => zone.toLocal(at));
  const locals = new Set<number>([start.local, ...added]);
  for (const property of component.getAllProperties("rrule")) {
    const rule = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur)) throw new Error("it has an invalid rule");
    for (const local of occurrencesOf(rule, start, before, budget)) {
      if (local >= from) locals.add(local);
    }
  }
  return [...locals]
    .filter((local) => local >= from && local < before)
    .sort((one, other) => one - other)
    .map((local) => ({ at: zone.toInstant(local), local, isDate, zone }))
    .filter(({ at, local }) => !instants.has(at) && !days.has(dayOf(local)));
}
