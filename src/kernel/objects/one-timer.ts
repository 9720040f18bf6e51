// A timer that may be requested repeatedly and exists at most once. The platform limits an object
// to 10,000 timers and runs them late under load: one per request would fail requests in a storm.

export class OneTimer {
  readonly #run: () => void;
  #pending: { readonly at: number; readonly id: ReturnType<typeof setTimeout> } | null = null;

  /** @param run called when the timer fires; must not throw */
  constructor(run: () => void) {
    this.#run = run;
  }

  /** Fires after at most `ms` (>= 0), once for all requests until then. */
  within(ms: number): void {
    const at = Date.now() + ms;
    if (this.#pending !== null) {
      if (this.#pending.at <= at) return;
      clearTimeout(this.#pending.id);
    }
    const id = setTimeout(() => {
      this.#pending = null;
      this.#run();
    }, ms);
    this.#pending = { at, id };
  }
}
