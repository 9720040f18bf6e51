// A limit per fixed time window, counted in memory: an eviction of the object resets it.

export class FixedWindowLimit {
  readonly #limit: number;
  readonly #windowMs: number;
  #window = -1;
  #used = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts one use; false if it exceeds the limit of `now`'s window (epoch ms). */
  take(now: number): boolean {
    const window = Math.floor(now / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= this.#limit;
  }
}
