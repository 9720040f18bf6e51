// One VEVENT of a calendar: its times in local time, and its occurrences.
import type { CalendarWindow } from "../../domain/oncall/imports/calendar-entry.ts";
import { DAY, formatInstant } from "../../domain/shared/time.ts";
import {
  type CalendarZone,
  dayOf,
  isPlausible,
  readDuration,
  readTime,
  type WrittenTime,
} from "./calendar-times.ts";
import type { CalendarZones } from "./calendar-zones.ts";
import { type Component, firstOf, type Property, propertiesOf, textOf } from "./content-lines.ts";
import { type EventPeople, peopleOf } from "./entry-people.ts";
import { dateOf, occurrencesOf, type RecurrenceBudget, readRule } from "./recurrence.ts";

/** A time of a calendar: an instant, and what the wall clock of its zone shows. */
export type CalendarMoment = WrittenTime & {
  readonly at: number;
  readonly zone: CalendarZone;
};

/** The start of an occurrence; an added one may have a length of its own. */
export type Occurrence = CalendarMoment & { readonly length?: number | undefined };

export type CalendarEvent = {
  readonly component: Component;
  readonly uid: string;
  readonly sequence: number;
  readonly start: CalendarMoment;
  /** The length by the wall clock (ms): a day's shift ends at the same time of the next day. */
  readonly length: number;
  /** For a changed occurrence: which one; `following`: it changes the later ones too. */
  readonly recurrence: { readonly of: CalendarMoment; readonly following: boolean } | null;
  readonly excluded: readonly CalendarMoment[];
  readonly added: readonly Occurrence[];
  /** Whether an excluded or added time is left out, since it cannot be read. */
  readonly isPartial: boolean;
  readonly isCancelled: boolean;
  readonly isFree: boolean;
  readonly people: EventPeople;
};

/** Longer UIDs are cut: RFC 7986 asks for at most 255 octets. */
const MAX_UID = 500;

/**
 * A time as the property's zone has it.
 *
 * @param own the zone of times without one; dates are in the calendar's
 */
function momentOf(
  text: string,
  { parameters }: Property,
  zones: CalendarZones,
  own: CalendarZone | null,
): CalendarMoment {
  const time = readTime(text);
  if (time === null) throw new Error("it has an invalid time");
  if (!isPlausible(time.local)) throw new Error("it is not in the years 1900 to 2199");
  if (time.isUtc) return { ...time, at: time.local, zone: zones.of("Etc/UTC") };
  const tzid = time.isDate ? "" : (parameters.get("tzid") ?? "").trim();
  const withoutZone = () => (time.isDate ? null : own) ?? zones.floating();
  const zone = tzid === "" ? withoutZone() : zones.of(tzid);
  return { ...time, at: zone.toInstant(time.local), zone };
}

function momentNamed(
  component: Component,
  name: string,
  zones: CalendarZones,
  own: CalendarZone | null,
): CalendarMoment | null {
  const property = firstOf(component, name);
  return property ? momentOf(property.value, property, zones, own) : null;
}

function durationOf(text: string): number {
  const length = readDuration(text);
  if (length === null) throw new Error("it has an invalid duration");
  return length;
}

/** The wall-clock length: to DTEND, of DURATION, or the day of a date. */
function lengthOf(component: Component, start: CalendarMoment, zones: CalendarZones): number {
  const own = ownZoneOf(start);
  const end = momentNamed(component, "dtend", zones, own);
  const duration = firstOf(component, "duration");
  const length = end
    ? start.zone.toLocal(end.at) - start.local
    : duration
      ? durationOf(duration.value)
      : start.isDate
        ? DAY
        : 0;
  if (!isPlausible(start.local + length)) throw new Error("it ends after the year 2199");
  return length;
}

/** The zone of the other times of an event that state none: its start's. */
const ownZoneOf = ({ isDate, isUtc, zone }: CalendarMoment): CalendarZone | null =>
  isDate || isUtc ? null : zone;

/** An added time or period. */
function occurrenceOf(
  text: string,
  property: Property,
  zones: CalendarZones,
  own: CalendarZone | null,
): Occurrence {
  const [start = "", end] = text.split("/", 2);
  const moment = momentOf(start, property, zones, own);
  if (end === undefined) return moment;
  const length = /^[+-]?P/i.test(end.trim())
    ? durationOf(end)
    : moment.zone.toLocal(momentOf(end, property, zones, own).at) - moment.local;
  if (!isPlausible(moment.local + length)) throw new Error("it ends after the year 2199");
  return { ...moment, length };
}

/** The values of all properties of a name; one that cannot be read is counted. */
function listNamed<Value>(
  component: Component,
  name: string,
  read: (text: string, property: Property) => Value,
): { readonly values: readonly Value[]; readonly unread: number } {
  const values: Value[] = [];
  let unread = 0;
  for (const property of propertiesOf(component, name)) {
    for (const text of property.value.split(",")) {
      try {
        values.push(read(text, property));
      } catch {
        unread += 1;
      }
    }
  }
  return { values, unread };
}

