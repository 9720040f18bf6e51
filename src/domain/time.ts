/**
 * Instants, wall clocks and how both are written. The only file that asks the runtime for a zone's
 * offsets, and the only one that imports Temporal: it reads what people write, off the hot paths, since one
 * zoned operation of it costs as much as the answer to who is on call. Instants are epoch ms; a wall clock ("local") is the ms since 1970-01-01 00:00 that the
 * clock on the wall shows. Zones are named by a listed name or an IANA name. Never reads the
 * present time.
 */

import { Temporal } from "@js-temporal/polyfill";
import { civilDate, dayNumber, weekday } from "./calendar.ts";
import { ianaZone } from "./time-zones.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Every instant that is read or worked out lies in [0, END_OF_TIME): the years 1970 to 2199. */
export const END_OF_TIME = Date.UTC(2200, 0, 1);

/**
 * One change of a zone's offset: from `at` on, `after` (ms east of UTC) holds instead of `before`.
 */
export type ClockChange = { readonly at: number; readonly before: number; readonly after: number };

/** Six days of a zone: the offset they begin with, and the one change they may hold. */
type Stretch = { readonly offset: number; readonly change: ClockChange | null };

/** A zone with what has been looked up of it so far. */
export type Zone = {
  readonly clock: Intl.DateTimeFormat;
  readonly stretches: Map<number, Stretch>;
};

// Asking the runtime for an offset takes microseconds, so a zone is learnt by stretches, each when
// first needed. The closest two changes of any zone since 1970 are seven days apart (Roraima in
// 2000): a stretch holds one at most.
const STRETCH = 6 * DAY;

const zones = new Map<string, Zone>();

/** The zone of a listed or IANA name; throws a RangeError for any other. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const zone: Zone = {
    clock: new Intl.DateTimeFormat("en-US", {
      timeZone: ianaZone(name),
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }),
    stretches: new Map(),
  };
  zones.set(name, zone);
  return zone;
}

/** What the zone adds to UTC at an instant, ms. */
export function offsetAt(zone: Zone, at: number): number {
  const { offset, change } = stretchAt(zone, at);
  return change && change.at <= at ? change.after : offset;
}

/** The wall clock of an instant. */
export function localOf(zone: Zone, at: number): number {
  return at + offsetAt(zone, at);
}

/**
 * The instant at which the wall clock shows `local`. A time that is skipped moves forward by as
 * much as is skipped; a time that occurs twice means the first (contract, section 4).
 */
export function instantOf(zone: Zone, local: number): number {
  const earlier = local - offsetAt(zone, local - DAY);
  const later = local - offsetAt(zone, local + DAY);
  if (earlier === later || localOf(zone, earlier) === local) return earlier;
  return localOf(zone, later) === local ? later : earlier;
}

/**
 * The change that skips or repeats the wall-clock time `local`, or null where it occurs exactly
 * once.
 */
export function clockChangeAt(zone: Zone, local: number): ClockChange | null {
  if (offsetAt(zone, local - DAY) === offsetAt(zone, local + DAY)) return null;
  for (const change of changesBetween(zone, local - DAY, local + DAY)) {
    const from = change.at + Math.min(change.before, change.after);
    const to = change.at + Math.max(change.before, change.after);
    if (from <= local && local < to) return change;
  }
  return null;
}

/** The changes of offset in [from, to), in order. */
export function changesBetween(zone: Zone, from: number, to: number): ClockChange[] {
  const found: ClockChange[] = [];
  for (let at = from; at < to; at = (Math.floor(at / STRETCH) + 1) * STRETCH) {
    const { change } = stretchAt(zone, at);
    if (change && change.at >= from && change.at < to) found.push(change);
  }
  return found;
}

/**
 * What calendar and clock on the wall show at an instant; Sunday = 0. Throws for an unknown zone.
 */
