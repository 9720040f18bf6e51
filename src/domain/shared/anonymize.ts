// Removes a person from stored data: their name becomes "Former member", their addresses and
// numbers "[removed]". Pure and idempotent.

/** The identifying data of a person to erase. */
export type PersonTraces = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly name: string;
  /** Email addresses (lowercase) and phone numbers (E.164). */
  readonly addresses: readonly string[];
};

export const FORMER_MEMBER = "Former member";
const REMOVED = "[removed]";

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/** Replaces one person's data; compiled once for many texts. */
export type Anonymizer = {
  /**
   * Removes the person from a text. `isOurs`: our own text, where a one-word name means the person.
   */
  readonly text: (text: string, isOurs: boolean) => string;
  /** The same for a text that may be JSON, applied to each of its strings. */
  readonly stored: (text: string, isOurs: boolean) => string;
  /** The same for any value; returns the value itself if nothing changes. */
  readonly value: (value: unknown, isOurs: boolean) => unknown;
};

/** Maximum nesting depth searched; stored values never nest this deep. */
const MAX_DEPTH = 200;

/** Compiles the replacements for one person. */
export function createAnonymizer({ name, addresses }: PersonTraces): Anonymizer {
  const words = name.trim().split(/\s+/).map(escapeRegExp);
  const isSingleWord = words.length === 1;
  const namePattern =
    name.trim() === ""
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])${words.join("\\s+")}(?![\\p{L}\\p{N}_])`, "giu");
  const addressPatterns = addresses
    .filter((address) => address !== "")
    .map((address) =>
      address.startsWith("+")
        ? new RegExp(`(?<!\\d)\\+?${escapeRegExp(address.slice(1))}(?!\\d)`, "g")
        : new RegExp(
            `(?<![\\p{L}\\p{N}._%+-])${escapeRegExp(address)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
            "giu",
          ),
    );

  const text = (input: string, isOurs: boolean): string => {
    const without = addressPatterns.reduce((it, address) => it.replace(address, REMOVED), input);
    if (namePattern === null) return without;
    if (isSingleWord && !isOurs && without.trim().toLowerCase() !== name.trim().toLowerCase()) {
      return without;
    }
    return without.replace(namePattern, FORMER_MEMBER);
  };

  const value = (input: unknown, isOurs: boolean, depth = 0): unknown => {
    if (typeof input === "string") return stored(input, isOurs);
    if (typeof input !== "object" || input === null || depth > MAX_DEPTH) return input;
    if (Array.isArray(input)) {
      const list = input.map((it) => value(it, isOurs, depth + 1));
      return list.some((it, i) => it !== input[i]) ? list : input;
    }
    if (Object.getPrototypeOf(input) !== Object.prototype) return input;
    const entries = Object.entries(input).map(
      ([key, it]) => [text(key, isOurs), value(it, isOurs, depth + 1), key, it] as const,
    );
    if (entries.every(([key, it, oldKey, old]) => key === oldKey && it === old)) return input;
    return Object.fromEntries(entries);
  };

  const stored = (input: string, isOurs: boolean): string => {
    if (!/^\s*[[{]/.test(input)) return text(input, isOurs);
    let parsed: unknown;
    try {
      parsed = JSON.parse(input);
    } catch {
      return text(input, isOurs);
    }
    const changed = value(parsed, isOurs);
    return changed === parsed ? input : JSON.stringify(changed);
  };

  return { text, stored, value };
}

/**
 * Search terms for stored data: every text that mentions the person contains one. Lowercased for
 * ASCII only, as SQLite's `lower()` does.
 */
export function searchTermsOf({ name, addresses }: PersonTraces): readonly string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const lower = (text: string) => text.replace(/[A-Z]/g, (it) => it.toLowerCase());
  // Whitespace between words may differ, so search for the longest word only.
  const [longest = ""] = name
    .trim()
    .split(/\s+/)
    .sort((one, other) => other.length - one.length);
  const texts = [longest, ...addresses.map((it) => it.replace(/^\+/, ""))];
  const all = texts.filter((it) => it !== "").flatMap((it) => [it, inJson(it)]);
  return [...new Set(all.map(lower))];
}
