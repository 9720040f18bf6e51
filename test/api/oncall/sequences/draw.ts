// The random choices of generated sequences.
import type { State } from "./model.ts";

type Random = () => number;

/** Numbers in [0, 1), the same for a seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a sequence is drawn with. */
export class Draw {
  readonly random: Random;
  constructor(random: Random) {
    this.random = random;
  }
  upTo(most: number): number {
    return Math.floor(this.random() * (most + 1));
  }
  chance(share: number): boolean {
    return this.random() < share;
  }
  one<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }
  some<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(Math.floor(this.random() * left.length), 1),
    ).flat();
  }
}

/** Where a change is drawn. */
export type Place = {
  readonly state: State;
  readonly now: number;
  readonly zone: string;
  /** Who belongs to the team. */
  readonly present: string;
  readonly draw: Draw;
  /** The key of what the change makes. */
  readonly key: string;
};