export function wallClockAt(zoneName: string, at: number) {
  const local = localOf(zoneOf(zoneName), at);
  const day = Math.floor(local / DAY);
  const time = local - day * DAY;
  return {
    ...civilDate(day),
    hour: Math.floor(time / HOUR),
    minute: Math.floor((time % HOUR) / MINUTE),
    second: Math.floor((time % MINUTE) / SECOND),
    weekday: weekday(day),
  };
}

function stretchAt(zone: Zone, at: number): Stretch {
  const index = Math.floor(at / STRETCH);
  const known = zone.stretches.get(index);
  if (known) return known;
  const stretch = learnStretch(zone, index * STRETCH);
  zone.stretches.set(index, stretch);
  return stretch;
}

function learnStretch(zone: Zone, start: number): Stretch {
  // From a second before the start, so that a change at the very start is one of this stretch.
  const from = start - SECOND;
  const before = askOffset(zone, from);
  const after = askOffset(zone, from + STRETCH);
  if (before === after) return { offset: before, change: null };
  return {
    offset: before,
    change: { at: bisect(zone, from, from + STRETCH, before), before, after },
  };
}

/** The first whole second after `from` and up to `to` at which the offset is no longer `before`. */
function bisect(zone: Zone, from: number, to: number, before: number): number {
  let low = from / SECOND;
  let high = to / SECOND;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (askOffset(zone, middle * SECOND) === before) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

function askOffset(zone: Zone, at: number): number {
  const [, month, day, year, hour, minute, second] =
    /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/.exec(zone.clock.format(at))?.map(Number) ?? [];
  if (second === undefined) throw new Error("the runtime writes dates in an unexpected way");
  const days = dayNumber(Number(year), Number(month), Number(day));
  return days * DAY + Number(hour) * HOUR + Number(minute) * MINUTE + second * SECOND - at;
}

const DATE_AND_TIME = "(\\d{4}-\\d\\d-\\d\\d)[Tt ](\\d\\d:\\d\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?)";
const WITH_OFFSET = new RegExp(`^${DATE_AND_TIME}([Zz]|[+-]\\d\\d(?::?\\d\\d)?)$`);
const WITHOUT_OFFSET = new RegExp(`^${DATE_AND_TIME}$`);

/** The instant that the parts of a text name, as the library reads them; null for an impossible one. */
function read(date: string, time: string, offset: string): number | null {
  try {
    return Temporal.Instant.from(`${date}T${time}${offset}`).epochMilliseconds;
  } catch {
    return null;
  }
}

function withinTime(at: number | null): number | null {
  return at !== null && at >= 0 && at < END_OF_TIME ? at : null;
}

/**
 * Epoch ms of an ISO 8601 date and time with offset (`2026-01-31T09:30:00.000+01:00`), or null if
 * it is none.
 */
export function parseInstant(text: string): number | null {
  const [, date, time, offset] = WITH_OFFSET.exec(text) ?? [];
  return date && time && offset ? withinTime(read(date, time, offset)) : null;
}

/** Epoch ms of `YYYY-MM-DD HH:mm:ss` read as UTC, or of ISO 8601; null for anything else. */
export function parseUtc(text: string): number | null {
  const [, date, time] = WITHOUT_OFFSET.exec(text) ?? [];
  return date && time ? withinTime(read(date, time, "Z")) : parseInstant(text);
}

/**
 * Epoch ms of `YYYY-MM-DD HH:mm` on the zone's wall clock, or of ISO 8601 with offset; null for
 * anything else.
 */
export function parseWallClock(text: string, zoneName: string): number | null {
  const [, date, time] = WITHOUT_OFFSET.exec(text) ?? [];
  if (!date || !time) return parseInstant(text);
  const local = read(date, time, "Z");
  return local === null ? null : withinTime(instantOf(zoneOf(zoneName), local));
}

/** Instants as `formatInstant` writes them, wherever they stand in a text. */
export const INSTANT_IN_TEXT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** `2026-01-31T09:30:00.000Z`. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
