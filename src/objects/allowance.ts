// A number of times within a fixed window, counted in memory: for what may be counted anew after an eviction.

export class Allowance {
  readonly #most: number;
  readonly #windowMs: number;
  #window = -1;
  #taken = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Takes one; false where the window of `now` (epoch ms) has none left. */
  take(now: number): boolean {
    const window = Math.floor(now / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#taken = 0;
    }
    this.#taken += 1;
    return this.#taken <= this.#most;
  }
}
