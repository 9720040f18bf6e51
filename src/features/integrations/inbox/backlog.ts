// Bounds what an inbox accepts faster than it is to be handled. A storm is accepted whole; above the
// first bound only events of `Id`s that are known are, above the second none. Senders repeat what is
// refused (contract 3, Answers of the receiver).
import { SECOND } from "../../../domain/shared/time.ts";

/** Events per second that a sender may send without end. */
const RATE = 100;

/** An event takes some 600 bytes of memory until its log is written, and its request on disk. */
const BOUNDS = {
  /** For events of new `Id`s. */
  new: { events: 20_000, bytes: 500_000_000 },
  /** For every request. */
  all: { events: 60_000, bytes: 1_000_000_000 },
} as const;

/** What is stored and waits: events, and bytes. */
type Stored = { readonly events: number; readonly bytes: number };

export class Backlog {
  readonly #env: Pick<Cloudflare.Env, "RATE_LIMITS">;
  readonly #stored: () => Stored;
  /** Events accepted ahead of `RATE`, as of `#at` (epoch ms). In memory: an eviction forgets it. */
  #ahead = 0;
  #at = 0;

  constructor(env: Pick<Cloudflare.Env, "RATE_LIMITS">, stored: () => Stored) {
    this.#env = env;
    this.#stored = stored;
  }

  /** Counts accepted events. `now` in epoch ms. */
  add(events: number, now: number): void {
    // A clock that was set back drains nothing.
    const drained = (Math.max(0, now - this.#at) / SECOND) * RATE;
    this.#ahead = Math.max(0, this.#ahead - drained) + events;
    this.#at = now;
  }

  /** The highest bound that is reached, if any. `RATE_LIMITS = "off"` lifts that of the rate, not of what is stored. */
  reached(now: number): keyof typeof BOUNDS | null {
    this.add(0, now);
    const { events, bytes } = this.#stored();
    const ahead = this.#env.RATE_LIMITS === "off" ? 0 : this.#ahead;
    const isOver = (most: Stored) => Math.max(events, ahead) >= most.events || bytes >= most.bytes;
    if (isOver(BOUNDS.all)) return "all";
    return isOver(BOUNDS.new) ? "new" : null;
  }
}
