// A broadcast's object: notifies each recipient once, stores the pages until they are confirmed,
// and closes the broadcast at its deadline. The broadcast itself is stored in D1, where people
// write and answer it; the object reads it again for each step.

import { nextBroadcastStep } from "../../../domain/broadcasts/broadcast.ts";
import type { PageReport } from "../../../domain/notifications/page.ts";
import { batch } from "../../../kernel/db/select.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { sendDue } from "../../../kernel/objects/outbox.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import type { BroadcastStub, WatchedBroadcast } from "../../rpc.ts";
import { BroadcastStorage, type ObservedBroadcast } from "./broadcast-storage.ts";
import {
  type BroadcastFacts,
  closeIfAllAnswered,
  readBroadcast,
  setBroadcastStatus,
} from "./rows.ts";

/** Delay of the first check (ms): by then the broadcast is written, or about to be. */
const FIRST_CHECK_MS = 300;

/** A broadcast that is not written by then never will be (ms). */
const MAX_UNWRITTEN_MS = 600_000;
const MAX_PAUSE_MS = 60_000;

export class BroadcastObject extends AlarmObject implements BroadcastStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "broadcast",
    failure: "a broadcast is postponed",
    nextAt: () => this.#storage.nextAt(),
    run: () => this.#steps.run(() => this.#step()),
  };
  readonly #storage = new BroadcastStorage(this.ctx.storage);
  /** A call during a step waits for it, and then runs a step itself. */
  readonly #steps = new SerialQueue();
  /** Number of confirmations: a check that reads D1 during one must read it again. */
  #confirmations = 0;

  /** Expects a broadcast, before it is written: it is processed even if its writer dies. */
  async expect(broadcast: WatchedBroadcast): Promise<void> {
    if (this.#storage.read() !== null) return;
    this.#storage.start(broadcast, Date.now() + FIRST_CHECK_MS);
    this.arm();
  }

  /** Checks the broadcast after it was written, changed, answered by everyone or deleted. */
  async refresh(): Promise<void> {
    this.#storage.checkAt(Date.now());
    await this.alarm();
  }

  /** Removes pages whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    if (this.#storage.read() === null) return;
    this.#confirmations += 1;
    const left = this.#storage.confirm(reports.map((report) => report.effectId));
    if (left === 0) this.#storage.checkAt(Date.now());
    this.arm();
  }

  async #step(): Promise<void> {
    const stored = this.#storage.read();
    const isDue = stored !== null && stored.checkAt !== null && stored.checkAt <= Date.now();
    if (isDue) await this.#check();
    await this.#sendPages();
  }

  /** Compares the broadcast in D1 with what was done, and does the rest. */
  async #check(): Promise<void> {
    for (;;) {
      const stored = this.#storage.read();
      if (stored === null) return;
      const before = this.#confirmations;
      const facts = await readBroadcast(this.env.DB, stored.accountId, stored.id);
      if (before !== this.#confirmations) continue;
      if (facts === null) this.#handleMissing(stored, Date.now());
      else await this.#apply(stored.id, facts, Date.now());
      return;
    }
  }

  /** The broadcast is deleted, or not written yet. */
  #handleMissing({ hasBegun, since }: ObservedBroadcast, now: number): void {
    if (hasBegun || since + MAX_UNWRITTEN_MS < now) this.#storage.deleteAll();
    else this.#storage.postpone(now + Math.min(now - since + FIRST_CHECK_MS, MAX_PAUSE_MS));
  }

  async #apply(id: string, facts: BroadcastFacts, now: number): Promise<void> {
    const { question, recipients, content, sent, waiting } = facts;
    const wasOver = question.status === "closed" || question.status === "errored";
    // A person closed it: nobody else is notified.
    if (wasOver && !this.#storage.read()?.isEnding) {
      this.#storage.deleteAll();
      return;
    }
    const progress = {
      notified: this.#storage.notifiedIds(),
      unconfirmed: this.#storage.unconfirmed(),
      sent,
      waiting,
    };
    const step = nextBroadcastStep(question, recipients, progress, now);
    const isOver = step.status === "closed" || step.status === "errored";
    this.#storage.commit(content, step, now);
    if (!wasOver) {
      const writes = [setBroadcastStatus(id, step.status, now), closeIfAllAnswered(id, now)];
      await batch(this.env.DB, writes);
    }
    if (isOver && this.#storage.unconfirmed() === 0) this.#storage.deleteAll();
  }

  /** Sends pages to the queue; they stay stored until the consumer confirms them. */
  #sendPages(): Promise<void> {
    return sendDue({
      ...{ store: this.#storage.pages, queue: pagesQueue(this.env), arm: this.arm },
      messagesOf: (recipients) => this.#storage.messagesOf(recipients),
    });
  }
}
