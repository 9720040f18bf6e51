// How much the generated tests try: little under `npm test`, everything under `npm run test:deep` (TEST_SIZE=full).
// Each prints its seed; TEST_SEED=<seed> repeats a run.

/** The number of cases: the first under `npm test`, the second under `npm run test:deep`. */
export const sized = (small: number, full: number): number =>
  process.env.TEST_SIZE === "full" ? full : small;

/** The seed of this run's generated tests. */
export const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/**
 * The parameters of a `fc.assert`, and a line in the output that names the test, its size and its seed.
 *
 * @param cases what `sized` answered
 */
export function generated(name: string, cases: number): { numRuns: number; seed: number } {
  console.log(`${name}: ${cases} cases, TEST_SEED=${seed}`);
  return { numRuns: cases, seed };
}
