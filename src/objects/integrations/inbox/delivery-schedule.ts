// Schedules the delivery of an inbox's events: those of one `Id` strictly in order, different `Id`s
// in parallel. First events, acknowledges and resolves go at once and before others; repetitions at
// most once a second, in a share of the parallel deliveries. Does not store the events themselves.

/** Minimum interval between deliveries of repetitions of one `Id` (ms). */
const COUNTING_INTERVAL_MS = 1_000;

/** The interval grows by its base value per this many recent `Id`s, to limit the load on D1. */
const IDS_PER_SLOWDOWN = 20;
/** Maximum interval (ms). */
const MAX_COUNTING_INTERVAL_MS = 30_000;

/** Maximum delay of a retry (ms): the event may have to page someone. */
const MAX_RETRY_MS = 10_000;

/** Maximum number of parallel deliveries. */
export const MAX_PARALLEL_DELIVERIES = 24;
/** Of these, the maximum for repetitions: the rest is reserved for events that may page someone. */
export const MAX_REPETITION_DELIVERIES = 8;

/** The number of recent `Id`s above which outdated ones are removed. */
const MAX_REMEMBERED = 5_000;

type Progress = {
  /** Number of pending urgent events. */
  urgent: number;
  /** Not before (epoch ms), unless an urgent event is pending. */
  dueAt: number;
  /** Not before (epoch ms), in any case: set after a failure. */
  retryAt: number;
  failures: number;
  busy: boolean;
  /** The delivery consists of repetitions. */
  counting: boolean;
};

/** Treats an instant beyond the maximum interval as now: the clock was set back. */
const clampDueAt = (at: number, now: number) => (at > now + MAX_COUNTING_INTERVAL_MS ? now : at);

const dueAtOf = ({ urgent, dueAt, retryAt }: Progress, now: number) =>
  clampDueAt(urgent > 0 ? retryAt : Math.max(dueAt, retryAt), now);

export class DeliverySchedule {
  readonly #pending = new Map<string, Progress>();
  readonly #deliveredAt = new Map<string, number>();
  #busy = 0;
  #counting = 0;

  get size(): number {
    return this.#pending.size;
  }

  get busy(): number {
    return this.#busy;
  }

  /** The current interval of repetitions (ms): it grows with the number of recent `Id`s. */
  get #interval(): number {
    const slowdown = 1 + Math.floor(this.#deliveredAt.size / IDS_PER_SLOWDOWN);
    return Math.min(COUNTING_INTERVAL_MS * slowdown, MAX_COUNTING_INTERVAL_MS);
  }

  /** Adds pending events of `id`; `urgent`: how many of them are urgent. */
  add(id: string, urgent: number, now: number): void {
    const deliveredAt = this.#deliveredAt.get(id);
    const dueAt = deliveredAt === undefined ? now : clampDueAt(deliveredAt + this.#interval, now);
    const progress = this.#pending.get(id) ?? {
      urgent: 0,
      dueAt,
      retryAt: 0,
      failures: 0,
      busy: false,
      counting: false,
    };
    progress.urgent += urgent;
    this.#pending.set(id, progress);
  }

  /**
   * Starts the delivery of the next due `Id`: one with an urgent or first event, else one with
   * repetitions. Null if none is due or the maximum is reached.
   */
  take(now: number): string | null {
    if (this.#busy >= MAX_PARALLEL_DELIVERIES) return null;
    let counting: string | null = null;
    for (const [id, progress] of this.#pending) {
      if (progress.busy || dueAtOf(progress, now) > now) continue;
      if (progress.urgent > 0 || !this.#deliveredAt.has(id))
        return this.#start(id, progress, false);
      counting ??= id;
    }
    const progress = counting === null ? undefined : this.#pending.get(counting);
    if (counting === null || !progress) return null;
    if (this.#counting >= MAX_REPETITION_DELIVERIES) return null;
    return this.#start(counting, progress, true);
  }

  #start(id: string, progress: Progress, counting: boolean): string {
    progress.busy = true;
    progress.counting = counting;
    this.#busy += 1;
    if (counting) this.#counting += 1;
    return id;
  }

  /**
   * Ends a successful delivery. `urgent`: how many of the settled events were urgent. The next
   * event after an urgent one is not a repetition and is not delayed.
   */
  done(id: string, settled: { urgent: number; more: boolean }, now: number): void {
    const progress = this.#end(id);
    if (settled.urgent > 0) this.#deliveredAt.delete(id);
    else this.#deliveredAt.set(id, now);
    if (this.#deliveredAt.size > MAX_REMEMBERED) this.#removeOutdated(now);
    if (!progress) return;
    progress.urgent = Math.max(0, progress.urgent - settled.urgent);
    progress.failures = 0;
    progress.dueAt = settled.urgent > 0 ? now : now + this.#interval;
    if (!settled.more) this.#pending.delete(id);
  }

  /** Ends a failed delivery. It is retried with back-off, without a limit. */
  failed(id: string, now: number): void {
    const progress = this.#end(id);
    if (!progress) return;
    progress.retryAt = now + Math.min(250 * 2 ** progress.failures, MAX_RETRY_MS);
    progress.failures += 1;
  }

  #end(id: string): Progress | undefined {
    const progress = this.#pending.get(id);
    if (progress?.busy) {
      progress.busy = false;
      this.#busy -= 1;
      if (progress.counting) this.#counting -= 1;
    }
    return progress;
  }

  /** When the next `Id` is due (epoch ms); null if none is pending. Removes outdated entries. */
  nextDueAt(now: number): number | null {
    this.#removeOutdated(now);
    let next: number | null = null;
    for (const progress of this.#pending.values()) {
      if (progress.busy) continue;
      const due = dueAtOf(progress, now);
      if (next === null || due < next) next = due;
    }
    return next;
  }

  #removeOutdated(now: number): void {
    for (const [id, at] of this.#deliveredAt) {
      if (at + MAX_COUNTING_INTERVAL_MS <= now || at > now) this.#deliveredAt.delete(id);
    }
  }
}
