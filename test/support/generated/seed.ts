// The seed of generated tests. It is the same for every run, so that results depend only on the
// commit; `npm run soak:generated` uses other seeds.

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
