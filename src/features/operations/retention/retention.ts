// Removes records from D1 and from the objects, every minute: what retention has ended, expired
// idempotency keys, and, when the database is nearly full, the oldest records.
import { isOnFreePlan } from "../../../domain/shared/daily-limits.ts";
import { requestLogCutoff, retentionCutoff } from "../../../domain/shared/retention.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { sweepKeys } from "../../../kernel/db/idempotency-rows.ts";
import { measuredBatch } from "../../../kernel/db/select.ts";
import { deleteBulkOperations } from "../../alerts/bulk-operations/rows.ts";
import { deleteEndedAbsences } from "../../oncall/absences/ended-rows.ts";
import { deletePast } from "../../oncall/events/past-rows.ts";
import { freeSpace } from "./free-space.ts";
import { RemovalRun, type RunLimits } from "./removal-run.ts";
import { deletedAlerts, endedAlerts, removeAll, requestLogs } from "./remove-records.ts";
import { deleteChanges, deleteDeliveries, deleteNotices, START } from "./retention-rows.ts";
import { selectSize } from "./size-rows.ts";

/** Limits of one run; `rows`: of each kind that has no object. */
const LIMITS = { batch: 100, rounds: 60, ms: 20 * SECOND, rows: 1_000 };

/** An invocation of the free plan may make 50 calls; the next run takes the rest. */
const FREE_PLAN_LIMITS = { ...LIMITS, batch: 20, rounds: 2 };

const limitsOf = (env: Cloudflare.Env) => (isOnFreePlan(env) ? FREE_PLAN_LIMITS : LIMITS);

/**
 * Removes what has expired, and what is oldest if the database is nearly full. One round trip to D1
 * if there is nothing to remove. `now` in epoch ms.
 */
export async function retire(
  env: Cloudflare.Env,
  now: number,
  limits: RunLimits & { readonly rows: number } = limitsOf(env),
): Promise<void> {
  const run = new RemovalRun(env, now, limits);
  const { rows, batch } = limits;
  const before = retentionCutoff(env.RETENTION_DAYS, now);
  const logsBefore = requestLogCutoff(env.REQUEST_LOG_RETENTION_DAYS, env.RETENTION_DAYS, now);
  const cutoff = before === null ? null : { createdBefore: before, endedBefore: before };
  const ended = cutoff && endedAlerts(cutoff);
  const deleted = cutoff && deletedAlerts(cutoff);
  const logs = logsBefore === null ? null : requestLogs(logsBefore);
  const found = await measuredBatch(env.DB, [
    selectSize(),
    ended?.select(START, batch) ?? null,
    deleted?.select(START, batch) ?? null,
    logs?.select(START, batch) ?? null,
    sweepKeys(now, rows),
    before === null ? null : deleteNotices(before, rows),
    before === null ? null : deleteDeliveries(before, rows),
    before === null ? null : deleteBulkOperations(before, rows),
    ...(before === null ? [] : deleteChanges(before, rows)),
    before === null ? null : deletePast(before, rows),
    ...(before === null ? [] : deleteEndedAbsences(before, rows)),
  ]);
  const [[stored], foundEnded, foundDeleted, foundLogs] = found.rows;
  run.measure(stored, found.bytes);
  if (logs) await removeAll(run, logs, foundLogs);
  if (ended) await removeAll(run, ended, foundEnded);
  if (deleted) await removeAll(run, deleted, foundDeleted);
  await freeSpace(run);
  await run.finish();
}
