// Durations in rules: `5m`, `1.5h`, `90 seconds`, in the notation of the `ms` package. A number
// without a unit is in milliseconds.
import { DAY, HOUR, MINUTE, SECOND } from "../../shared/time.ts";

const YEAR = 365.25 * DAY;

const UNITS: readonly (readonly [names: string, ms: number])[] = [
  ["milliseconds millisecond msecs msec ms", 1],
  ["seconds second secs sec s", SECOND],
  ["minutes minute mins min m", MINUTE],
  ["hours hour hrs hr h", HOUR],
  ["days day d", DAY],
  ["weeks week w", 7 * DAY],
  ["years year yrs yr y", YEAR],
];
const MS_BY_UNIT: ReadonlyMap<string, number> = new Map(
  UNITS.flatMap(([names, ms]) => names.split(" ").map((name) => [name, ms] as const)),
);

/** Parses a duration to whole ms; null if invalid. Never negative. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,15})?|\.\d{1,15}) ?([a-z]{0,12})$/i.exec(text.trim());
  if (!match) return null;
  const unit = match[2] ? MS_BY_UNIT.get(match[2].toLowerCase()) : 1;
  return unit === undefined ? null : Math.round(Number(match[1]) * unit);
}

/** Formats a duration for the timeline: `5m`, `1h 30m`. */
export function formatDuration(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, name] of [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "m"],
    [SECOND, "s"],
  ] as const) {
    const count = Math.floor(rest / unit);
    if (count > 0) parts.push(`${count}${name}`);
    rest -= count * unit;
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest}ms`);
  return parts.join(" ");
}
