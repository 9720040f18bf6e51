// What runs every minute.
import { isMonitored } from "./domain/shared/metrics/monitored.ts";
import { hasBackups } from "./features/operations/backup/nightly-backup.ts";
import { isRestoring } from "./features/operations/backup/restore-rows.ts";
import { countDay } from "./features/operations/limits/count-day.ts";
import { eraseRemoved } from "./features/operations/removal/erasure.ts";
import { retire } from "./features/operations/retention/retention.ts";
import { sweep } from "./features/operations/retention/sweep.ts";
import { operationsObject, standbyObject } from "./features/stubs.ts";

/**
 * Runs the work of a minute, unless a backup is being restored. Throws if a part of it fails, after all
 * parts have ended.
 *
 * @param now epoch ms
 */
export async function runEveryMinute(env: Cloudflare.Env, now: number): Promise<void> {
  // What a standby has for a drill is the primary's: nothing of it goes on here.
  const goesOn = env.STANDBY_OF ? await standbyObject(env).wake() : true;
  if (await isRestoring(env.DB)) return;
  const day = await countDay(env, now);
  const removes = !day?.yielding.includes("removal");
  // Each runs to its end: in a full database, what fails must not end what frees space.
  const outcomes = await Promise.allSettled([
    goesOn ? sweep(env, now) : null,
    goesOn && removes ? retire(env, now) : null,
    goesOn ? eraseRemoved(env, now) : null,
    isMonitored(env) || hasBackups(env) ? operationsObject(env).wake() : null,
  ]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
