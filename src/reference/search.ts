// The search over all pages at /docs: runs in the browser over an index that the build writes.

/** A place that can be found: a section of a page, or an operation. */
export type SearchEntry = {
  readonly title: string;
  /** The title of its page. */
  readonly page: string;
  /** `/docs/backup#restoring` */
  readonly url: string;
  readonly text: string;
};

const MOST = 12;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** How well one word of the query fits; 0 if it is nowhere. */
function scoreOf(word: string, { title, page, text }: SearchEntry): number {
  const places: readonly (readonly [text: string, weight: number])[] = [
    [title, 12],
    [page, 4],
    [text, 1],
  ];
  const scores = places.map(([place, weight]) => {
    const lower = place.toLowerCase();
    if (!lower.includes(word)) return 0;
    const words = wordsIn(place);
    if (words.includes(word)) return 3 * weight;
    return words.some((it) => it.startsWith(word)) ? 2 * weight : weight;
  });
  return Math.max(...scores);
}

/** What a whole title counts, and the title of a whole page once more. */
const EXACT = 50;

/** The entries that have all words of a query, the best first; at most twelve. */
export function findEntries(index: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = wordsIn(query);
  if (words.length === 0) return [];
  return index
    .map((entry) => {
      const scores = words.map((word) => scoreOf(word, entry));
      if (scores.includes(0)) return { entry, score: 0 };
      const isExact = wordsIn(entry.title).join(" ") === words.join(" ");
      const exact = isExact ? (entry.title === entry.page ? 2 * EXACT : EXACT) : 0;
      return { entry, score: scores.reduce((sum, it) => sum + it, exact) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}
