// Fitting any JSON value into so many bytes. Long texts are cut first, since one of them is nearly always
// what is too much; only a value of countless small parts loses parts. Every cut is marked.
import { boundedText } from "./bounds.ts";

/** The lengths that texts are cut to, one after the other, until the value fits. */
const TEXT_LIMITS = [65_536, 16_384, 4_096, 1_024, 256] as const;
const MAX_KEY = 256;
/** What the marks and brackets of one list or object may add beside its own entries. */
const MARK_BYTES = 64;

const encoder = new TextEncoder();

/** How many bytes a value takes as JSON in UTF-8. */
export function bytesOfJson(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? "").byteLength;
}

/** The value itself if it fits into `maxBytes` of JSON, else a copy that does. */
export function boundedJson(value: unknown, maxBytes: number): unknown {
  if (bytesOfJson(value) <= maxBytes) return value;
  const longest = longestText(value);
  let cut = value;
  for (const limit of TEXT_LIMITS.filter((one) => one < longest)) {
    cut = withTextsCut(value, limit);
    if (bytesOfJson(cut) <= maxBytes) return cut;
  }
  return withinBudget(cut, { left: maxBytes });
}

/** The length of the longest text in a value, its keys among them. */
function longestText(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const lengths = (longest: number, key: string) => Math.max(longest, key.length);
  return Object.values(value).reduce<number>(
    (longest, inner) => Math.max(longest, longestText(inner)),
    keys.reduce(lengths, 0),
  );
}

function withTextsCut(value: unknown, limit: number): unknown {
  if (typeof value === "string") {
    if (value.length <= limit) return value;
    return `${boundedText(value, limit)} [cut: ${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map((inner) => withTextsCut(inner, limit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      boundedText(key, MAX_KEY),
      withTextsCut(inner, limit),
    ]),
  );
}

/** What of a value fits, first come first kept; a list or object says how much of it was left out. */
function withinBudget(value: unknown, budget: { left: number }): unknown {
  if (typeof value !== "object" || value === null) {
    budget.left -= bytesOfJson(value);
    return value;
  }
  budget.left -= MARK_BYTES;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [key, inner] of entries) {
    const least = MARK_BYTES + (isList ? 1 : bytesOfJson(key) + 2);
    const size = typeof inner === "object" && inner !== null ? least : least + bytesOfJson(inner);
    if (budget.left < size) break;
    budget.left -= least - MARK_BYTES;
    kept.push([key, withinBudget(inner, budget)]);
  }
  const missing = entries.length - kept.length;
  const mark = `${missing} more left out`;
  if (isList) return [...kept.map(([, inner]) => inner), ...(missing > 0 ? [mark] : [])];
  return Object.fromEntries([...kept, ...(missing > 0 ? [["…", mark] as const] : [])]);
}