/** Whether the person can be reached for something else: Outlook says more than TRANSP. */
function isFree(component: Component): boolean {
  const status = textOf(component, "x-microsoft-cdo-busystatus").toUpperCase();
  if (status === "OOF") return false;
  const isTransparent = textOf(component, "transp").toUpperCase() === "TRANSPARENT";
  return isTransparent || status === "FREE" || status === "WORKINGELSEWHERE";
}

/** Reads a VEVENT. Throws if its times cannot be read. */
export function toCalendarEvent(component: Component, zones: CalendarZones): CalendarEvent {
  const start = momentNamed(component, "dtstart", zones, null);
  if (!start) throw new Error("it has no start");
  const own = ownZoneOf(start);
  const changed = momentNamed(component, "recurrence-id", zones, own);
  const range = firstOf(component, "recurrence-id")?.parameters.get("range") ?? "";
  const excluded = listNamed(component, "exdate", (text, it) => momentOf(text, it, zones, own));
  const added = listNamed(component, "rdate", (text, it) => occurrenceOf(text, it, zones, own));
  return {
    component,
    uid: textOf(component, "uid", MAX_UID)
      .replace(/\p{Cc}/gu, "")
      .toWellFormed(),
    sequence: Number.parseInt(textOf(component, "sequence"), 10) || 0,
    start,
    length: lengthOf(component, start, zones),
    recurrence: changed && { of: changed, following: range.toUpperCase() === "THISANDFUTURE" },
    excluded: excluded.values,
    added: added.values,
    isPartial: excluded.unread + added.unread > 0,
    isCancelled: textOf(component, "status").toUpperCase() === "CANCELLED",
    isFree: isFree(component),
    people: peopleOf(component),
  };
}

/** Whether the event has several occurrences. */
export const isSeries = ({ component }: CalendarEvent): boolean =>
  component.properties.some(({ name }) => name === "rrule" || name === "rdate");

/** Identifies an occurrence within its series. */
export const recurrenceKey = ({ at, local, isDate }: CalendarMoment): string =>
  isDate ? formatInstant(local).slice(0, 10) : formatInstant(at);

/** The interval of an occurrence that starts at a local time of a zone. */
export function intervalAt(zone: CalendarZone, local: number, length: number) {
  return { startAt: zone.toInstant(local), endAt: zone.toInstant(local + length) };
}

/**
 * Which occurrences the moments name: of a series of dates by their local dates, whatever the zone
 * that a moment is written in; of others by their instants, or all of a date.
 */
export function namedBy(
  moments: readonly CalendarMoment[],
  zones: CalendarZones,
): (occurrence: CalendarMoment, ofDates: boolean) => boolean {
  const instants = new Set(moments.filter((it) => !it.isDate).map(({ at }) => at));
  const days = new Set(moments.filter((it) => it.isDate).map(({ local }) => local));
  let dates: ReadonlySet<number> | null = null;
  return (occurrence, ofDates) => {
    if (!ofDates) return instants.has(occurrence.at) || days.has(dayOf(occurrence.local));
    if (moments.length === 0) return false;
    dates ??= new Set(moments.map((it) => dateOf(it, zones.floating())));
    return dates.has(dateOf(occurrence, zones.floating()));
  };
}

/** The work of an occurrence in the window, in units of the budget: it becomes an entry. */
const WORK_OF_OCCURRENCE = 4;

/**
 * The starts of a series' occurrences that may overlap the window, in order: by its rules and added
 * dates, without the excluded ones. Throws if a rule cannot be read.
 */
export function startsOf(
  event: CalendarEvent,
  window: CalendarWindow,
  zones: CalendarZones,
  budget: RecurrenceBudget,
): Occurrence[] {
  const { component, start, length, added } = event;
  const { zone, isDate, isUtc } = start;
  const longest = added.reduce((most, it) => Math.max(most, it.length ?? 0), Math.max(length, 0));
  const from = zone.toLocal(window.from) - longest - DAY;
  const before = zone.toLocal(window.to);
  const expand = (name: string) => {
    const found = new Set<number>();
    for (const { value } of propertiesOf(component, name)) {
      for (const local of occurrencesOf(readRule(value), start, { from, before }, budget)) {
        if (local >= from) found.add(local);
      }
    }
    return found;
  };
  budget.begin();
  const removed = expand("exrule");
  const lengths = new Map<number, number | undefined>([
    ...[start.local, ...expand("rrule")].map((local) => [local, undefined] as const),
    ...added.map((it) => [zone.toLocal(it.at), it.length] as const),
  ]);
  const isExcluded = namedBy(event.excluded, zones);
  const starts = [...lengths]
    .filter(([local]) => local >= from && local < before && !removed.has(local))
    .sort(([one], [other]) => one - other)
    .map(([local, own]) => ({ at: zone.toInstant(local), local, isDate, isUtc, zone, length: own }))
    .filter((it) => !isExcluded(it, isDate));
  budget.spend(starts.length * WORK_OF_OCCURRENCE);
  return starts;
}
