// Removes records in batches: reads a batch, archives it, deletes it, and continues after it. An
// alert's object is asked first: it may know more than the rows.
import { archiveBatches } from "../../../domain/shared/archive.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { all, type Select } from "../../../kernel/db/select.ts";
import { alertObject } from "../../stubs.ts";
import { readAlerts, readRequestLogs } from "./archive-rows.ts";
import type { RemovalRun } from "./removal-run.ts";
import {
  type AlertCutoff,
  deleteDeleted,
  deleteEnded,
  deleteRequestLogs,
  type Position,
  type Removable,
  START,
  selectDeleted,
  selectEnded,
  selectRequestLogs,
} from "./retention-rows.ts";

/** The most that a batch reads to archive it: it is in memory several times. */
const MAX_BATCH_BYTES = 4_000_000;

/** A kind of record that is removed: how to find a batch, and how to remove it. */
export type RecordRemoval = {
  readonly select: (after: Position, most: number) => Select<Removable>;
  /** Returns false if the records could not be archived. */
  readonly remove: (run: RemovalRun, records: readonly Removable[]) => Promise<boolean>;
};

/**
 * Removes batches while there are records and the run has time.
 *
 * @param found the first batch, if it is already read
 * @param isEnough ends it early
 */
export async function removeAll(
  run: RemovalRun,
  removal: RecordRemoval,
  found?: readonly Removable[],
  isEnough = () => false,
): Promise<void> {
  let records = found ?? (await all(run.env.DB, removal.select(START, run.batchSize)));
  while (records.length > 0 && !isEnough() && run.takeRound()) {
    const batch = withinLimit(records);
    if (!(await removal.remove(run, batch))) return;
    const last = batch.at(-1);
    const isLast = batch.length === records.length && records.length < run.batchSize;
    if (last === undefined || isLast) return;
    records = await all(run.env.DB, removal.select(last, run.batchSize));
  }
}

/** The first records up to the limit in bytes, at least one. */
function withinLimit(records: readonly Removable[]): readonly Removable[] {
  let bytes = 0;
  const end = records.findIndex((record) => {
    bytes += record.bytes;
    return bytes > MAX_BATCH_BYTES;
  });
  return end === -1 ? records : records.slice(0, Math.max(end, 1));
}

/** Alerts that ended. */
export const endedAlerts = (cutoff: AlertCutoff): RecordRemoval => ({
  select: (after, most) => selectEnded(cutoff, after, most),
  remove: async (run, records) => {
    const threads = new Map<string, readonly string[]>();
    const isArchived = await run.archive(async () => {
      const alerts = await readAlerts(run.env.DB, records);
      for (const { id, comments } of alerts) {
        threads.set(id, [id, ...comments.map((comment) => comment.id)]);
      }
      return archiveBatches("alerts", alerts);
    });
    if (!isArchived) return false;
    const empty = await emptyObjects(run.env, records, cutoff.endedBefore);
    if (empty.length > 0) await run.remove(empty, deleteEnded(empty, threads, cutoff, run.now));
    return true;
  },
});

/** What is left of deleted alerts. */
export const deletedAlerts = (cutoff: AlertCutoff): RecordRemoval => ({
  select: (after, most) => selectDeleted(cutoff, after, most),
  remove: async (run, records) => {
    const isArchived = await run.archive(async () =>
      archiveBatches("alerts", await readAlerts(run.env.DB, records)),
    );
    if (!isArchived) return false;
    const empty = await emptyObjects(run.env, records, cutoff.endedBefore);
    if (empty.length > 0) await run.remove(empty, deleteDeleted(empty, cutoff));
    return true;
  },
});

/** Request logs created before an instant (epoch ms). */
export const requestLogs = (before: number): RecordRemoval => ({
  select: (after, most) => selectRequestLogs(before, after, most),
  remove: async (run, records) => {
    const isArchived = await run.archive(async () =>
      archiveBatches("logs", await readRequestLogs(run.env.DB, records)),
    );
    if (isArchived) await run.remove(records, deleteRequestLogs(records));
    return isArchived;
  },
});

/** Empties the objects of alerts that ended before the instant; returns the alerts now without. */
async function emptyObjects(
  env: Cloudflare.Env,
  records: readonly Removable[],
  before: number,
): Promise<Removable[]> {
  const emptied = await Promise.allSettled(
    records.map(({ accountId, id, holdsKeys }) =>
      alertObject(env, prefixIdOf("alert", id)).retire(accountId, before, holdsKeys),
    ),
  );
  const failed = emptied.filter((it) => it.status === "rejected").length;
  if (failed > 0) console.warn({ message: "alerts could not be retired", failed });
  return records.filter((_, i) => {
    const outcome = emptied[i];
    return outcome?.status === "fulfilled" && outcome.value;
  });
}
