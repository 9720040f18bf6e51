// The period that a schedule's page shows, parsed from the query string, and the API's data for it.
// Pages show wall-clock times; the API takes instants.

import { parseInstant, parseWallClock } from "../../domain/shared/parse-time.ts";
import { DAY, formatInstant, instantOf, localOf, zoneOf } from "../../domain/shared/time.ts";
import { isKnownZone, listedZoneOf } from "../../domain/shared/time-zones.ts";
import type { Api } from "../api-client.ts";
import { allByName, type ReadBy } from "../reads.ts";

export const VIEWS = [
  { value: "timeline", label: "Timeline" },
  { value: "weeks", label: "Two weeks" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** [from, to) in epoch ms, whole days of the zone. */
export type Span = {
  readonly view: View;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  /**
   * Dates as `YYYY-MM-DD` in the zone: the first day, the day after the last, and the first days of
   * the previous and the next period.
   */
  readonly first: string;
  readonly after: string;
  readonly before: string;
  readonly next: string;
};

const dateText = (local: number) => new Date(local).toISOString().slice(0, 10);
const monthOf = (local: number, by: number) => {
  const date = new Date(local);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1);
};

/** The zone's name in the API's list: its own, that of a zone with the same clock, or UTC. */
export const listedZone = listedZoneOf;

/**
 * Parses `view`, `from` (a date; by default today, since what is over asks nothing of anybody) and `zone` (a name; by
 * default the viewer's zone).
 */
export function spanOf(query: URLSearchParams, own: string, now: number): Span {
  const view = VIEWS.find(({ value }) => value === query.get("view"))?.value ?? "timeline";
  const requested = query.get("zone") ?? "";
  const zoneName = isKnownZone(requested) ? requested : own;
  const zone = zoneOf(zoneName);
  const day = parseWallClock(`${query.get("from") ?? ""} 00:00`, "UTC");
  const local = day ?? localOf(zone, now);
  const first = view === "month" ? monthOf(local, 0) : Math.floor(local / DAY) * DAY;
  const days = view === "weeks" ? 14 : 7;
  const after = view === "month" ? monthOf(local, 1) : first + days * DAY;
  // Two weeks are left for the ones that begin a week earlier or later: any week end can be inside.
  const before = view === "month" ? monthOf(local, -1) : first - 7 * DAY;
  const next = view === "month" ? after : first + 7 * DAY;
  return {
    view,
    zone: zoneName,
    from: instantOf(zone, first),
    to: instantOf(zone, after),
    first: dateText(first),
    before: dateText(before),
    next: dateText(next),
    after: dateText(after),
  };
}

/** `2026-01-31T09:30` in the zone: the value of a `datetime-local` field. */
export const wallOf = (at: number, zone: string): string =>
  new Date(localOf(zoneOf(zone), at)).toISOString().slice(0, 16);

/** The instant of such a field, as the API reads it; invalid text is returned unchanged. */
export function instantText(wall: string, zone: string): string {
  if (!isKnownZone(zone)) return wall;
  const at = parseWallClock(wall.trim().replace("T", " "), zone);
  return at === null ? wall : formatInstant(at);
}

/**
 * The instant of such a field that was filled in from a stored one: the stored one if the field is
 * unchanged. A wall-clock time omits the seconds, and is ambiguous when clocks go back.
 */
export const exactInstant = (wall: string, zone: string, stored: string): string =>
  isKnownZone(zone) && wall.trim() === wallOf(Date.parse(stored), zone)
    ? stored
    : instantText(wall, zone);

/**
 * A time of the calendar in the query string: an instant, or a wall-clock time of the calendar's
 * zone, which is the parameter `zone`.
 *
 * @param own the zone if the query string names none that is known
 * @returns epoch ms; null if the time is missing or invalid
 */
export function calendarTime(query: URLSearchParams, name: string, own: string): number | null {
  const zone = query.get("zone") ?? "";
  return parseInstant(instantText(query.get(name) ?? "", isKnownZone(zone) ? zone : own));
}

/** Reads who is on call in a period, and its coverage gaps. */
export function readOnCall(api: Api, id: string, { from, to }: Pick<Span, "from" | "to">) {
  const window = { id, start: formatInstant(from), end: formatInstant(to) };
  return allByName({
    turns: api.get("/schedules/:id/window_events", window),
    coverage: api.get("/schedules/:id/coverage", window),
  });
}

export type OnCall = ReadBy<typeof readOnCall>;
