// Deletes expired data from D1 and from the objects, in batches, every minute. An alert's object is
// emptied first, so that nothing can write its rows again after their deletion.
import { sweepKeys } from "../../db/shared/idempotency-rows.ts";
import {
  deleteAlerts,
  deleteDeliveries,
  deleteNotifications,
  deleteRequestLogs,
  selectEnded,
} from "../../db/shared/retention-rows.ts";
import { batch } from "../../db/shared/select.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { retentionCutoff } from "../../domain/shared/retention.ts";
import { alertObject } from "../../objects/shared/stubs.ts";

/** The most that one run deletes: alerts (ended and deleted ones each), and rows of each kind. */
const MAX_PER_RUN = { alerts: 100, rows: 1_000 };

/**
 * Deletes data older than `RETENTION_DAYS`, and expired idempotency keys. One round trip to D1, and
 * a second one if alerts are deleted. `now` in epoch ms.
 */
export async function retire(env: Cloudflare.Env, now: number, max = MAX_PER_RUN): Promise<void> {
  const keys = sweepKeys(now, max.rows);
  const before = retentionCutoff(env.RETENTION_DAYS, now);
  if (before === null) {
    await batch(env.DB, [keys]);
    return;
  }
  const [ended] = await batch(env.DB, [
    selectEnded(before, max.alerts),
    keys,
    ...deleteRequestLogs(before, max.rows),
    deleteNotifications(before, max.rows),
    deleteDeliveries(before, max.rows),
  ]);
  const retired = ended.map(({ id }) => id);
  const ids = await emptyObjects(env, retired, before);
  if (ids.length > 0) await batch(env.DB, deleteAlerts(ids));
}

/** Empties the objects of alerts that ended before the instant; returns the ids now empty. */
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
