// Finding records by a part of their name, for fields that pick one of many. A name that begins with
// what is typed comes before one that merely contains it, and only that can be picked unseen. Pure.
import { fold } from "./case-folding.ts";

/** How a name matches a text: it is that, a word of it begins so, or it only contains it. */
export type NameMatch = "exact" | "begins" | "contains";

const RANKS: readonly (NameMatch | null)[] = ["exact", "begins", "contains", null];

/** `Ana-Maria O'Neill`: four words. */
const wordsOf = (key: string): readonly string[] =>
  key.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");

/**
 * Whether each typed word begins another word of the name, in any order. The longest first: a word
 * that it can take, a shorter beginning of it can take too.
 */
function beginsWords(name: readonly string[], typed: readonly string[]): boolean {
  const left = [...name];
  return typed
    .toSorted((one, other) => other.length - one.length)
    .every((word) => {
      const at = left.findIndex((it) => it.startsWith(word));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
}

/** How a name matches what is typed, whose words may be in any order; null: it does not. */
export function matchName(name: string, text: string): NameMatch | null {
  const [key, typed] = [fold(name), fold(text).trim()];
  if (typed === "" || !typed.split(/\s+/).every((part) => key.includes(part))) return null;
  const [own, words] = [wordsOf(key), wordsOf(typed)];
  if (words.length === 0) return "contains";
  if (own.join(" ") === words.join(" ")) return "exact";
  return beginsWords(own, words) ? "begins" : "contains";
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

/** What a search compares of a record. */
export type Searched = {
  readonly name: string;
  /** What else leads to it, such as addresses; these never count as a beginning of the name. */
  readonly further?: readonly string[];
};

/**
 * The records that match a text, best first: those of that name, those with a word that begins so,
 * then those that contain it or of which something else does; each in alphabetical order.
 *
 * @param of what is compared of a record
 */
export function findByName<Item>(
  items: readonly Item[],
  text: string,
  of: (item: Item) => Searched,
): readonly Item[] {
  return items
    .flatMap((item) => {
      const { name, further = [] } = of(item);
      const match = matchName(name, text);
      const leads = match !== null || further.some((it) => matchName(it, text) !== null);
      return leads ? [{ item, name, rank: RANKS.indexOf(match) }] : [];
    })
    .toSorted((one, other) => {
      // Who is found by an address stands with those whose name contains the text.
      const [rank, otherRank] = [Math.min(one.rank, 2), Math.min(other.rank, 2)];
      return rank - otherRank || byName(one.name, other.name);
    })
    .map(({ item }) => item);
}

/**
 * The record that is meant without a doubt: the only one of exactly this name or address or, without
 * such, the only one whose name begins so. Null: somebody has to look.
 */
export function certainByName<Item>(
  items: readonly Item[],
  text: string,
  of: (item: Item) => Searched,
): Item | null {
  const matching = (isMeant: (searched: Searched) => boolean) =>
    items.filter((item) => isMeant(of(item)));
  const exact = matching(({ name, further = [] }) =>
    [name, ...further].some((it) => matchName(it, text) === "exact"),
  );
  const meant =
    exact.length > 0 ? exact : matching(({ name }) => matchName(name, text) === "begins");
  return meant.length === 1 ? (meant[0] ?? null) : null;
}
