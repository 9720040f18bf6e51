/**
 * Instants, wall clocks, and their text formats. Instants are epoch ms; a wall clock ("local") is
 * the ms since 1970-01-01 00:00 as the local clock shows it. Zones are named by a listed or IANA
 * name. Never reads the current time.
 *
 * Only this file asks the runtime for zone offsets.
 */

import { civilDate, dayNumber, weekday } from "./calendar.ts";
import { ianaZone } from "./time-zones.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** All parsed and computed instants are in [0, END_OF_TIME): the years 1970 to 2199. */
export const END_OF_TIME = Date.UTC(2200, 0, 1);

/** A change of a zone's UTC offset at `at`, from `before` to `after` (ms east of UTC). */
export type ClockChange = { readonly at: number; readonly before: number; readonly after: number };

/** Six days of a zone: the initial offset, and at most one change. */
type Stretch = { readonly offset: number; readonly change: ClockChange | null };

/** A zone with its cached stretches. */
export type Zone = {
  readonly clock: Intl.DateTimeFormat;
  readonly stretches: Map<number, Stretch>;
};

// Asking the runtime for an offset takes microseconds, so offsets are cached by stretch. The
// closest two changes of any zone since 1970 are seven days apart (Roraima in 2000), so a stretch
// contains at most one.
const STRETCH = 6 * DAY;

const zones = new Map<string, Zone>();

/** The zone of a listed or IANA name; throws a RangeError for any other. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: ianaZone(name),
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  // All spellings of a name share one zone: names come from strangers, and a zone is large.
  const canonical = clock.resolvedOptions().timeZone;
  const zone = zones.get(canonical) ?? { clock, stretches: new Map() };
  zones.set(canonical, zone);
  zones.set(name, zone);
  return zone;
}

/** The UTC offset of a zone at an instant (ms). */
export function offsetAt(zone: Zone, at: number): number {
  const { offset, change } = stretchAt(zone, at);
  return change && change.at <= at ? change.after : offset;
}

/** The wall-clock time of an instant. */
export function localOf(zone: Zone, at: number): number {
  return at + offsetAt(zone, at);
}

/**
 * The instant at which the wall clock shows `local`. A skipped time moves forward by the skipped
 * amount; a repeated time means the first occurrence (contract, section 4).
 */
export function instantOf(zone: Zone, local: number): number {
  const earlier = local - offsetAt(zone, local - DAY);
  const later = local - offsetAt(zone, local + DAY);
  if (earlier === later || localOf(zone, earlier) === local) return earlier;
  return localOf(zone, later) === local ? later : earlier;
}

/**
 * The clock change that skips or repeats the local time `local`; null if it occurs exactly once.
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

/** The offset changes in [from, to), in order. */
export function changesBetween(zone: Zone, from: number, to: number): ClockChange[] {
  const found: ClockChange[] = [];
  for (let at = from; at < to; at = (Math.floor(at / STRETCH) + 1) * STRETCH) {
    const { change } = stretchAt(zone, at);
    if (change && change.at >= from && change.at < to) found.push(change);
  }
  return found;
}

/** The local date and time at an instant; Sunday = 0. Throws for an unknown zone. */
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
  const stretch = loadStretch(zone, index * STRETCH);
  zone.stretches.set(index, stretch);
  return stretch;
}

function loadStretch(zone: Zone, start: number): Stretch {
  // Start one second early, so that a change exactly at the start belongs to this stretch.
  const from = start - SECOND;
  const before = queryOffset(zone, from);
  const after = queryOffset(zone, from + STRETCH);
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
    if (queryOffset(zone, middle * SECOND) === before) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

function queryOffset(zone: Zone, at: number): number {
  const [, month, day, year, hour, minute, second] =
    /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/.exec(zone.clock.format(at))?.map(Number) ?? [];
  if (second === undefined) throw new Error("the runtime writes dates in an unexpected way");
  const days = dayNumber(Number(year), Number(month), Number(day));
  return days * DAY + Number(hour) * HOUR + Number(minute) * MINUTE + second * SECOND - at;
}

/** Matches instants formatted by `formatInstant` within a text. */
export const INSTANT_IN_TEXT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * Replaces the instants in a text with times on a zone's clock, those of another day with its date.
 *
 * @param now epoch ms
 */
export function withLocalTimes(text: string, zoneName: string, now: number): string {
  const zone = zoneOf(zoneName);
  const shown = (at: number) => new Date(localOf(zone, at)).toISOString();
  return text.replace(INSTANT_IN_TEXT, (instant) => {
    const local = shown(Date.parse(instant));
    const date = local.slice(0, 10) === shown(now).slice(0, 10) ? "" : `${local.slice(0, 10)} `;
    return `${date}${local.slice(11, 16)}`;
  });
}

/** `2026-01-31T09:30:00.000Z`. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
