// The size and the seed of generated tests: small under `npm test`, full under `npm run test:deep`
// (TEST_SIZE=full). The configuration prints the seed; TEST_SEED=<seed> repeats a run.
import { isDrawn, seedFor } from "./seed.ts";

/** Whether the tests run at full size. */
export const isFull = process.env.TEST_SIZE === "full";

/** The number of cases: the first under `npm test`, the second under `npm run test:deep`. */
export const sized = <Size>(small: Size, full: Size): Size => (isFull ? full : small);

/** The seed of this run's generated tests. */
export const seed = seedFor(process.env.TEST_SEED);

/**
 * All items under `npm run test:deep`; else `count` evenly spread ones, starting at an offset from
 * the seed and `turn`. Over consecutive turns, every item is selected.
 */
export function selectSome<Item>(
  all: readonly Item[],
  count: number,
  turn: number,
): readonly Item[] {
  if (isFull || count >= all.length) return all;
  const step = all.length / count;
  return Array.from({ length: count }, (_, i) => {
    const at = (seed + turn + Math.floor(i * step)) % all.length;
    return all[at] as Item;
  });
}

/** The commit from which `npm test` draws what runs only in part; empty if everything does. */
export const commit = process.env.TEST_COMMIT ?? "";

/**
 * Whether a test of the browser runs: a tenth of them under `npm test`, drawn from the commit; all under
 * `npm run test:deep` and `npm test -- <words>`.
 */
export const selectsJourney = (name: string): boolean =>
  isFull || process.env.TEST_JOURNEYS !== "some" || isDrawn(name, 10, commit);

/** A generator of random numbers in [0, 1), deterministic for the seed. */
export function randomGenerator(): () => number {
  let state = seed >>> 0;
  // Mulberry32.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The rounds of a generated test: `count` of them, and up to three times as many until it has seen
 * enough. A seed whose first rounds have few kinds of cases is no fault.
 */
export function* rounds(count: number, hasSeenEnough: () => boolean): Generator<number> {
  for (let round = 0; round < 3 * count; round++) {
    if (round >= count && hasSeenEnough()) return;
    yield round;
  }
}
