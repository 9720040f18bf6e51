// Writes the logs of an inbox's requests to D1 in batches: at once, or after an interval together
// with later ones, which limits the load on D1. What D1 refuses stays in the inbox's storage. On the free plan they are not
// written while they yield to pages.

import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { reportIfFull } from "../../../kernel/metrics/report-full.ts";
import { OneTimer } from "../../../kernel/objects/one-timer.ts";
import type { InboxStorage } from "./inbox-storage.ts";
import { NOT_UNDERSTOOD } from "./outcomes.ts";
import {
  markNotUnderstood,
  markReceived,
  type RequestLog,
  writeRequestLogs,
} from "./request-log-rows.ts";
import type { SettledEvent } from "./stored-events.ts";

/** Minimum interval between writes to D1 (ms). */
const INTERVAL_MS = 1_000;
/** Maximum number of logs per write. */
const BATCH_SIZE = 100;
/** Maximum size of the requests of a write (characters): D1 limits a parameter to 2 MB. */
const MAX_REQUESTS = 500_000;
/** The first and the maximum delay of a retry (ms). */
const RETRY_MS = [1_000, 60_000] as const;

/** Functions of the inbox that its logs use. */
export type InboxFunctions = {
  /** Keeps the object alive until the promise settles. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Wakes the inbox at `at` (epoch ms) or earlier. */
  readonly wakeBefore: (at: number) => void;
  /** Reads the configuration again, after D1 recorded that the integration receives events. */
  readonly reload: () => Promise<unknown>;
  /** Whether logs yield to pages now, so that they are not written. */
  readonly isPaused: () => Promise<boolean>;
};

export class InboxLogs {
  readonly #database: D1Database;
  readonly #storage: InboxStorage;
  readonly #inbox: InboxFunctions;
  #writing = false;
  #writtenAt = 0;
  readonly #writeTimer = new OneTimer(() => this.#inbox.waitUntil(this.write()));
  #failures = 0;

  constructor(database: D1Database, storage: InboxStorage, inbox: InboxFunctions) {
    this.#database = database;
    this.#storage = storage;
    this.#inbox = inbox;
  }

  /** Delay before the next retry (ms). */
  get retryDelay(): number {
    return Math.min(RETRY_MS[0] * 2 ** this.#failures, RETRY_MS[1]);
  }

  /** Writes logs now, or once the interval since the last write has passed. */
  writeSoon(now: number): void {
    // Limited in case the clock was set back since the last write.
    const wait = Math.min(this.#writtenAt + INTERVAL_MS - now, INTERVAL_MS);
    if (wait <= 0) {
      this.#inbox.waitUntil(this.write());
    } else {
      this.#writeTimer.within(wait);
    }
  }

  /** Writes the logs of settled requests until none is left or D1 refuses. Never throws. */
  async write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    try {
      while (await this.#writeBatch());
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      reportIfFull(error);
      logFault("request logs could not be written", error);
      this.#inbox.wakeBefore(Date.now() + this.retryDelay);
    } finally {
      this.#writing = false;
    }
  }

  /** Writes one batch; false if there was nothing to write. */
  async #writeBatch(): Promise<boolean> {
    const { events, logs } = this.#nextBatch();
    const configuration = this.#storage.configuration()?.body;
    if (events.length === 0 || !configuration) return false;
    const { accountId, id, receivedAt } = configuration;
    const now = Date.now();
    // Not postponed: as long as an event is stored here, its alert's object waits for it to be gone.
    if (receivedAt !== null && (await this.#inbox.isPaused())) {
      this.#storage.deleteLogged(events);
      return true;
    }
    const queries = writeRequestLogs(accountId, id, logs, now);
    const received = receivedAt === null ? [markReceived(id, now)] : [];
    const unknown = logs.filter(({ outcome }) => outcome.startsWith(NOT_UNDERSTOOD)).slice(-1);
    const warned = unknown.map(({ acceptedAt }) => markNotUnderstood(id, acceptedAt));
    await this.#database.batch(
      [...queries, ...received, ...warned].map((query) => statement(this.#database, query)),
    );
    this.#storage.deleteLogged(events);
    this.#writtenAt = Date.now();
    if (receivedAt === null) await this.#inbox.reload();
    return true;
  }

  /** The settled events of the next batch, as many as fit into one write, with their logs. */
  #nextBatch(): { events: readonly SettledEvent[]; logs: readonly RequestLog[] } {
    const { events } = this.#storage;
    const settled = events.index.settled(BATCH_SIZE);
    const requests = events.readRequests([...new Set(settled.map((event) => event.logId))]);
    const added = new Set<string>();
    let size = 0;
    const end = settled.findIndex(({ logId }, i) => {
      size += added.has(logId) ? 0 : (requests.get(logId)?.length ?? 0);
      added.add(logId);
      return i > 0 && size > MAX_REQUESTS;
    });
    const batch = end < 0 ? settled : settled.slice(0, end);
    const logs = batch.map(({ logId, position, acceptedAt, settled: it }) => ({
      ...{ logId, position, acceptedAt, settledAt: it.at, request: requests.get(logId) ?? null },
      ...{ level: it.level, outcome: it.message, alertId: it.alertId },
    }));
    return { events: batch, logs };
  }
}
