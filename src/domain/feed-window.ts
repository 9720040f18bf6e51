// What of a schedule a calendar feed covers: whole days, and no more shifts than a calendar program can take. Pure.
import { refuse } from "./refusal.ts";
import { DAY } from "./time.ts";

type Shift = { readonly startAt: number; readonly endAt: number };

/** [from, to) in epoch ms, whole days in UTC. */
export type FeedWindow = { readonly from: number; readonly to: number };

/** What a feed covers unless it is asked for other days: so many around today. */
const DAYS_BACK = 30;
const DAYS_AHEAD = 180;
const MOST_DAYS = 366;

/** Shifts in one feed. */
const MOST_SHIFTS = 5000;

const dayOf = (at: number) => Math.floor(at / DAY) * DAY;

/** Midnight (UTC) of a date such as 2026-11-22; null where it is none. */
function readDay(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at;
}

/**
 * The window of a feed's `from` and `to`, dates of which either may be missing.
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
  return window.to - window.from > MOST_DAYS * DAY
    ? refuse("invalid", `to must be at most ${MOST_DAYS} days after from`, "to")
    : window;
}

export type Fitted<Entry> = {
  readonly shifts: readonly Entry[];
  /** Where the feed ends early (epoch ms), and how many shifts of the window it leaves out; null: it has them all. */
  readonly cut: { readonly at: number; readonly left: number } | null;
};

/**
 * As many whole days of shifts as a feed may hold.
 *
 * @param shifts by start
 * @param most shifts at most
 */
export function fitShifts<Entry extends Shift>(
  shifts: readonly Entry[],
  window: FeedWindow,
  most: number = MOST_SHIFTS,
): Fitted<Entry> {
  const first = shifts[most];
  if (first === undefined) return { shifts, cut: null };
  // A day with more shifts than a feed holds ends where the first that is left out begins.
  const day = dayOf(first.startAt);
  const at = day > window.from ? day : first.startAt;
  const held = shifts.slice(0, most).filter(({ startAt }) => startAt < at);
  return { shifts: held, cut: { at, left: shifts.length - held.length } };
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** What a feed says where it ends early, in an entry of its own. */
export function cutNotice({ to }: FeedWindow, { at, left }: { at: number; left: number }) {
  const day = dateOf(at);
  return {
    summary: `This calendar ends here: ${left} shifts until ${dateOf(to)} are not shown`,
    description:
      `A calendar holds at most ${MOST_SHIFTS} shifts. For those from ${day} on, subscribe also to this ` +
      `calendar's address followed by ?from=${day}&to=${dateOf(to)}.`,
  };
}
