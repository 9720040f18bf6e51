// What an alert's object owes others, brought to them: its pages to the queue, its state and story to D1. Decides
// nothing; whatever is refused stays in the object's storage, and its alarm tries again.
import { projectionOf } from "../db/alert-rows.ts";
import { statement } from "../db/database.ts";
import type { Alert, LogEntry } from "../domain/alert.ts";
import { pageMessage } from "../domain/page-message.ts";
import type { AlertStorage } from "./alert-storage.ts";
import { sendAll } from "./send-all.ts";

export class AlertOutbox {
  readonly #env: Cloudflare.Env;
  readonly #kept: AlertStorage;
  #projecting: Promise<boolean> | null = null;

  constructor(env: Cloudflare.Env, kept: AlertStorage) {
    this.#env = env;
    this.#kept = kept;
  }

  /**
   * Hands the outbox's pages to the queue. They stay in it until the consumer confirms them. Noted before the
   * sending, so that no second hand-over, and no alarm, takes what a slow queue has in hand.
   */
  async handOver(): Promise<void> {
    for (;;) {
      const alert = this.#kept.read();
      const rows = this.#kept.pagesDue(Date.now());
      if (alert === null || rows.length === 0) return;
      this.#kept.handingOver(rows, Date.now());
      this.#kept.arm(alert, Date.now());
      const request = this.#kept.request();
      const messages = rows.map(({ page }) => pageMessage(alert, request, page));
      const taken = await sendAll(this.#env.PAGES, messages).then(
        () => true,
        () => false,
      );
      if (taken) continue;
      this.#kept.notTaken(rows, Date.now());
      this.#kept.arm(this.#kept.read() ?? alert, Date.now());
      return;
    }
  }

  /** Writes to D1 what readers have not yet; steps taken meanwhile go in one more write. */
  project(): Promise<boolean> {
    this.#projecting ??= this.#projectAll().finally(() => {
      this.#projecting = null;
    });
    return this.#projecting;
  }

  /** For callers who wait: a projection that was ending as the step was taken does not count. */
  async projectNow(): Promise<void> {
    while ((await this.project()) && this.#kept.unprojected() !== null);
  }

  async #projectAll(): Promise<boolean> {
    for (;;) {
      const pending = this.#kept.unprojected();
      if (pending === null) return true;
      const projected = await this.#projectOnce(pending.alert, pending.log);
      if (!projected) this.#kept.projectionFailed(Date.now());
      this.#kept.arm(this.#kept.read() ?? pending.alert, Date.now());
      if (!projected) return false;
    }
  }

  async #projectOnce(alert: Alert, log: readonly LogEntry[]): Promise<boolean> {
    try {
      const { DB } = this.#env;
      await DB.batch(projectionOf(alert, log).map((query) => statement(DB, query)));
      this.#kept.projected(alert.version, log);
      return true;
    } catch (error) {
      console.error({
        message: "an alert could not be projected",
        error: String(error).slice(0, 200),
      });
      return false;
    }
  }
}
