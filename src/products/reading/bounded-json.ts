// Truncates a JSON value to a maximum size in bytes. Shortens long strings first; drops entries
// only if that is not enough. Every cut is marked.
import { boundText } from "./bounds.ts";

/** Maximum string lengths, tried in order until the value fits. */
const STRING_LIMITS = [65_536, 16_384, 4_096, 1_024, 256] as const;
const MAX_KEY = 256;
/** Bytes reserved per list or object for its brackets and truncation mark. */
const MARK_BYTES = 64;

const encoder = new TextEncoder();

/** The size of a value as JSON in UTF-8, in bytes. */
export function jsonByteLength(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? "").byteLength;
}

/** The value itself if it fits into `maxBytes` of JSON; else a truncated copy. */
export function truncateJson(value: unknown, maxBytes: number): unknown {
  if (jsonByteLength(value) <= maxBytes) return value;
  const longest = longestString(value);
  let cut = value;
  for (const limit of STRING_LIMITS.filter((one) => one < longest)) {
    cut = truncateStrings(value, limit);
    if (jsonByteLength(cut) <= maxBytes) return cut;
  }
  return dropExcess(cut, { left: maxBytes });
}

/** The length of the longest string in a value, keys included. */
function longestString(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const lengths = (longest: number, key: string) => Math.max(longest, key.length);
  return Object.values(value).reduce<number>(
    (longest, inner) => Math.max(longest, longestString(inner)),
    keys.reduce(lengths, 0),
  );
}

function truncateStrings(value: unknown, limit: number): unknown {
  if (typeof value === "string") {
    if (value.length <= limit) return value;
    return `${boundText(value, limit)} [cut: ${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map((inner) => truncateStrings(inner, limit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      boundText(key, MAX_KEY),
      truncateStrings(inner, limit),
    ]),
  );
}

/** Includes entries in order until the budget is spent; marks how many were dropped. */
function dropExcess(value: unknown, budget: { left: number }): unknown {
  if (typeof value !== "object" || value === null) {
    budget.left -= jsonByteLength(value);
    return value;
  }
  budget.left -= MARK_BYTES;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const included: [string, unknown][] = [];
  for (const [key, inner] of entries) {
    const least = MARK_BYTES + (isList ? 1 : jsonByteLength(key) + 2);
    const size =
      typeof inner === "object" && inner !== null ? least : least + jsonByteLength(inner);
    if (budget.left < size) break;
    budget.left -= least - MARK_BYTES;
    included.push([key, dropExcess(inner, budget)]);
  }
  const missing = entries.length - included.length;
  const mark = `${missing} more left out`;
  if (isList) return [...included.map(([, inner]) => inner), ...(missing > 0 ? [mark] : [])];
  return Object.fromEntries([...included, ...(missing > 0 ? [["…", mark] as const] : [])]);
}
