// One VEVENT of a calendar: its times in local time, and its occurrences.
import type { CalendarWindow } from "../../domain/oncall/imports/calendar-entry.ts";
import { DAY, formatInstant } from "../../domain/shared/time.ts";
import {
  type CalendarFault,
  type CalendarZone,
  dayOf,
  INVALID,
  isFault,
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
export type CalendarOccurrence = CalendarMoment & { readonly length?: number | undefined };

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
  readonly added: readonly CalendarOccurrence[];
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
): CalendarMoment | CalendarFault {
  const time = readTime(text);
  if (time === null || !isPlausible(time.local)) return INVALID;
  const tzid = time.isDate ? "" : (parameters.get("tzid") ?? "").trim();
  const withoutZone = () => (time.isDate ? null : own) ?? zones.floating();
  const stated = () => (tzid === "" ? withoutZone() : zones.of(tzid));
  const zone = time.isUtc ? zones.of("Etc/UTC") : stated();
  if (isFault(zone)) return zone;
  return { ...time, at: time.isUtc ? time.local : zone.toInstant(time.local), zone };
}

function momentNamed(
  component: Component,
  name: string,
  zones: CalendarZones,
  own: CalendarZone | null,
): CalendarMoment | CalendarFault | null {
  const property = firstOf(component, name);
  return property ? momentOf(property.value, property, zones, own) : null;
}

/** The wall-clock length: to DTEND, of DURATION, or the day of a date. */
function lengthOf(
  component: Component,
  start: CalendarMoment,
  zones: CalendarZones,
): number | CalendarFault {
  const end = momentNamed(component, "dtend", zones, ownZoneOf(start));
  if (isFault(end)) return end;
  const duration = firstOf(component, "duration");
  const length = end
    ? start.zone.toLocal(end.at) - start.local
    : duration
      ? readDuration(duration.value)
      : start.isDate
        ? DAY
        : 0;
  return length !== null && isPlausible(start.local + length) ? length : INVALID;
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
): CalendarOccurrence | CalendarFault {
  const [start = "", end] = text.split("/", 2);
  const moment = momentOf(start, property, zones, own);
  if (isFault(moment) || end === undefined) return moment;
  const isDuration = /^[+-]?P/i.test(end.trim());
  const until = isDuration ? null : momentOf(end, property, zones, own);
  if (isFault(until)) return until;
  const length = until ? moment.zone.toLocal(until.at) - moment.local : readDuration(end);
  if (length === null || !isPlausible(moment.local + length)) return INVALID;
  return { ...moment, length };
}

/** The values of all properties of a name; one that cannot be read is counted. */
function listNamed<Value>(
  component: Component,
  name: string,
  read: (text: string, property: Property) => Value | CalendarFault,
): { readonly values: readonly Value[]; readonly unread: number } {
  const values: Value[] = [];
  let unread = 0;
  for (const property of propertiesOf(component, name)) {
    for (const text of property.value.split(",")) {
      const value = read(text, property);
      if (isFault(value)) unread += 1;
      else values.push(value);
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

/** Reads a VEVENT. */
export function toCalendarEvent(
  component: Component,
  zones: CalendarZones,
): CalendarEvent | CalendarFault {
  const start = momentNamed(component, "dtstart", zones, null) ?? INVALID;
  if (isFault(start)) return start;
  const own = ownZoneOf(start);
  const changed = momentNamed(component, "recurrence-id", zones, own);
  if (isFault(changed)) return changed;
  const length = lengthOf(component, start, zones);
  if (isFault(length)) return length;
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
    length,
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
 * Which occurrences of a series the moments name: of a series of dates by their local dates, whatever
 * the zone that a moment is written in; of others by their instants, or all of a date.
 */
export function namedBy(
  moments: readonly CalendarMoment[],
): (occurrence: CalendarMoment, seriesStart: CalendarMoment) => boolean {
  const instants = new Set(moments.filter((it) => !it.isDate).map(({ at }) => at));
  const days = new Set(moments.filter((it) => it.isDate).map(({ local }) => local));
  let dates: ReadonlySet<number> | null = null;
  return (occurrence, { isDate, zone }) => {
    if (!isDate) return instants.has(occurrence.at) || days.has(dayOf(occurrence.local));
    if (moments.length === 0) return false;
    // All dates of a calendar are in the same zone.
    dates ??= new Set(moments.map((it) => dateOf(it, zone)));
    return dates.has(dateOf(occurrence, zone));
  };
}

/** The work of an occurrence in the window, in units of the budget: it becomes an entry. */
const WORK_OF_OCCURRENCE = 4;

/**
 * The starts of a series' occurrences that may overlap the window, in order: by its rules and added
 * dates, without the excluded ones.
 */
export function startsOf(
  event: CalendarEvent,
  window: CalendarWindow,
  budget: RecurrenceBudget,
): CalendarOccurrence[] | CalendarFault {
  const { component, start, length, added } = event;
  const { zone, isDate, isUtc } = start;
  const longest = added.reduce((most, it) => Math.max(most, it.length ?? 0), Math.max(length, 0));
  const from = zone.toLocal(window.from) - longest - DAY;
  const before = zone.toLocal(window.to);
  const expand = (name: string): ReadonlySet<number> | CalendarFault => {
    const found = new Set<number>();
    for (const { value } of propertiesOf(component, name)) {
      const rule = readRule(value);
      const locals = isFault(rule) ? rule : occurrencesOf(rule, start, { from, before }, budget);
      if (isFault(locals)) return locals;
      for (const local of locals) if (local >= from) found.add(local);
    }
    return found;
  };
  budget.begin();
  const removed = expand("exrule");
  if (isFault(removed)) return removed;
  const repeated = expand("rrule");
  if (isFault(repeated)) return repeated;
  const lengths = new Map<number, number | undefined>([
    ...[start.local, ...repeated].map((local) => [local, undefined] as const),
    ...added.map((it) => [zone.toLocal(it.at), it.length] as const),
  ]);
  const isExcluded = namedBy(event.excluded);
  const starts = [...lengths]
    .filter(([local]) => local >= from && local < before && !removed.has(local))
    .sort(([one], [other]) => one - other)
    .map(([local, own]) => ({ at: zone.toInstant(local), local, isDate, isUtc, zone, length: own }))
    .filter((it) => !isExcluded(it, start));
  return budget.spend(starts.length * WORK_OF_OCCURRENCE) ? starts : INVALID;
}
