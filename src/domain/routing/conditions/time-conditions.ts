// Time conditions: `$timeBetween`, `$day`, `$now`. Each has its own time zone, a listed or IANA
// name; the default is UTC.

import { wallClockAt } from "../../shared/time.ts";
import { ianaZone, isKnownZone } from "../../shared/time-zones.ts";
import type { FieldTest } from "./comparisons.ts";
import type { Condition } from "./evaluation.ts";
import {
  allowKeys,
  entryOf,
  type Fault,
  fault,
  type Located,
  type LocatedMap,
  plain,
  shorten,
} from "./located.ts";
import { compileFormat, FORMAT_TOKENS } from "./moment-format.ts";

type CompileOperators = (node: LocatedMap, faults: Fault[]) => FieldTest | null;

const DEFAULT_ZONE = "Etc/UTC";
const DEFAULT_FORMAT = "YYYY-MM-DD";
const TIME_FORMAT = /^(hh?|HH?):mm( ?[aA])?$/;

function asMap(node: Located, faults: Fault[]): LocatedMap | null {
  if (node.kind === "map") return node;
  fault(faults, node, "must be a map");
  return null;
}

/** Reads a map's `timezone` as an IANA name. */
export function readZone(map: LocatedMap, faults: Fault[]): string | null {
  const entry = entryOf(map, "timezone");
  if (entry === undefined) return DEFAULT_ZONE;
  const name = plain(entry.value);
  if (typeof name === "string" && isKnownZone(name)) return ianaZone(name);
  fault(faults, entry.value, `no such time zone ${shorten(String(name))}`);
  return null;
}

/** Parses `08:00 am`, `8:00pm` or `20:00` to minutes since midnight; null if invalid. */
export function parseTimeOfDay(text: string): number | null {
  const match = /^(\d{1,2}):(\d\d)(?: ?([ap])\.?m\.?)?$/i.exec(text.trim());
  if (!match) return null;
  const hour = Number(match[1]);
  const minute = Number(match[2]);
  const half = match[3]?.toLowerCase();
  if (minute > 59 || hour > 23) return null;
  if (half === undefined) return hour * 60 + minute;
  if (hour < 1 || hour > 12) return null;
  return ((hour % 12) + (half === "p" ? 12 : 0)) * 60 + minute;
}

/** Reads a required time of day. */
export function readTimeOfDay(map: LocatedMap, key: string, faults: Fault[]): number | null {
  const entry = entryOf(map, key);
  const text = entry && plain(entry.value);
  const minutes = typeof text === "string" ? parseTimeOfDay(text) : null;
  if (minutes === null) {
    fault(faults, entry?.value ?? map, `${key} must be a time of day, as in 08:00 am or 20:00`);
  }
  return minutes;
}

/**
 * Compiles `$timeBetween`: true between two times of day. Both are inclusive, as whole minutes, so
 * that 08:00 to 16:59 and 17:00 to 07:59 leave no gap. A start after the end means overnight.
 */
export function compileTimeBetween(node: Located, faults: Fault[]): Condition | null {
  const map = asMap(node, faults);
  if (map === null) return null;
  allowKeys(map, ["timezone", "timeformat", "starttime", "endtime"], faults);
  const zone = readZone(map, faults);
  const start = readTimeOfDay(map, "starttime", faults);
  const end = readTimeOfDay(map, "endtime", faults);
  const format = entryOf(map, "timeformat");
  if (format && !TIME_FORMAT.test(String(plain(format.value)))) {
    fault(faults, format.value, "timeformat must be hh:mm a or HH:mm; both are read in any case");
    return null;
  }
  if (zone === null || start === null || end === null) return null;
  return ({ now }) => {
    const { hour, minute } = wallClockAt(zone, now);
    const at = hour * 60 + minute;
    return start <= end ? at >= start && at <= end : at >= start || at <= end;
  };
}

/** Compiles `$day`: compares the day of the week, Monday = 1 to Sunday = 7. */
export function compileDay(
  node: Located,
  faults: Fault[],
  compileOperators: CompileOperators,
): Condition | null {
  const map = asMap(node, faults);
  if (map === null) return null;
  const zone = readZone(map, faults);
  const operators = operatorsOf(map, ["timezone"], faults);
  for (const { key, value } of operators?.entries ?? []) {
    if (DAY_OPERATORS.includes(key)) checkDays(value, faults);
  }
  const test = operators && compileOperators(operators, faults);
  if (zone === null || !test) return null;
  return ({ now, work }) => {
    const { weekday } = wallClockAt(zone, now);
    return test([weekday === 0 ? 7 : weekday], work);
  };
}

const DAY_OPERATORS = ["$eq", "$ne", "$in", "$nin"];

/** Rejects invalid days (0, "monday"): they would silently never match. */
function checkDays(node: Located, faults: Fault[]): void {
  if (node.kind === "list") {
    for (const item of node.items) checkDays(item, faults);
  } else if (node.kind === "scalar") {
    const day = node.value;
    const isDay = typeof day === "number" && Number.isInteger(day) && day >= 1 && day <= 7;
    if (!isDay) fault(faults, node, "must be a day of the week, 1 (Monday) to 7 (Sunday)");
  }
}

/** Compiles `$now`: compares the current time, formatted as text. */
export function compileNow(
  node: Located,
  faults: Fault[],
  compileOperators: CompileOperators,
): Condition | null {
  const map = asMap(node, faults);
  if (map === null) return null;
  const zone = readZone(map, faults);
  const entry = entryOf(map, "format");
  const format = compileFormat(entry ? String(plain(entry.value)) : DEFAULT_FORMAT);
  if (format === null && entry) {
    fault(faults, entry.value, `has letters that are none of ${FORMAT_TOKENS.join(" ")}`);
  }
  const operators = operatorsOf(map, ["timezone", "format"], faults);
  const test = operators && compileOperators(operators, faults);
  if (zone === null || format === null || !test) return null;
  return ({ now, work }) => test([format(now, zone)], work);
}

/** The operators of a map, without its settings: at least one. */
function operatorsOf(
  map: LocatedMap,
  settings: readonly string[],
  faults: Fault[],
): LocatedMap | null {
  const entries = map.entries.filter(({ key }) => !settings.includes(key));
  if (entries.length > 0) return { ...map, entries };
  fault(faults, map, "needs an operator, as in $in: [...]");
  return null;
}
