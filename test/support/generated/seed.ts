// The seed of generated tests. One number for every run, so that the result of a run depends on the commit alone;
// `npm run soak:generated` searches with other seeds.

const DEFAULT_SEED = 20_261_122;

/**
 * The seed that TEST_SEED asks for: a number, `random` for a new one, the default without it.
 *
 * @throws when it is anything else
 */
export function seedFor(asked: string | undefined): number {
  if (asked === undefined || asked === "") return DEFAULT_SEED;
  if (asked === "random") return Math.floor(Math.random() * 2 ** 31);
  if (!/^\d{1,10}$/.test(asked))
    throw new Error(`TEST_SEED must be a number or "random": ${asked}`);
  return Number(asked);
}
