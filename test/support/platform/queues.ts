// Queues in Node: what is sent arrives at the worker's consumer soon after, in batches, and again if it asks for it.
import { randomBytes } from "node:crypto";
import { takeTurn } from "./context.ts";

const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const realNow = Date.now;

type Consumer = {
  readonly max_batch_size: number;
  readonly max_retries: number;
  readonly dead_letter_queue?: string;
};

type SendOptions = { readonly delaySeconds?: number };

type Waiting = {
  readonly id: string;
  readonly body: string;
  readonly timestamp: Date;
  attempts: number;
  dueAt: number;
};

export type Outcome = {
  /** Undefined: neither acknowledged nor to be repeated. */
  decided?: "ack" | "retry";
  delaySeconds?: number;
};

/** A message as the consumer gets it, and what became of it. */
export function messageOf(
  {
    id,
    timestamp,
    body,
    attempts,
  }: { id: string; timestamp: Date; body: unknown; attempts: number },
  outcome: Outcome,
) {
  return {
    ...{ id, timestamp, body, attempts },
    ack() {
      outcome.decided ??= "ack";
    },
    retry({ delaySeconds }: SendOptions = {}) {
      if (outcome.decided !== undefined) return;
      outcome.decided = "retry";
      outcome.delaySeconds = delaySeconds;
    },
  };
}

/** @param consume calls the worker's consumer */
export function openQueues(
  consumers: Readonly<Record<string, Consumer>>,
  consume: (batch: unknown) => Promise<void>,
) {
  const queues = new Map<string, Queue>();

  class Queue {
    readonly #name: string;
    readonly #consumer: Consumer | undefined;
    #waiting: Waiting[] = [];
    #timer: NodeJS.Timeout | undefined;
    #isRunning = false;
    #generation = 0;

    constructor(name: string) {
      this.#name = name;
      this.#consumer = consumers[name];
    }

    reset(): void {
      clearTimer(this.#timer);
      this.#waiting = [];
      this.#isRunning = false;
      this.#generation += 1;
    }

    async send(body: unknown, options: SendOptions = {}) {
      return this.sendBatch([{ body }], options);
    }

    async sendBatch(
      messages: Iterable<{ readonly body: unknown } & SendOptions>,
      options: SendOptions = {},
    ) {
      const sent = [...messages].map(({ body, delaySeconds }) => ({
        ...{ id: randomBytes(16).toString("hex"), body: JSON.stringify(body), attempts: 0 },
        timestamp: new Date(realNow()),
        dueAt: realNow() + 1_000 * (delaySeconds ?? options.delaySeconds ?? 0),
      }));
      await takeTurn();
      this.#waiting.push(...sent);
      this.#schedule();
      await takeTurn();
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    }

    #schedule(): void {
      clearTimer(this.#timer);
      if (this.#isRunning || this.#waiting.length === 0 || !this.#consumer) return;
      const next = Math.min(...this.#waiting.map(({ dueAt }) => dueAt));
      this.#timer = setTimer(() => void this.#deliver(), Math.max(0, next - realNow()));
      this.#timer.unref();
    }

    async #deliver(): Promise<void> {
      const now = realNow();
      const due = this.#waiting.filter(({ dueAt }) => dueAt <= now);
      const batch = due.slice(0, this.#consumer?.max_batch_size);
      if (batch.length === 0) return this.#schedule();
      this.#waiting = this.#waiting.filter((it) => !batch.includes(it));
      const generation = this.#generation;
      this.#isRunning = true;
      await this.#consume(batch);
      if (generation !== this.#generation) return;
      this.#isRunning = false;
      this.#schedule();
    }

    async #consume(batch: readonly Waiting[]): Promise<void> {
      const outcomes = batch.map((): Outcome => ({}));
      const messages = batch.map((it, at) => {
        it.attempts += 1;
        return messageOf({ ...it, body: JSON.parse(it.body) }, outcomes[at] ?? {});
      });
      const decide = (decided: "ack" | "retry") => () => {
        for (const outcome of outcomes) outcome.decided ??= decided;
      };
      const all = { ackAll: decide("ack"), retryAll: decide("retry") };
      await consume({ queue: this.#name, messages, ...all }).then(all.ackAll, all.retryAll);
      batch.forEach((it, at) => {
        const { decided, delaySeconds = 0 } = outcomes[at] ?? {};
        if (decided === "retry") this.#repeat(it, delaySeconds);
      });
    }

    #repeat(message: Waiting, delaySeconds: number): void {
      const { max_retries = 3, dead_letter_queue: dead } = this.#consumer ?? {};
      if (message.attempts <= max_retries) {
        message.dueAt = realNow() + 1_000 * delaySeconds;
        this.#waiting.push(message);
      } else if (dead !== undefined) {
        void queueNamed(dead).send(JSON.parse(message.body));
      }
    }
  }

  function queueNamed(name: string): Queue {
    const queue = queues.get(name) ?? new Queue(name);
    queues.set(name, queue);
    return queue;
  }

  return {
    queueNamed,
    reset: () => {
      for (const queue of queues.values()) queue.reset();
    },
  };
}
