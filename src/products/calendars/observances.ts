// A zone that a calendar defines itself, in a VTIMEZONE: its changes of the clock, expanded here and
// bounded. The library's own expansion follows any rule, from the year 1 on, without an end.
import { DAY } from "../../domain/shared/time.ts";
import { type CalendarZone, isFault, readOffset, readTime } from "./calendar-times.ts";
import { type Component, firstOf, propertiesOf } from "./content-lines.ts";
import { occurrencesOf, type RecurrenceBudget, readRule } from "./recurrence.ts";

/** The most changes of the clock that a zone may have. */
const MAX_CHANGES = 2_000;

/** Rules are expanded from here: Outlook's begin in 1601. */
const FIRST_YEAR = 1970;

type Change = { readonly at: number; readonly before: number; readonly after: number };

/** An offset's local time in a rule of it: the wall clock before the change. */
const fixed = (offset: number): CalendarZone => ({
  name: "Etc/UTC",
  toInstant: (local) => local - offset,
  toLocal: (at) => at + offset,
});

/** The start of a rule's expansion: in the first year, if that has the same occurrences. */
function expandedFrom(local: number, isCounted: boolean): number {
  const date = new Date(local);
  if (isCounted || date.getUTCFullYear() >= FIRST_YEAR) return local;
  const moved = new Date(local).setUTCFullYear(FIRST_YEAR);
  // 29 February does not exist in it.
  return new Date(moved).getUTCDate() === date.getUTCDate() ? moved : moved - DAY;
}

/** The changes that an observance begins; null if it cannot be read, or changes too often. */
function changesOf(
  observance: Component,
  until: number,
  budget: RecurrenceBudget,
): Change[] | null {
  const start = readTime(firstOf(observance, "dtstart")?.value ?? "");
  const before = readOffset(firstOf(observance, "tzoffsetfrom")?.value ?? "");
  const after = readOffset(firstOf(observance, "tzoffsetto")?.value ?? "");
  if (start === null || before === null || after === null) return null;
  const zone = fixed(before);
  const locals = new Set([start.local]);
  for (const { value } of propertiesOf(observance, "rdate")) {
    for (const text of value.split(",", MAX_CHANGES + 1)) {
      const time = readTime(text);
      if (time === null) return null;
      locals.add(time.isUtc ? zone.toLocal(time.local) : time.local);
    }
  }
  for (const { value } of propertiesOf(observance, "rrule")) {
    const rule = readRule(value);
    // A clock changes once a year by each of its rules.
    if (isFault(rule) || rule.recur.freq !== "YEARLY") return null;
    const { interval, count } = rule.recur;
    const local = expandedFrom(start.local, count !== null || interval > 1);
    budget.begin();
    const window = { from: local, before: until };
    const found = occurrencesOf(rule, { local, isDate: false, zone }, window, budget);
    if (isFault(found)) return null;
    for (const at of found) locals.add(at);
    if (locals.size > MAX_CHANGES) return null;
  }
  return [...locals].map((local) => ({ at: local - before, before, after }));
}

/**
 * A zone that the calendar defines.
 *
 * @param name the nearest known one, for display
 * @param until its changes are expanded up to here (epoch ms)
 * @returns null if the definition cannot be used
 */
export function definedZone(
  { components }: Component,
  name: string,
  until: number,
  budget: RecurrenceBudget,
): CalendarZone | null {
  const all = components.map((it) => changesOf(it, until, budget));
  if (all.includes(null)) return null;
  const changes = all.flatMap((it) => it ?? []).sort((one, other) => one.at - other.at);
  const [first] = changes;
  if (first === undefined || changes.length > MAX_CHANGES) return null;
  const offsetAt = (at: number) => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(changes[middle]?.at) <= at) low = middle + 1;
      else high = middle;
    }
    return changes[low - 1]?.after ?? first.before;
  };
  const toLocal = (at: number) => at + offsetAt(at);
  // As of every zone: a skipped time moves forward, a repeated one is the first.
  const toInstant = (local: number) => {
    const earlier = local - offsetAt(local - DAY);
    const later = local - offsetAt(local + DAY);
    return earlier === later || toLocal(earlier) === local || toLocal(later) !== local
      ? earlier
      : later;
  };
  return { name, toInstant, toLocal };
}
