// Runs the reopening of an alert apart from what depends on whether it is open: its sender's events,
// its release, another alert's claim. They wait for it.
export class Reopening {
  #running: Promise<void> | null = null;
  readonly #onEnd: () => void;

  /** @param onEnd called after each reopening, whether it succeeded or not */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Waits until no reopening is running. Never throws. */
  async ended(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /**
   * Runs a reopening after those before it, and after what must not run beside it: the other waits
   * for events, which wait for a reopening.
   *
   * @param other what must not run beside it; null if it is not running
   */
  async run<Result>(
    reopen: () => Promise<Result>,
    other: () => Promise<void> | null,
  ): Promise<Result> {
    for (;;) {
      await this.ended();
      const running = other();
      if (running === null) break;
      await running;
    }
    const result = reopen();
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#running = settled.finally(() => {
      this.#running = null;
      this.#onEnd();
    });
    return result;
  }
}
