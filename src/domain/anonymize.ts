// Takes a person out of what is stored: their name becomes "Former member", their addresses and numbers "[removed]".
// Pure; the same again changes nothing.

/** What is known of a person to be erased. */
export type Traces = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly name: string;
  /** E-mail addresses (lower case) and phone numbers (E.164). */
  readonly addresses: readonly string[];
};

export const FORMER_MEMBER = "Former member";
const REMOVED = "[removed]";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/** The expressions of one person, made once for many texts. */
export type Anonymizer = {
  /** A text without the person. `isOurs`: we wrote it, so that a name of a single word in it is theirs. */
  readonly text: (text: string, isOurs: boolean) => string;
  /** The same of a text that may be JSON, in each of its strings. */
  readonly stored: (text: string, isOurs: boolean) => string;
  /** The same of any value; the value itself where nothing changes. */
  readonly value: (value: unknown, isOurs: boolean) => unknown;
};

/** How deep a stored value is looked through; nothing of ours nests so far. */
const MAX_DEPTH = 200;

export function anonymizer({ name, addresses }: Traces): Anonymizer {
  const words = name.trim().split(/\s+/).map(escaped);
  const isOneWord = words.length === 1;
  const named =
    name.trim() === ""
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}_])${words.join("\\s+")}(?![\\p{L}\\p{N}_])`, "giu");
  const reached = addresses
    .filter((address) => address !== "")
    .map((address) =>
      address.startsWith("+")
        ? new RegExp(`(?<!\\d)\\+?${escaped(address.slice(1))}(?!\\d)`, "g")
        : new RegExp(
            `(?<![\\p{L}\\p{N}._%+-])${escaped(address)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
            "giu",
          ),
    );

  const text = (given: string, isOurs: boolean): string => {
    const without = reached.reduce((it, address) => it.replace(address, REMOVED), given);
    if (named === null) return without;
    if (isOneWord && !isOurs && without.trim().toLowerCase() !== name.trim().toLowerCase()) {
      return without;
    }
    return without.replace(named, FORMER_MEMBER);
  };

  const value = (given: unknown, isOurs: boolean, depth = 0): unknown => {
    if (typeof given === "string") return stored(given, isOurs);
    if (typeof given !== "object" || given === null || depth > MAX_DEPTH) return given;
    if (Array.isArray(given)) {
      const list = given.map((it) => value(it, isOurs, depth + 1));
      return list.some((it, i) => it !== given[i]) ? list : given;
    }
    if (Object.getPrototypeOf(given) !== Object.prototype) return given;
    const entries = Object.entries(given).map(
      ([key, it]) => [text(key, isOurs), value(it, isOurs, depth + 1), key, it] as const,
    );
    if (entries.every(([key, it, oldKey, old]) => key === oldKey && it === old)) return given;
    return Object.fromEntries(entries);
  };

  const stored = (given: string, isOurs: boolean): string => {
    if (!/^\s*[[{]/.test(given)) return text(given, isOurs);
    let parsed: unknown;
    try {
      parsed = JSON.parse(given);
    } catch {
      return text(given, isOurs);
    }
    const changed = value(parsed, isOurs);
    return changed === parsed ? given : JSON.stringify(changed);
  };

  return { text, stored, value };
}

/** Texts of which one stands in whatever holds a trace, as ASCII lower case: what SQLite's `lower()` compares. */
export function needlesOf({ name, addresses }: Traces): readonly string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const lower = (text: string) => text.replace(/[A-Z]/g, (it) => it.toLowerCase());
  // Spaces between a name's words may differ: its longest word stands in each of them.
  const [longest = ""] = name
    .trim()
    .split(/\s+/)
    .sort((one, other) => other.length - one.length);
  const texts = [longest, ...addresses.map((it) => it.replace(/^\+/, ""))];
  const all = texts.filter((it) => it !== "").flatMap((it) => [it, inJson(it)]);
  return [...new Set(all.map(lower))];
}
