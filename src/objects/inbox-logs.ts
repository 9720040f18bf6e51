// The logs of an inbox's requests, written to D1 in batches: at once, or a second later with what has come by then. A
// storm is not to drown D1, and what it refuses stays in the inbox's storage.
import { statement } from "../db/database.ts";
import { noteReceived, writeRequestLogs } from "../db/request-log-rows.ts";
import type { InboxStorage } from "./inbox-storage.ts";
import { OneTimer } from "./one-timer.ts";

/** Logs are written to D1 this often at most (ms). */
const INTERVAL_MS = 1_000;
/** Logs written to D1 at a time. */
const BATCH = 50;
/** How long after a refusal they are tried again at first, and at most (ms). */
const RETRY_MS = [1_000, 60_000] as const;

/** What the inbox does for its logs. */
export type LogKeeper = {
  /** Lets the object live until the promise settles. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Wakes the inbox at the instant (epoch ms) at the latest. */
  readonly wakeBefore: (at: number) => void;
  /** D1 has learned that the integration receives: it is read again. */
  readonly reload: () => Promise<unknown>;
};

export class InboxLogs {
  readonly #database: D1Database;
  readonly #kept: InboxStorage;
  readonly #keeper: LogKeeper;
  #writing = false;
  #writtenAt = 0;
  readonly #soon = new OneTimer(() => this.#keeper.waitUntil(this.write()));
  #failures = 0;

  constructor(database: D1Database, kept: InboxStorage, keeper: LogKeeper) {
    this.#database = database;
    this.#kept = kept;
    this.#keeper = keeper;
  }

  /** How long to wait before they are tried again (ms). */
  get wait(): number {
    return Math.min(RETRY_MS[0] * 2 ** this.#failures, RETRY_MS[1]);
  }

  /** Writes them now, or soon after the last time. */
  writeSoon(now: number): void {
    // A clock that has been put back since is no reason to wait longer.
    const wait = Math.min(this.#writtenAt + INTERVAL_MS - now, INTERVAL_MS);
    if (wait <= 0) {
      this.#keeper.waitUntil(this.write());
    } else {
      this.#soon.within(wait);
    }
  }

  /** Writes the logs of settled requests until there are none or D1 refuses. Never throws. */
  async write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    try {
      while (await this.#writeSome());
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      console.error({
        message: "request logs could not be written",
        error: String(error).slice(0, 200),
      });
      this.#keeper.wakeBefore(Date.now() + this.wait);
    } finally {
      this.#writing = false;
    }
  }

  /** One batch; false when there was nothing to write. */
  async #writeSome(): Promise<boolean> {
    const rows = this.#kept.settled(BATCH);
    const configuration = this.#kept.configuration()?.body;
    if (rows.length === 0 || !configuration) return false;
    const { accountId, id, receivedAt } = configuration;
    const queries = writeRequestLogs(accountId, id, rows);
    const noted = receivedAt === null ? [noteReceived(id, Date.now())] : [];
    await this.#database.batch(
      [...queries, ...noted].map((query) => statement(this.#database, query)),
    );
    this.#kept.forget(rows);
    this.#writtenAt = Date.now();
    if (receivedAt === null) await this.#keeper.reload();
    return true;
  }
}
