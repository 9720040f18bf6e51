// The one alarm of an inbox. While any event is stored, it is set or its handler is running and sets
// the next one: whenever the object dies, the alarm restarts it, and it resumes with what is stored.
// It is set for the earliest of what waits.

/** Delay of the alarm that resumes delivery if the object dies; set in the events' commit (ms). */
export const RECOVERY_MS = 1_000;

export class InboxAlarm {
  readonly #storage: DurableObjectStorage;
  /** When it fires (epoch ms); null: it is not set, or nobody has read it since the object woke. */
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** After the object woke: sets a missing or past-due alarm, since a past-due one may not fire. */
  async restore(): Promise<void> {
    const stored = await this.#storage.getAlarm();
    const now = Date.now();
    if (stored === null || stored <= now) this.recover(now);
    else if (this.#at === null) this.#at = stored;
    // Something later was set before the stored time was known.
    else if (stored < this.#at) this.set(stored);
  }

  /** Its handler runs. */
  started(): void {
    this.#at = null;
  }

  /** Resumes what was accepted at `now` (epoch ms) if the object dies. */
  recover(now: number): void {
    this.before(now + RECOVERY_MS, now);
  }

  /**
   * Sets it for `at` unless it is set for then or earlier: each write is billed. One that is due
   * is not put off; if it has not fired for a while it is set again.
   */
  before(at: number, now: number): void {
    if (this.#at === null || this.#at > at) this.set(at);
    else if (this.#at + RECOVERY_MS < now) this.set(now);
  }

  set(at: number): void {
    this.#at = at;
    void this.#storage.setAlarm(at);
  }
}
