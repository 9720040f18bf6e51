// The size and the seed of generated tests: small under `npm test`, full under `npm run test:deep`
// (TEST_SIZE=full). The configuration prints the seed; TEST_SEED=<seed> repeats a run.
import { seedFor } from "./seed.ts";

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

/**
 * Whether a test of the browser runs: a third of them under `npm test`, which the seed selects by
 * their names; all under `npm run test:deep` and `npm test -- <words>`.
 */
export function selectsJourney(name: string): boolean {
  if (isFull || process.env.TEST_JOURNEYS !== "some") return true;
  // FNV-1a: a name selects for itself, whatever tests are added before it.
  const hash = [...name].reduce(
    (sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5 ^ seed,
  );
  return (hash >>> 0) % 3 === 0;
}

/** Every third of a table's rows, of each of which there is a test; all of them under `npm run test:deep`. */
export const selectRows = <Row>(table: readonly Row[]): readonly Row[] =>
  selectSome(table, Math.ceil(table.length / 3), 0);

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
