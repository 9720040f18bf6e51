// The time window of a calendar feed: whole days, limited to the number of shifts that calendar
// clients handle. Pure.
import { refuse } from "../shared/refusal.ts";
import { DAY } from "../shared/time.ts";

type Shift = { readonly startAt: number; readonly endAt: number };

/** [from, to) in epoch ms: whole UTC days. */
export type FeedWindow = { readonly from: number; readonly to: number };

/** The default window around today. */
const DAYS_BACK = 30;
const DAYS_AHEAD = 180;
const MAX_DAYS = 366;

/** Maximum number of shifts in one feed. */
const MAX_FEED_SHIFTS = 5000;

const dayOf = (at: number) => Math.floor(at / DAY) * DAY;

/** UTC midnight of a date such as 2026-11-22; null if invalid. */
function readDay(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at;
}

/**
 * The window of a feed's `from` and `to` dates, both optional.
 *
 * @param now epoch ms
 */
export function readFeedWindow(from: string | null, to: string | null, now: number) {
  for (const [name, text] of [
    ["from", from],
    ["to", to],
  ] as const) {
    if (text !== null && readDay(text) === null) {
      return refuse("malformed", `${name} is not a date; use YYYY-MM-DD`, name);
    }
  }
  const today = dayOf(now);
  const begin = from === null ? null : (readDay(from) as number);
  const end = to === null ? null : (readDay(to) as number);
  const window = {
    from: begin ?? Math.min(today - DAYS_BACK * DAY, (end ?? today) - DAY),
    to: end ?? Math.max(today + DAYS_AHEAD * DAY, (begin ?? today) + DAY),
  };
  if (window.to <= window.from) return refuse("invalid", "to must be after from", "to");
  return window.to - window.from > MAX_DAYS * DAY
    ? refuse("invalid", `to must be at most ${MAX_DAYS} days after from`, "to")
    : window;
}

export type FittedShifts<Entry> = {
  readonly shifts: readonly Entry[];
  /** Where the feed is truncated (epoch ms), and how many shifts are left out; null: complete. */
  readonly cut: { readonly at: number; readonly left: number } | null;
};

/**
 * Keeps as many whole days of shifts as a feed may contain.
 *
 * @param shifts ordered by start
 * @param limit maximum number of shifts
 */
export function fitShifts<Entry extends Shift>(
  shifts: readonly Entry[],
  window: FeedWindow,
  limit: number = MAX_FEED_SHIFTS,
): FittedShifts<Entry> {
  const first = shifts[limit];
  if (first === undefined) return { shifts, cut: null };
  // A single day with too many shifts is truncated at the first shift left out.
  const day = dayOf(first.startAt);
  const at = day > window.from ? day : first.startAt;
  const included = shifts.slice(0, limit).filter(({ startAt }) => startAt < at);
  return { shifts: included, cut: { at, left: shifts.length - included.length } };
}

const formatDate = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The calendar entry that marks where a truncated feed ends. */
export function truncationNotice({ to }: FeedWindow, { at, left }: { at: number; left: number }) {
  const day = formatDate(at);
  return {
    summary: `This calendar ends here: ${left} shifts until ${formatDate(to)} are not shown`,
    description:
      `A calendar holds at most ${MAX_FEED_SHIFTS} shifts. For those from ${day} on, subscribe also to this ` +
      `calendar's address followed by ?from=${day}&to=${formatDate(to)}.`,
  };
}
