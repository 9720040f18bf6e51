// The wall clocks of time zones for the model: of the code under test it has nothing. A wall clock time is a
// number, as if the wall clock were that of UTC.

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Listed names whose clocks change by half hours, in the month of Ramadan, on either side of the equator, or not. */
export const ZONES: Readonly<Record<string, string>> = {
  UTC: "Etc/UTC",
  London: "Europe/London",
  "Eastern Time (US & Canada)": "America/New_York",
  Newfoundland: "America/St_Johns",
  Casablanca: "Africa/Casablanca",
  Sydney: "Australia/Sydney",
  "Chatham Is.": "Pacific/Chatham",
  Samoa: "Pacific/Apia",
  Kathmandu: "Asia/Kathmandu",
  Santiago: "America/Santiago",
};

/** The offsets of a zone in order: each applies from an instant on (both in ms). */
type Offsets = readonly { readonly from: number; readonly offset: number }[];

/** The years in which the sequences have events. */
const FIRST = Date.UTC(2008, 0, 1);
const LAST = Date.UTC(2036, 0, 1);

const known = new Map<string, Offsets>();

function offsetsOf(name: string): Offsets {
  const found = known.get(name) ?? readOffsets(ZONES[name] ?? name);
  known.set(name, found);
  return found;
}

/** Reads the clock of a zone once a week, and where it has changed, finds the minute. */
function readOffsets(timeZone: string): Offsets {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric" },
  });
  const offsetAt = (at: number) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute")) - at;
  };
  const offsets = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(FIRST) }];
  for (let week = FIRST; week < LAST; week += 7 * DAY) {
    const before = offsetAt(week);
    if (offsetAt(week + 7 * DAY) === before) continue;
    let [low, high] = [week, week + 7 * DAY];
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    offsets.push({ from: high, offset: offsetAt(high) });
  }
  return offsets;
}

const offsetOf = (zone: string, at: number): number =>
  offsetsOf(zone).findLast(({ from }) => from <= at)?.offset ?? 0;

/** The instants (epoch ms) in a time at which a zone's clock changes. */
export const clockChanges = (zone: string, from: number, to: number): number[] =>
  offsetsOf(zone).flatMap((it) => (it.from >= from && it.from < to ? [it.from] : []));

/** What the wall clock shows at an instant (epoch ms). */
export const localOf = (zone: string, at: number): number => at + offsetOf(zone, at);

/**
 * The instant of a wall clock time. A time that a change of clocks skips moves forward by the gap; one that occurs
 * twice means the first.
 */
export function instantOf(zone: string, local: number): number {
  const [before, after] = [offsetOf(zone, local - DAY), offsetOf(zone, local + DAY)];
  const exact = [local - before, local - after].filter((at) => localOf(zone, at) === local);
  return exact.length > 0 ? Math.min(...exact) : local - before;
}

/** The wall clock time of midnight on the date of one. */
export const dateOf = (local: number): number => Math.floor(local / DAY) * DAY;

/** The day of the week, Sunday 0. */
export const weekdayOf = (local: number): number => new Date(local).getUTCDay();

/** Whole months later on the calendar; a day that the month does not have becomes its last one. */
export function addMonths(local: number, months: number): number {
  const date = new Date(dateOf(local));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + local - dateOf(local);
}

/** Whether the zone has skipped the whole date of a wall clock time. */
export const isDateSkipped = (zone: string, local: number): boolean =>
  dateOf(localOf(zone, instantOf(zone, dateOf(local)))) !== dateOf(local);
