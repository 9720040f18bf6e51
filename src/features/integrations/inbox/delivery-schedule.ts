// Schedules the delivery of an inbox's events: those of one `Id` strictly in order, different `Id`s
// in parallel. First events, acknowledges and resolves go at once and before others; repetitions at
// most once a second, in a share of the parallel deliveries. Does not store the events themselves.
// The next `Id` is found without looking at the others, of which a storm leaves thousands pending.
import { Heap } from "../../../kernel/objects/heap.ts";

/**
 * Delay of a delivery after its event was stored (ms): the reply leaves first. A new alert's object
 * may be created on the same thread, which would keep the sender waiting.
 */
export const DELIVERY_DELAY_MS = 2;

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
/**
 * Of these, the maximum for repetitions: the rest is reserved for events that may page someone. More
 * of them would make a storm end later, since they compete with the events that are being accepted.
 */
export const MAX_REPETITION_DELIVERIES = 2;

/** The number of recent `Id`s above which outdated ones are removed. */
const MAX_REMEMBERED = 5_000;

type Progress = {
  readonly id: string;
  /** The order in which the `Id`s became pending: the earlier goes first. */
  readonly turn: number;
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
  /** The entry in a heap that counts; older ones are skipped. */
  entry: HeapEntry | null;
};

/** A place in one of the heaps. */
type HeapEntry = { readonly progress: Progress };

/** Treats an instant beyond the maximum interval as now: the clock was set back. */
const clampDueAt = (at: number, now: number) => (at > now + MAX_COUNTING_INTERVAL_MS ? now : at);

const dueAtOf = ({ urgent, dueAt, retryAt }: Progress, now: number) =>
  clampDueAt(urgent > 0 ? retryAt : Math.max(dueAt, retryAt), now);

/** The first entry that counts; removes those before it. */
function firstOf(heap: Heap<HeapEntry>): HeapEntry | null {
  for (let entry = heap.first; entry !== null; entry = heap.first) {
    if (entry.progress.entry === entry) return entry;
    heap.pop();
  }
  return null;
}

export class DeliverySchedule {
  readonly #pending = new Map<string, Progress>();
  /** When an `Id` was delivered last (epoch ms), the oldest first. */
  readonly #deliveredAt = new Map<string, number>();
  /** Due: urgent and first events, and repetitions, by turn. Not due yet, by when they are. */
  readonly #first = new Heap<HeapEntry>();
  readonly #repeated = new Heap<HeapEntry>();
  #later = new Heap<HeapEntry>();
  #turns = 0;
  #busy = 0;
  #counting = 0;
  #latest = 0;

  get size(): number {
    return this.#pending.size;
  }

  get busy(): number {
    return this.#busy;
  }

  /** Whether events of `id` are pending. */
  has(id: string): boolean {
    return this.#pending.has(id);
  }

  /** The current interval of repetitions (ms): it grows with the number of recent `Id`s. */
  get #interval(): number {
    const slowdown = 1 + Math.floor(this.#deliveredAt.size / IDS_PER_SLOWDOWN);
    return Math.min(COUNTING_INTERVAL_MS * slowdown, MAX_COUNTING_INTERVAL_MS);
  }

  /** Adds pending events of `id`; `urgent`: how many of them are urgent. */
  add(id: string, urgent: number, now: number): void {
    const known = this.#pending.get(id);
    if (known) {
      const wasUrgent = known.urgent > 0;
      known.urgent += urgent;
      if (urgent > 0 && !wasUrgent && !known.busy) this.#enqueue(known, now);
      return;
    }
    const deliveredAt = this.#deliveredAt.get(id);
    const dueAt = deliveredAt === undefined ? now : clampDueAt(deliveredAt + this.#interval, now);
    this.#turns += 1;
    const progress: Progress = {
      ...{ id, turn: this.#turns, urgent, dueAt, retryAt: 0, failures: 0 },
      ...{ busy: false, counting: false, entry: null },
    };
    this.#pending.set(id, progress);
    this.#enqueue(progress, now);
  }

  /** Puts a pending `Id` in the heap that it belongs to. */
  #enqueue(progress: Progress, now: number): void {
    const entry = { progress };
    progress.entry = entry;
    const due = dueAtOf(progress, now);
    if (due > now) this.#later.push(due, entry);
    else if (this.#isRepetition(progress)) this.#repeated.push(progress.turn, entry);
    else this.#first.push(progress.turn, entry);
  }

  #isRepetition({ id, urgent }: Progress): boolean {
    return urgent === 0 && this.#deliveredAt.has(id);
  }

  /** Moves what has become due. After the clock was set back, everything is placed anew. */
  #moveDue(now: number): void {
    if (now < this.#latest) {
      this.#later = new Heap();
      for (const progress of this.#pending.values()) {
        if (!progress.busy) this.#enqueue(progress, now);
      }
    }
    this.#latest = now;
    for (;;) {
      const entry = firstOf(this.#later);
      if (entry === null || (this.#later.lowest ?? 0) > now) return;
      this.#later.pop();
      this.#enqueue(entry.progress, now);
    }
  }

  /**
   * Starts the delivery of the next due `Id`: one with an urgent or first event, else one with
   * repetitions. Null if none is due or the maximum is reached.
   */
  take(now: number): string | null {
    if (this.#busy >= MAX_PARALLEL_DELIVERIES) return null;
    this.#moveDue(now);
    const first = firstOf(this.#first);
    if (first !== null) return this.#start(first.progress, false);
    const repeated = firstOf(this.#repeated);
    if (repeated === null || this.#counting >= MAX_REPETITION_DELIVERIES) return null;
    return this.#start(repeated.progress, true);
  }

  #start(progress: Progress, counting: boolean): string {
    progress.entry = null;
    progress.busy = true;
    progress.counting = counting;
    this.#busy += 1;
    if (counting) this.#counting += 1;
    return progress.id;
  }

  /**
   * Ends a successful delivery. `urgent`: how many of the settled events were urgent. The next
   * event after an urgent one is not a repetition and is not delayed.
   */
  done(id: string, settled: { urgent: number; more: boolean }, now: number): void {
    const progress = this.#end(id);
    this.#deliveredAt.delete(id);
    if (settled.urgent === 0) this.#deliveredAt.set(id, now);
    if (this.#deliveredAt.size > MAX_REMEMBERED) this.#removeOutdated(now);
    if (!progress) return;
    progress.urgent = Math.max(0, progress.urgent - settled.urgent);
    progress.failures = 0;
    progress.dueAt = settled.urgent > 0 ? now : now + this.#interval;
    if (settled.more) this.#enqueue(progress, now);
    else this.#pending.delete(id);
  }

  /** Ends a failed delivery. It is retried with back-off, without a limit. */
  failed(id: string, now: number): void {
    const progress = this.#end(id);
    if (!progress) return;
    progress.retryAt = now + Math.min(250 * 2 ** progress.failures, MAX_RETRY_MS);
    progress.failures += 1;
    this.#enqueue(progress, now);
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
    this.#moveDue(now);
    if (firstOf(this.#first) !== null || firstOf(this.#repeated) !== null) return now;
    return firstOf(this.#later) === null ? null : this.#later.lowest;
  }

  #removeOutdated(now: number): void {
    for (const [id, at] of this.#deliveredAt) {
      if (at + MAX_COUNTING_INTERVAL_MS > now && at <= now) return;
      this.#deliveredAt.delete(id);
      const progress = this.#pending.get(id);
      if (progress && !progress.busy) this.#enqueue(progress, now);
    }
  }
}
