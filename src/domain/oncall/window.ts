// The time window of queries about schedules (contract 2, Schedules). Pure.

import { parseUtc } from "../shared/parse-time.ts";
import { type FieldError, type Refusal, refuse, refuseFields } from "../shared/refusal.ts";
import { DAY, formatInstant } from "../shared/time.ts";

const WIDEST_WINDOW = 366 * DAY;

/** [from, to) in epoch ms. */
export type Window = { readonly from: number; readonly to: number };

/**
 * The query's `start` and `end` in epoch ms; 400 for an invalid timestamp, 422 for an invalid
 * window.
 */
export function readWindow(query: URLSearchParams): Window | Refusal {
  const missing: FieldError[] = [];
  const instants = ["start", "end"].map((name) => {
    const text = query.get(name) ?? "";
    if (text === "") missing.push({ field: name, message: `${name} can't be blank` });
    return { name, at: parseUtc(text.trim()) };
  });
  if (missing.length > 0) return refuseFields(missing);
  for (const { name, at } of instants) {
    if (at !== null) continue;
    const form = "use YYYY-MM-DD HH:mm:ss (UTC) or ISO 8601";
    return refuse("malformed", `${name} is not a timestamp; ${form}`, name);
  }
  const [from, to] = instants.map(({ at }) => Number(at)) as [number, number];
  if (to <= from) return refuse("invalid", "end must be after start", "end");
  if (to - from > WIDEST_WINDOW) {
    return refuse("invalid", "end must be at most 366 days after start", "end");
  }
  return { from, to };
}

/** The same, where either may be left out: from now on, and `span` ms long. */
export function readWindowOr(query: URLSearchParams, now: number, span: number): Window | Refusal {
  const [start, end] = ["start", "end"].map((name) => parseUtc(query.get(name) ?? ""));
  const isGiven = (name: string) => (query.get(name) ?? "") !== "";
  const filled = new URLSearchParams(query);
  if (!isGiven("start")) {
    const from = end != null && end <= now ? end - span : now;
    filled.set("start", formatInstant(from));
  }
  if (!isGiven("end")) filled.set("end", formatInstant((start ?? now) + span));
  return readWindow(filled);
}
