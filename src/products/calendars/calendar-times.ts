// The times, durations and offsets of iCalendar (RFC 5545, 3.3) as numbers. Local times are ms since
// 1970-01-01 00:00 of the wall clock.
import { DAY, HOUR, MINUTE, SECOND } from "../../domain/shared/time.ts";

/** Says that a part of a calendar cannot be read, and why where people can do something about it. */
export type CalendarFault = { readonly fault: string };

/** The fault of what is invalid. */
export const INVALID: CalendarFault = { fault: "" };

/** Whether a part of a calendar could not be read. */
export const isFault = (value: unknown): value is CalendarFault =>
  typeof value === "object" && value !== null && "fault" in value;

/** A zone of a calendar. */
export type CalendarZone = {
  /** The IANA name, for display; the nearest known one if the calendar defines the zone itself. */
  readonly name: string;
  readonly toInstant: (local: number) => number;
  readonly toLocal: (at: number) => number;
};

/** Times of events are in [EARLIEST, LATEST): the years 1900 to 2199. Others are typing errors. */
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

export type WrittenTime = {
  readonly local: number;
  /** Whether it is a date without a time. */
  readonly isDate: boolean;
  readonly isUtc: boolean;
};

const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?)?(Z)?$/i;

/** Whether a local time is one that events may have. */
export const isPlausible = (local: number): boolean => local >= EARLIEST && local < LATEST;

/** The start of a local day. */
export const dayOf = (local: number): number => Math.floor(local / DAY) * DAY;

/**
 * Reads a time or a date, of any year. Eight digits are a date, whatever the property's type says:
 * some programs leave `VALUE=DATE` out.
 */
export function readTime(text: string): WrittenTime | null {
  const [, year, month, day, hour, minute, second, utc] = TIME.exec(text.trim()) ?? [];
  const hasTime = Number(hour ?? 0) <= 24 && Number(minute ?? 0) <= 59 && Number(second ?? 0) <= 60;
  if (year === undefined || !hasTime) return null;
  const date = new Date(0);
  // `Date.UTC` takes the years 0 to 99 for those of a century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  const time = Number(hour ?? 0) * HOUR + Number(minute ?? 0) * MINUTE;
  const isDate = hour === undefined;
  const local = date.getTime() + time + Math.min(Number(second ?? 0), 59) * SECOND;
  return { local, isDate, isUtc: utc !== undefined && !isDate };
}

const DURATION =
  /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,11})S)?)?$/i;

/** Reads a duration (ms); null if it is none. */
export function readDuration(text: string): number | null {
  const found = DURATION.exec(text.trim());
  if (!found || !/\d/.test(text)) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(2)
    .map((it) => Number(it ?? 0));
  const length = (weeks * 7 + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  return found[1] === "-" ? -length : length;
}

const OFFSET = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/;

/** Reads an offset from UTC (ms east); null if it is none, or none that a zone may have. */
export function readOffset(text: string): number | null {
  const [, sign, hours, minutes, seconds] = OFFSET.exec(text.trim()) ?? [];
  const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds ?? 0) * SECOND;
  if (!(size < DAY)) return null;
  return sign === "-" ? -size : size;
}
