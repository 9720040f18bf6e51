// A broadcast's object: tells each recipient once, keeps the pages until they are confirmed, and closes it at its
// deadline. The broadcast itself is D1's, where people write it and answer it; this only sees to what must happen once
// and on time, and looks at D1 anew whenever it does anything.
import {
  type BroadcastFacts,
  closeIfAllAnswered,
  moveBroadcast,
  readBroadcast,
} from "../db/broadcast-rows.ts";
import { statement } from "../db/database.ts";
import { nextOfBroadcast } from "../domain/broadcast.ts";
import type { PageReport } from "../domain/page.ts";
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { BroadcastStorage, type HeldBroadcast } from "./broadcast-storage.ts";
import type { BroadcastStub, WatchedBroadcast } from "./rpc.ts";
import { sendAll } from "./send-all.ts";

/** The broadcast is written by then, or about to be (ms). */
const FIRST_LOOK_MS = 300;

/** A broadcast that has not been written by then never was (ms). */
const LONGEST_UNWRITTEN_MS = 600_000;
const LONGEST_PAUSE_MS = 60_000;

export class BroadcastObject extends AlarmObject implements BroadcastStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a broadcast waits",
    nextAt: () => this.#kept.nextAt(),
    run: () => this.#run(),
  };
  readonly #kept = new BroadcastStorage(this.ctx.storage);
  #running: Promise<void> | null = null;
  /** Counts confirmations: what D1 said before one is not what it says after it. */
  #confirmations = 0;

  /** A broadcast is about to be written: should its writer die, it is looked for all the same. */
  async expect(broadcast: WatchedBroadcast): Promise<void> {
    if (this.#kept.read() !== null) return;
    this.#kept.begin(broadcast, Date.now() + FIRST_LOOK_MS);
    this.arm();
  }

  /** It has been written, changed, answered for the last time or deleted: does what follows. */
  async look(): Promise<void> {
    this.#kept.lookAt(Date.now());
    await this.alarm();
  }

  /** The consumer's word that attempts have been recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    if (this.#kept.read() === null) return;
    this.#confirmations += 1;
    const left = this.#kept.confirm(reports.map((report) => report.effectId));
    if (left === 0) this.#kept.lookAt(Date.now());
    this.arm();
  }

  /** One at a time; who comes meanwhile waits for one that has begun after. */
  async #run(): Promise<void> {
    while (this.#running !== null) await this.#running;
    const run = this.#runOnce();
    const over = () => {
      this.#running = null;
    };
    this.#running = run.then(over, over);
    await run;
  }

  async #runOnce(): Promise<void> {
    const held = this.#kept.read();
    if (held !== null && held.lookAt !== null && held.lookAt <= Date.now()) await this.#look();
    await this.#handOver();
  }

  /** Compares what D1 says with what was done, and does the rest. */
  async #look(): Promise<void> {
    for (;;) {
      const held = this.#kept.read();
      if (held === null) return;
      const before = this.#confirmations;
      const facts = await readBroadcast(this.env.DB, held.accountId, held.id);
      if (before !== this.#confirmations) continue;
      if (facts === null) this.#missing(held, Date.now());
      else await this.#step(held.id, facts, Date.now());
      return;
    }
  }

  /** It has been deleted, or is not written yet. */
  #missing({ hasBegun, since }: HeldBroadcast, now: number): void {
    if (hasBegun || since + LONGEST_UNWRITTEN_MS < now) this.#kept.forget();
    else this.#kept.postpone(now + Math.min(now - since + FIRST_LOOK_MS, LONGEST_PAUSE_MS));
  }

  async #step(id: string, facts: BroadcastFacts, now: number): Promise<void> {
    const { question, recipients, content, sent, waiting } = facts;
    const wasOver = question.status === "closed" || question.status === "errored";
    // Whoever closed it wants nobody to be told any more.
    if (wasOver && !this.#kept.read()?.isEnding) {
      this.#kept.forget();
      return;
    }
    const progress = {
      told: this.#kept.told(),
      unconfirmed: this.#kept.unconfirmed(),
      sent,
      waiting,
    };
    const step = nextOfBroadcast(question, recipients, progress, now);
    const isOver = step.status === "closed" || step.status === "errored";
    this.#kept.commit(content, step, now);
    if (!wasOver) {
      const writes = [moveBroadcast(id, step.status, now), closeIfAllAnswered(id, now)];
      await this.env.DB.batch(writes.map((query) => statement(this.env.DB, query)));
    }
    if (isOver && this.#kept.unconfirmed() === 0) this.#kept.forget();
  }

  /** Hands pages to the queue; they stay until the consumer confirms them. */
  async #handOver(): Promise<void> {
    for (;;) {
      const messages = this.#kept.pagesDue(Date.now());
      if (messages.length === 0) return;
      this.arm();
      await sendAll(this.env.PAGES, messages);
    }
  }
}
