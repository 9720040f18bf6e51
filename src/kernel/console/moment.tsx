// Formats instants in the viewer's time zone: 24 hours, with the date unless it is today's.

import { DAY, formatInstant, HOUR, MINUTE } from "../../domain/shared/time.ts";
import { ianaZone } from "../../domain/shared/time-zones.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

function cachedFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const cached = formats.get(key);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: ianaZone(zone), ...options });
  formats.set(key, format);
  return format;
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DATE = { weekday: "short", day: "numeric", month: "short" } as const;
const WITH_YEAR = { day: "numeric", month: "short", year: "numeric" } as const;

/** `14:05` in the zone. */
const clockOf = (at: number, zone: string): string => cachedFormat(zone, CLOCK).format(at);

/** `14:05:09` in the zone. */
export const exactClockOf = (at: number, zone: string): string =>
  cachedFormat(zone, { ...CLOCK, second: "2-digit" }).format(at);

/** `Fri 21 Nov`; with the year unless it is the current one. */
export function dateOf(at: number, zone: string, now: number): string {
  const year = cachedFormat(zone, { year: "numeric" });
  const isThisYear = year.format(at) === year.format(now);
  return cachedFormat(zone, isThisYear ? DATE : WITH_YEAR)
    .format(at)
    .replace(",", "");
}

/** `Fri 21 Nov 14:05`, with the date also for today: for lists that compare days. */
export const dayAndClockOf = (at: string, zone: string, now: number): string =>
  `${dateOf(Date.parse(at), zone, now)} ${clockOf(Date.parse(at), zone)}`;

/** `3 min`, `2 h`, `5 days`: an approximate, positive duration. */
export function lengthOf(ms: number): string {
  const length = Math.abs(ms);
  if (length < MINUTE) return `${Math.round(length / 1000)} s`;
  if (length < HOUR) return `${Math.round(length / MINUTE)} min`;
  if (length < 2 * DAY) {
    const hours = Math.floor(length / HOUR);
    const minutes = Math.round((length % HOUR) / MINUTE);
    return minutes === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${minutes} min`;
  }
  return `${Math.round(length / DAY)} days`;
}

/** `0:30`, `12:05`, `1:00:00`: the exact length of a wait, to the second. */
export function waitOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, ...others] = parts;
  const shown = hours > 0 ? parts : others;
  return shown.map((it, i) => (i === 0 ? String(it) : String(it).padStart(2, "0"))).join(":");
}

type MomentProps = {
  /** ISO 8601 or epoch ms. */
  readonly at: string | number | null | undefined;
  readonly zone: string;
  readonly now: number;
  /** Adds the time since or until the instant. */
  readonly relative?: boolean;
  /** With seconds. */
  readonly exact?: boolean;
};

const relativeOf = (at: number, now: number) =>
  at > now ? `in ${lengthOf(at - now)}` : `${lengthOf(now - at)} ago`;

/** An instant; a dash for none. */
export function Moment({ at, zone, now, relative, exact }: MomentProps) {
  if (at === null || at === undefined) return <span class="soft">–</span>;
  const instant = typeof at === "number" ? at : Date.parse(at);
  const date = dateOf(instant, zone, now);
  const isToday = date === dateOf(now, zone, now);
  const clock = exact ? exactClockOf(instant, zone) : clockOf(instant, zone);
  return (
    <time
      datetime={formatInstant(instant)}
      title={`${date} ${exactClockOf(instant, zone)} ${zone}`}
    >
      {isToday ? clock : `${date} ${clock}`}
      {relative ? <span class="soft"> {relativeOf(instant, now)}</span> : null}
    </time>
  );
}
