// A broadcast's object: tells each recipient once, keeps the pages until they are confirmed, and closes it at its
// deadline. The broadcast itself is D1's, where people write it and answer it; this only sees to what must happen once
// and on time, and looks at D1 anew whenever it does anything.
import { DurableObject } from "cloudflare:workers";
import {
  type BroadcastFacts,
  closeIfAllAnswered,
  moveBroadcast,
  readBroadcast,
} from "../db/broadcast-rows.ts";
import { statement } from "../db/database.ts";
import type { Traces } from "../domain/anonymize.ts";
import { nextOfBroadcast } from "../domain/broadcast.ts";
import type { PageReport } from "../domain/page.ts";
import { retryDelay } from "./alert-storage.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import {
  BroadcastStorage,
  type HeldBroadcast,
  type WatchedBroadcast,
} from "./broadcast-storage.ts";
import { sendAll } from "./send-all.ts";

/** The broadcast is written by then, or about to be (ms). */
const FIRST_LOOK_MS = 300;

/** A broadcast that has not been written by then never was (ms). */
const LONGEST_UNWRITTEN_MS = 600_000;
const LONGEST_PAUSE_MS = 60_000;

export class BroadcastObject extends DurableObject<Cloudflare.Env> {
  readonly #kept: BroadcastStorage;
  #working: Promise<void> | null = null;
  #failures = 0;
  /** Counts confirmations: what D1 said before one is not what it says after it. */
  #confirmations = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#kept = new BroadcastStorage(ctx.storage);
    if (this.#kept.read() !== null) ctx.waitUntil(this.#rearm());
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(): Promise<void> {
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at <= Date.now()) this.#kept.arm(Date.now());
  }

  /** A broadcast is about to be written: should its writer die, it is looked for all the same. */
  async expect(broadcast: WatchedBroadcast): Promise<void> {
    this.#kept.begin(broadcast, Date.now() + FIRST_LOOK_MS);
  }

  /** It has been written, changed, answered for the last time or deleted: does what follows. */
  async look(): Promise<void> {
    this.#kept.lookAt(Date.now());
    await this.#work();
  }

  /** The consumer's word that attempts have been recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    if (this.#kept.read() === null) return;
    const now = Date.now();
    this.#confirmations += 1;
    const left = this.#kept.confirm(reports.map((report) => report.effectId));
    if (left === 0) this.#kept.lookAt(now);
    this.#kept.arm(now);
  }

  /** Takes a person who is erased out of what it holds; how much of it named them. */
  async anonymize(traces: Traces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  override async alarm(): Promise<void> {
    await this.#work();
  }

  /** One at a time; who comes meanwhile waits for one that has begun after. Never throws. */
  async #work(): Promise<void> {
    while (this.#working !== null) await this.#working;
    this.#working = this.#workOnce().finally(() => {
      this.#working = null;
    });
    await this.#working;
  }

  async #workOnce(): Promise<void> {
    try {
      const held = this.#kept.read();
      if (held !== null && held.lookAt !== null && held.lookAt <= Date.now()) await this.#look();
      await this.#handOver();
      this.#failures = 0;
    } catch (error) {
      console.error({ message: "a broadcast waits", error: String(error).slice(0, 200) });
      this.#kept.postpone(Date.now() + retryDelay(this.#failures));
      this.#failures += 1;
    }
    this.#kept.arm(Date.now());
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
      this.#kept.arm(Date.now());
      await sendAll(this.env.PAGES, messages);
    }
  }
}
