// When which `Id`'s events are handed on: those of one `Id` strictly in order, different ones side by side.
// First events, acknowledges and resolves go at once, and before others; what only counts goes at most once a second,
// and never keeps them from a free hand. Holds no event and decides nothing: `integration-inbox.ts` does, lane by lane.

/** Duplicates of one `Id` are handed on at most this often (ms). */
const COUNTING_INTERVAL_MS = 1_000;

/** In a storm of so many `Id`s half as often, of twice as many a third as often, and so on: D1 is not to drown. */
const STORM_OF_IDS = 20;
/** What only counts waits this long at most (ms). */
const LONGEST_COUNTING_INTERVAL_MS = 30_000;

/** Somebody may be asleep while an event waits: it is tried again this often at least (ms). */
const LONGEST_RETRY_MS = 10_000;

/** How many `Id`s are handed on side by side. */
export const SIDE_BY_SIDE = 24;
/** Of these, how many at most of what only counts: there is always a hand free for what wakes somebody. */
export const COUNTING_SIDE_BY_SIDE = 8;

/** How many `Id`s handed on lately are remembered before the old ones are looked for and forgotten. */
const MOST_REMEMBERED = 5_000;

type Progress = {
  /** How many events wait that must not. */
  urgent: number;
  /** Not before (epoch ms), unless something urgent waits. */
  dueAt: number;
  /** Not before, whatever waits: something failed. */
  retryAt: number;
  failures: number;
  busy: boolean;
  /** Taken in hand for what only counts. */
  counting: boolean;
};

/** An instant farther off than anything waits is of a clock that has been put back since: it is now. */
const soon = (at: number, now: number) => (at > now + LONGEST_COUNTING_INTERVAL_MS ? now : at);

const dueOf = ({ urgent, dueAt, retryAt }: Progress, now: number) =>
  soon(urgent > 0 ? retryAt : Math.max(dueAt, retryAt), now);

export class Lanes {
  readonly #waiting = new Map<string, Progress>();
  readonly #handedAt = new Map<string, number>();
  #busy = 0;
  #counting = 0;

  get size(): number {
    return this.#waiting.size;
  }

  get busy(): number {
    return this.#busy;
  }

  /** How long duplicates wait now (ms): the longer, the more `Id`s have been handed on lately. */
  get #interval(): number {
    const storm = 1 + Math.floor(this.#handedAt.size / STORM_OF_IDS);
    return Math.min(COUNTING_INTERVAL_MS * storm, LONGEST_COUNTING_INTERVAL_MS);
  }

  /** Notes that events of `id` wait; `urgent`: how many of them must not. */
  add(id: string, urgent: number, now: number): void {
    const handedAt = this.#handedAt.get(id);
    const dueAt = handedAt === undefined ? now : soon(handedAt + this.#interval, now);
    const progress = this.#waiting.get(id) ?? {
      urgent: 0,
      dueAt,
      retryAt: 0,
      failures: 0,
      busy: false,
      counting: false,
    };
    progress.urgent += urgent;
    this.#waiting.set(id, progress);
  }

  /**
   * The next lane whose time has come, taken in hand: one with an answer or a first event, else one that only counts.
   * Null when there is none, or enough are in hand.
   */
  take(now: number): string | null {
    if (this.#busy >= SIDE_BY_SIDE) return null;
    let counting: string | null = null;
    for (const [id, progress] of this.#waiting) {
      if (progress.busy || dueOf(progress, now) > now) continue;
      if (progress.urgent > 0 || !this.#handedAt.has(id)) return this.#seize(id, progress, false);
      counting ??= id;
    }
    const progress = counting === null ? undefined : this.#waiting.get(counting);
    if (counting === null || !progress) return null;
    if (this.#counting >= COUNTING_SIDE_BY_SIDE) return null;
    return this.#seize(counting, progress, true);
  }

  #seize(id: string, progress: Progress, counting: boolean): string {
    progress.busy = true;
    progress.counting = counting;
    this.#busy += 1;
    if (counting) this.#counting += 1;
    return id;
  }

  /**
   * Gives a lane back after a hand-over. `urgent`: how many of the settled events were urgent. After such a one
   * the next is no mere repetition: it does not wait.
   */
  done(id: string, settled: { urgent: number; more: boolean }, now: number): void {
    const progress = this.#release(id);
    if (settled.urgent > 0) this.#handedAt.delete(id);
    else this.#handedAt.set(id, now);
    if (this.#handedAt.size > MOST_REMEMBERED) this.#forget(now);
    if (!progress) return;
    progress.urgent = Math.max(0, progress.urgent - settled.urgent);
    progress.failures = 0;
    progress.dueAt = settled.urgent > 0 ? now : now + this.#interval;
    if (!settled.more) this.#waiting.delete(id);
  }

  /** Gives a lane back after a failure: tried again later, for ever, with back-off. */
  failed(id: string, now: number): void {
    const progress = this.#release(id);
    if (!progress) return;
    progress.retryAt = now + Math.min(250 * 2 ** progress.failures, LONGEST_RETRY_MS);
    progress.failures += 1;
  }

  #release(id: string): Progress | undefined {
    const progress = this.#waiting.get(id);
    if (progress?.busy) {
      progress.busy = false;
      this.#busy -= 1;
      if (progress.counting) this.#counting -= 1;
    }
    return progress;
  }

  /** When the next lane is due (epoch ms), null when none waits. Forgets what no longer matters. */
  nextDueAt(now: number): number | null {
    this.#forget(now);
    let next: number | null = null;
    for (const progress of this.#waiting.values()) {
      if (progress.busy) continue;
      const due = dueOf(progress, now);
      if (next === null || due < next) next = due;
    }
    return next;
  }

  #forget(now: number): void {
    for (const [id, at] of this.#handedAt) {
      if (at + LONGEST_COUNTING_INTERVAL_MS <= now || at > now) this.#handedAt.delete(id);
    }
  }
}
