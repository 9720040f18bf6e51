// The time zones of a calendar's times. A zone is taken from the zone database when its name is
// known there, since many programs write shortened or outdated VTIMEZONE rules; other zones (such as
// Outlook's) are computed from the calendar's own VTIMEZONE.
import ICAL from "ical.js";
import { instantOf, localOf, zoneOf } from "../../domain/shared/time.ts";
import { ianaZone, isKnownZone } from "../../domain/shared/time-zones.ts";

/** A zone of a calendar. Local times are ms since 1970-01-01 00:00 of the wall clock. */
export type CalendarZone = {
  /** The IANA name, for display; the nearest known one if the calendar defines the zone itself. */
  readonly name: string;
  readonly toInstant: (local: number) => number;
  readonly toLocal: (at: number) => number;
};

export type CalendarZones = {
  /** The zone of times without one (floating times and dates). */
  readonly floating: CalendarZone;
  /** The zone of a TZID. */
  readonly of: (tzid: string) => CalendarZone;
};

/** A zone of the zone database. */
function namedZone(name: string): CalendarZone {
  const iana = ianaZone(name);
  const zone = zoneOf(iana);
  return {
    name: iana,
    toInstant: (local) => instantOf(zone, local),
    toLocal: (at) => localOf(zone, at),
  };
}

/** The local time that a calendar's time shows (ms). */
export function localTime(time: ICAL.Time): number {
  const { year, month, day, hour, minute, second } = time;
  return time.isDate
    ? Date.UTC(year, month - 1, day)
    : Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The library's time of a local time (ms), without a zone. */
export function timeOfLocal(local: number, isDate = false): ICAL.Time {
  const date = new Date(local);
  return ICAL.Time.fromData({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    isDate,
  });
}

/** A zone that the calendar defines. */
function definedZone(component: ICAL.Component, tzid: string): CalendarZone {
  const zone = new ICAL.Timezone({ component, tzid });
  const utc = ICAL.Timezone.utcTimezone;
  return {
    name: "Etc/UTC",
    toInstant: (local) => {
      const time = timeOfLocal(local);
      time.zone = zone;
      return localTime(time.convertToZone(utc));
    },
    toLocal: (at) => {
      const time = timeOfLocal(at);
      time.zone = utc;
      return localTime(time.convertToZone(zone));
    },
  };
}

/** The names at the end of a prefixed one: `/freeassociation.sourceforge.net/Europe/Rome`. */
const suffixesOf = (tzid: string): readonly string[] =>
  tzid.startsWith("/") ? [-3, -2].map((from) => tzid.split("/").slice(from).join("/")) : [];

const textOf = (component: ICAL.Component, name: string): string => {
  const value = component.getFirstPropertyValue(name);
  return typeof value === "string" ? value.trim() : "";
};

/** The zones of a calendar. */
export function zonesOf(calendar: ICAL.Component): CalendarZones {
  const definitions = new Map(
    calendar.getAllSubcomponents("vtimezone").map((it) => [textOf(it, "tzid"), it] as const),
  );
  const known = new Map<string, CalendarZone>();
  const named = (name: string) => (isKnownZone(name) ? namedZone(name) : null);
  const [only] = definitions.size === 1 ? [...definitions.keys()] : [];
  const find = (tzid: string): CalendarZone | null => {
    const definition = definitions.get(tzid);
    const place = definition ? textOf(definition, "x-lic-location") : "";
    return (
      named(tzid) ??
      named(place) ??
      (definition ? definedZone(definition, tzid) : null) ??
      suffixesOf(tzid)
        .map(named)
        .find((zone) => zone !== null) ??
      null
    );
  };
  const floating =
    named(textOf(calendar, "x-wr-timezone")) ??
    (only === undefined ? null : find(only)) ??
    namedZone("Etc/UTC");
  return {
    floating,
    of: (tzid) => {
      const zone = known.get(tzid) ?? find(tzid) ?? floating;
      known.set(tzid, zone);
      return zone;
    },
  };
}
