// Formats a wall clock by tokens, for `$now`. The tokens are a fixed set. Any other letter is a
// fault on save, so that a typo is not output literally.
import { wallClockAt } from "../../shared/time.ts";

type WallClock = ReturnType<typeof wallClockAt>;

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const two = (value: number) => String(value).padStart(2, "0");
const halfDay = (hour: number) => (hour % 12 === 0 ? 12 : hour % 12);

const TOKENS: Readonly<Record<string, (clock: WallClock) => string>> = {
  YYYY: ({ year }) => String(year).padStart(4, "0"),
  YY: ({ year }) => two(year % 100),
  MMMM: ({ month }) => MONTHS[month - 1] ?? "",
  MMM: ({ month }) => (MONTHS[month - 1] ?? "").slice(0, 3),
  MM: ({ month }) => two(month),
  M: ({ month }) => String(month),
  DD: ({ day }) => two(day),
  D: ({ day }) => String(day),
  dddd: ({ weekday }) => DAYS[weekday] ?? "",
  ddd: ({ weekday }) => (DAYS[weekday] ?? "").slice(0, 3),
  E: ({ weekday }) => String(weekday === 0 ? 7 : weekday),
  HH: ({ hour }) => two(hour),
  H: ({ hour }) => String(hour),
  hh: ({ hour }) => two(halfDay(hour)),
  h: ({ hour }) => String(halfDay(hour)),
  mm: ({ minute }) => two(minute),
  m: ({ minute }) => String(minute),
  ss: ({ second }) => two(second),
  s: ({ second }) => String(second),
  A: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  a: ({ hour }) => (hour < 12 ? "am" : "pm"),
};

/** The tokens; of those with a common prefix, the longest first. `[text]` is literal. */
export const FORMAT_TOKENS: readonly string[] = Object.keys(TOKENS);

const MAX_LENGTH = 100;
const PART = new RegExp(`\\[([^\\]]*)\\]|${FORMAT_TOKENS.join("|")}|[A-Za-z]|[^A-Za-z]`, "g");

export type Format = (at: number, zone: string) => string;

/** Compiles a format to a function of an instant (epoch ms) and a zone name; null if invalid. */
export function compileFormat(format: string): Format | null {
  if (format.length > MAX_LENGTH) return null;
  const parts = [...format.matchAll(PART)].map(([text, literal]) => compilePart(text, literal));
  if (parts.includes(null)) return null;
  return (at, zone) => {
    const clock = wallClockAt(zone, at);
    return parts.map((part) => (typeof part === "function" ? part(clock) : part)).join("");
  };
}

function compilePart(text: string, literal: string | undefined) {
  if (literal !== undefined) return literal;
  const token = Object.hasOwn(TOKENS, text) ? TOKENS[text] : undefined;
  if (token !== undefined) return token;
  return /^[A-Za-z]$/.test(text) ? null : text;
}
