// The time zones of a calendar's times. A zone is taken from the zone database when its name is
// known there, since many programs write shortened or outdated VTIMEZONE rules; other zones (such as
// Outlook's) are computed from the calendar's own VTIMEZONE, or known by their Windows names. A time
// whose zone is unknown is not read: in another zone it would be another time.
import type { CalendarWindow } from "../../domain/oncall/imports/calendar-entry.ts";
import { DAY, HOUR, instantOf, localOf, MINUTE, zoneOf } from "../../domain/shared/time.ts";
import { ianaZone, isKnownZone } from "../../domain/shared/time-zones.ts";
import type { CalendarFault, CalendarZone } from "./calendar-times.ts";
import { type Component, textOf } from "./content-lines.ts";
import { definedZone } from "./observances.ts";
import type { RecurrenceBudget } from "./recurrence.ts";
import { displayedZone, windowsZone } from "./windows-zones.ts";

export type CalendarZones = {
  /** The zone of times without one (floating times and dates). */
  readonly floating: () => CalendarZone | CalendarFault;
  /** The zone of a TZID. */
  readonly of: (tzid: string) => CalendarZone | CalendarFault;
};

/** The most zones of one calendar, and the longest name of one: to look for one takes a while. */
const MAX_ZONES = 100;
const MAX_NAME = 200;

/** The fault of times in a zone that is not known and not defined. */
const unknownZone = (name: string): CalendarFault => ({
  fault: `unknown time zone "${name.slice(0, 80)}"`,
});

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

const OFFSET_NAME = /^(?:GMT|UTC)?\s?([+-])(\d\d?)(?::?(\d\d))?$/i;

/** A zone named by its offset: `GMT-0500`, `UTC+1`; null if it is not. */
function offsetZone(name: string): CalendarZone | null {
  if (/^z$/i.test(name)) return namedZone("Etc/UTC");
  const [, sign, hours, minutes = "0"] = OFFSET_NAME.exec(name) ?? [];
  if (hours === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  // Signs are the other way round there.
  const zone = `Etc/GMT${sign === "-" ? "+" : "-"}${Number(hours)}`;
  return {
    name: Number(minutes) === 0 && isKnownZone(zone) ? zone : "Etc/UTC",
    toInstant: (local) => local - offset,
    toLocal: (at) => at + offset,
  };
}

/** The names at the end of a path: `/freeassociation.sourceforge.net/Europe/Rome`. */
const suffixesOf = (tzid: string): readonly string[] =>
  /^\/|:\/\//.test(tzid) ? [-3, -2, -1].map((from) => tzid.split("/").slice(from).join("/")) : [];

/** The zones of a calendar, for times in a window. */
export function zonesOf(
  calendar: Component,
  window: CalendarWindow,
  budget: RecurrenceBudget,
): CalendarZones {
  const definitions = new Map(
    calendar.components
      .filter(({ name }) => name === "vtimezone")
      .map((it) => [textOf(it, "tzid"), it] as const),
  );
  const known = new Map<string, CalendarZone | null>();
  const named = (name: string | null) =>
    name !== null && isKnownZone(name) ? namedZone(name) : null;
  const windows = (name: string) => windowsZone(name) ?? displayedZone(name, window.from);
  const define = (definition: Component, tzid: string) =>
    definedZone(definition, windows(tzid) ?? "Etc/UTC", window.to + DAY, budget);
  const find = (tzid: string): CalendarZone | null => {
    const definition = definitions.get(tzid);
    return (
      named(tzid) ??
      (definition
        ? (named(textOf(definition, "x-lic-location")) ?? define(definition, tzid))
        : null) ??
      offsetZone(tzid) ??
      [tzid, ...suffixesOf(tzid)]
        .map((name) => named(name) ?? named(windows(name)))
        .find((zone) => zone !== null) ??
      null
    );
  };
  const zoneNamed = (tzid: string): CalendarZone | CalendarFault => {
    const isSought = tzid.length <= MAX_NAME && known.size < MAX_ZONES;
    if (!known.has(tzid) && isSought) known.set(tzid, find(tzid));
    return known.get(tzid) ?? unknownZone(tzid);
  };
  const [only] = definitions.size === 1 ? definitions.keys() : [];
  const stated = textOf(calendar, "x-wr-timezone");
  return {
    floating: () => zoneNamed(stated || only || "Etc/UTC"),
    of: (tzid) => zoneNamed(tzid.trim()),
  };
}
