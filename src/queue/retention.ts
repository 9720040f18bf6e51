// What is old goes: from D1, and out of the objects. Some of it in each run, every minute: what piles up is caught up
// with. An alert's object goes first, so that nothing of it can be written once its rows are gone.
import type { SQL } from "drizzle-orm";
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import { sweepKeys } from "../db/idempotency-rows.ts";
import {
  deleteAlerts,
  deleteDeliveries,
  deleteNotifications,
  deleteRequestLogs,
  selectEnded,
} from "../db/retention-rows.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { retiredBefore } from "../domain/retention.ts";
import { alertObject } from "../objects/stubs.ts";

/** What goes in one run at most: alerts of those that ended and of those that were deleted, and rows of each kind. */
const MOST = { alerts: 100, rows: 1_000 };

/**
 * Lets go of what is older than `RETENTION_DAYS`, and of keys whose day is over. One trip to D1, and a second where
 * alerts go. `now` in epoch ms.
 */
export async function retire(env: Cloudflare.Env, now: number, most = MOST): Promise<void> {
  const run = (queries: readonly SQL[]) =>
    env.DB.batch<RawRow>(queries.map((query) => statement(env.DB, query)));
  const keys = sweepKeys(now, most.rows);
  const before = retiredBefore(env.RETENTION_DAYS, now);
  if (before === null) {
    await run([keys]);
    return;
  }
  const [ended] = await run([
    selectEnded(before, most.alerts),
    keys,
    ...deleteRequestLogs(before, most.rows),
    deleteNotifications(before, most.rows),
    deleteDeliveries(before, most.rows),
  ]);
  const ids = await emptyObjects(env, ended?.results.map((row) => String(row.id)) ?? [], before);
  if (ids.length > 0) await run(deleteAlerts(ids));
}

/** Empties the objects of alerts that ended before the instant; the ids of those that hold nothing any more. */
async function emptyObjects(
  env: Cloudflare.Env,
  ids: readonly string[],
  before: number,
): Promise<string[]> {
  const emptied = await Promise.allSettled(
    ids.map((id) => alertObject(env, prefixIdOf("alert", id)).retire(before)),
  );
  const failed = emptied.filter((it) => it.status === "rejected").length;
  if (failed > 0) console.warn({ message: "alerts could not be retired", failed });
  return ids.filter((_, i) => {
    const outcome = emptied[i];
    return outcome?.status === "fulfilled" && outcome.value;
  });
}
