// Parses times that people and clients write. Only this file imports Temporal, which a webhook does not need: it is
// large, and one of its zoned operations costs as much as an on-call calculation.
import { Temporal } from "@js-temporal/polyfill";
import { END_OF_TIME, instantOf, zoneOf } from "./time.ts";

const DATE_AND_TIME = "(\\d{4}-\\d\\d-\\d\\d)[Tt ](\\d\\d:\\d\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?)";
const WITH_OFFSET = new RegExp(`^${DATE_AND_TIME}([Zz]|[+-]\\d\\d(?::?\\d\\d)?)$`);
const WITHOUT_OFFSET = new RegExp(`^${DATE_AND_TIME}$`);

/** Parses date, time and offset with Temporal; null if invalid. */
function parseParts(date: string, time: string, offset: string): number | null {
  try {
    return Temporal.Instant.from(`${date}T${time}${offset}`).epochMilliseconds;
  } catch {
    return null;
  }
}

function inRange(at: number | null): number | null {
  return at !== null && at >= 0 && at < END_OF_TIME ? at : null;
}

/** Parses ISO 8601 with offset (`2026-01-31T09:30:00.000+01:00`) to epoch ms; null if invalid. */
export function parseInstant(text: string): number | null {
  const [, date, time, offset] = WITH_OFFSET.exec(text) ?? [];
  return date && time && offset ? inRange(parseParts(date, time, offset)) : null;
}

/** Parses `YYYY-MM-DD HH:mm:ss` as UTC, or ISO 8601, to epoch ms; null if invalid. */
export function parseUtc(text: string): number | null {
  const [, date, time] = WITHOUT_OFFSET.exec(text) ?? [];
  return date && time ? inRange(parseParts(date, time, "Z")) : parseInstant(text);
}

/**
 * Parses `YYYY-MM-DD HH:mm` as local time, or ISO 8601 with offset, to epoch ms; null if invalid.
 */
export function parseWallClock(text: string, zoneName: string): number | null {
  const [, date, time] = WITHOUT_OFFSET.exec(text) ?? [];
  if (!date || !time) return parseInstant(text);
  const local = parseParts(date, time, "Z");
  return local === null ? null : inRange(instantOf(zoneOf(zoneName), local));
}
