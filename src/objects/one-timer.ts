// A timer that an object sets as often as it likes and has once. The platform lets an object have 10,000 timers, and
// under load runs them late, one after the other: one for each request of a storm would end in requests refused.

export class OneTimer {
  readonly #run: () => void;
  #pending: { readonly at: number; readonly id: ReturnType<typeof setTimeout> } | null = null;

  /** @param run what it does when it goes off; must not throw */
  constructor(run: () => void) {
    this.#run = run;
  }

  /** Goes off after `ms` (>= 0) at the latest, once for all who asked until then. */
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
