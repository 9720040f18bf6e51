// One run of removal: its time, the size of the database as it shrinks, and the archive that a record
// must reach before it is removed.
import {
  type ArchiveBatch,
  mergedRecords,
  ndjsonOf,
  recordsOf,
} from "../../../domain/shared/archive.ts";
import {
  type DatabaseSize,
  limitOf,
  measuredSize,
  UNKNOWN_SIZE,
  usedPercent,
  usedShare,
  WARN_SHARE,
} from "../../../domain/shared/database-size.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { isFull } from "../../../kernel/db/outage.ts";
import { first, measuredBatch } from "../../../kernel/db/select.ts";
import { reportIfFull } from "../../../kernel/metrics/report-full.ts";
import { archiveOf } from "./archive-bucket.ts";
import { gunzip, gzip } from "./gzip.ts";
import type { Removable } from "./retention-rows.ts";
import { recordWarning, storeSize, type Warning } from "./size-rows.ts";

// Writes records that are about to be removed to the archive, an R2 bucket. A deployment without the
// bucket removes them without a copy.

/**
 * Writes objects to the archive. Resolves once R2 has confirmed all of them. An object that exists
 * already, from a run that was interrupted, keeps its records.
 *
 * @throws if one could not be written; the others may have been
 */
async function writeArchive(bucket: R2Bucket, batches: readonly ArchiveBatch[]): Promise<void> {
  for (const batch of batches) await writeBatch(bucket, batch);
}

async function writeBatch(bucket: R2Bucket, { key, records }: ArchiveBatch): Promise<void> {
  const existing = await bucket.get(key);
  const earlier = existing === null ? [] : recordsOf(await gunzip(existing.body));
  const body = await gzip(ndjsonOf(mergedRecords([...earlier, ...records])));
  const written = await bucket.put(key, body, {
    httpMetadata: { contentType: "application/gzip" },
    // Never replaces an object that it has not read.
    onlyIf: new Headers(
      existing === null ? { "If-None-Match": "*" } : { "If-Match": existing.httpEtag },
    ),
  });
  if (written === null) throw new Error(`${key} was written by another run`);
}

export type RunLimits = {
  /** Records per batch. */
  readonly batch: number;
  /** Batches per run: D1 allows 1,000 statements in one invocation. */
  readonly rounds: number;
  /** Duration of a run, less than the minute after which the next one starts. */
  readonly ms: number;
};

/** How often the log repeats a warning (ms). */
const WARNING_INTERVAL_MS = HOUR;

export class RemovalRun {
  readonly env: Cloudflare.Env;
  /** Epoch ms. */
  readonly now: number;
  readonly batchSize: number;
  readonly #bucket: R2Bucket | null;
  readonly #limit: number;
  readonly #endsAt: number;
  #roundsLeft: number;
  #stored: DatabaseSize = UNKNOWN_SIZE;
  #size: DatabaseSize = UNKNOWN_SIZE;
  #archiveFailed = false;

  constructor(env: Cloudflare.Env, now: number, { batch, rounds, ms }: RunLimits) {
    this.env = env;
    this.now = now;
    this.batchSize = batch;
    this.#bucket = archiveOf(env);
    this.#limit = limitOf(env.DATABASE_LIMIT_MB);
    this.#endsAt = Date.now() + ms;
    this.#roundsLeft = rounds;
  }

  /** Whether records are to be removed to free space. */
  get isReclaiming(): boolean {
    return this.#size.reclaiming;
  }

  /** Whether another batch may be removed in this run; counts it. */
  takeRound(): boolean {
    if (this.#archiveFailed || this.#roundsLeft === 0 || Date.now() >= this.#endsAt) return false;
    this.#roundsLeft -= 1;
    return true;
  }

  /** Starts from the stored size and the present one. */
  measure(stored: DatabaseSize | undefined, bytes: number | null): void {
    this.#stored = stored ?? UNKNOWN_SIZE;
    this.#size = this.#stored;
    if (bytes !== null) this.#size = measuredSize(this.#stored, bytes, 0, this.#limit);
  }

  /** Runs the statements that remove records. */
  async remove(
    records: readonly Removable[],
    statements: Parameters<typeof measuredBatch>[1],
  ): Promise<void> {
    const { bytes } = await measuredBatch(this.env.DB, statements);
    const removed = records.reduce((sum, record) => sum + record.bytes, 0);
    if (bytes !== null) this.#size = measuredSize(this.#size, bytes, removed, this.#limit);
  }

  /**
   * Archives records, if there is an archive. After a failure the run ends.
   *
   * @param read the records as objects of the archive
   * @returns whether they may be removed
   */
  async archive(read: () => Promise<readonly ArchiveBatch[]>): Promise<boolean> {
    if (this.#bucket === null) return true;
    const batches = await read();
    try {
      await writeArchive(this.#bucket, batches);
      return true;
    } catch (error) {
      this.#archiveFailed = true;
      if (await this.#isNew("archive")) {
        logFault("the archive failed; nothing is removed until it accepts records again", error);
      }
      return false;
    }
  }

  /** Stores the size if it has changed, and logs it while the database is nearly full. */
  async finish(): Promise<void> {
    const share = usedShare(this.#size, this.#limit);
    if (share >= WARN_SHARE && (await this.#isNew("size"))) {
      console.warn({
        message: "the database is nearly full",
        percent: usedPercent(this.#size, this.#limit),
        bytes: this.#size.bytes,
        limit_bytes: this.#limit,
        removing: this.#size.reclaiming,
      });
    }
    const { bytes, freed, reclaiming } = this.#stored;
    const size = this.#size;
    if (size.bytes === bytes && size.freed === freed && size.reclaiming === reclaiming) return;
    try {
      await statement(this.env.DB, storeSize(size, this.now)).run();
    } catch (error) {
      // The next run measures again; what this one removed is removed.
      if (!isFull(error)) throw error;
      reportIfFull(error);
    }
  }

  /** Whether a warning was not logged in the last hour. Without the database, it is logged. */
  async #isNew(warning: Warning): Promise<boolean> {
    const since = this.now - WARNING_INTERVAL_MS;
    const recorded = recordWarning(warning, this.now, since);
    return first(this.env.DB, recorded).then(
      (row) => row !== null,
      () => true,
    );
  }
}
