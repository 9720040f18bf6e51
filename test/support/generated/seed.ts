// The seed of generated tests. It is the same for every run, so that results depend only on the
// commit; `npm run soak:generated` uses other seeds. What runs only in part is drawn from the commit.

const DEFAULT_SEED = 20_261_122;

/**
 * Parses TEST_SEED: a number, `random` for a random seed, or unset for the default.
 *
 * @throws if it is anything else
 */
export function seedFor(value: string | undefined): number {
  if (value === undefined || value === "") return DEFAULT_SEED;
  if (value === "random") return Math.floor(Math.random() * 2 ** 31);
  if (!/^\d{1,10}$/.test(value))
    throw new Error(`TEST_SEED must be a number or "random": ${value}`);
  return Number(value);
}

/**
 * Whether a test or file is among those drawn, one in so many. A name is drawn for itself, whatever others there are.
 *
 * @param commit the hash from which is drawn; empty: always the same are
 */
export function isDrawn(name: string, oneIn: number, commit: string): boolean {
  // FNV-1a, over the name first: its last letters would else decide alone which commits draw it.
  const hash = [...`${name} ${commit}`].reduce(
    (sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );
  return ((hash ^ (hash >>> 15)) >>> 0) % oneIn === 0;
}
