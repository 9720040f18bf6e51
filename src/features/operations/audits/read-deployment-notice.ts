// What admins are told of the deployment: what its last audit found to be broken, a database that is nearly full, and a daily limit that is near.

import type { AuditedDeployment } from "../../../domain/operations/audited-deployment.ts";
import { type Breach, mayBeat } from "../../../domain/operations/invariants.ts";
import type { DayLimits } from "../../../domain/shared/daily-limits.ts";
import {
  limitOf,
  REMOVAL_SHARE,
  usedPercent,
  usedShare,
  WARN_SHARE,
} from "../../../domain/shared/database-size.ts";
import { isMonitored } from "../../../domain/shared/metrics/monitored.ts";
import { HOUR, SECOND } from "../../../domain/shared/time.ts";
import { readDayLimits } from "../../../kernel/db/daily-use.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { first } from "../../../kernel/db/select.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { operationsObject } from "../../stubs.ts";
import { selectSizeNotice } from "../retention/size-rows.ts";

/** How full the database is, if it is nearly so. */
export type SizeNotice = {
  readonly percent: number;
  /** Whether the oldest records are being removed. */
  readonly isRemoving: boolean;
  readonly hasArchive: boolean;
  /** Whether the archive failed in the last two hours. */
  readonly archiveFailed: boolean;
};

/** Reads the notice; null unless the database is nearly full. */
async function readSizeNotice(
  db: Connection,
  env: Cloudflare.Env,
  now: number,
): Promise<SizeNotice | null> {
  const size = await first(db, selectSizeNotice());
  const limit = limitOf(env.DATABASE_LIMIT_MB);
  if (size === null || usedShare(size, limit) < WARN_SHARE) return null;
  return {
    percent: usedPercent(size, limit),
    isRemoving: size.reclaiming || usedShare(size, limit) >= REMOVAL_SHARE,
    // A deployment may have no archive.
    hasArchive: Boolean(env.ARCHIVE),
    archiveFailed: size.archiveFailedAt > now - 2 * HOUR,
  };
}

export type DeploymentNotice = {
  /** The day's limits of the free plan, if one of them is near. */
  readonly limits: DayLimits | null;
  readonly size: SizeNotice | null;
  readonly breaches: readonly Breach[];
  /** Whether a heartbeat is configured and stopped. */
  readonly isHeartbeatStopped: boolean;
};

/** How long what an audit found is used (ms): there is one in a minute. */
const CACHE_MS = 30 * SECOND;
/** A page does not wait longer for it (ms). */
const TIMEOUT_MS = SECOND;

let latest: { readonly at: number; readonly found: AuditedDeployment } | null = null;

/**
 * Reads what the last audits found, at most half a minute ago; null if nothing is audited, or the object does not
 * answer: the next request asks again. `now` in epoch ms.
 */
export async function readAudited(
  env: Cloudflare.Env,
  now: number,
): Promise<AuditedDeployment | null> {
  if (!isMonitored(env)) return null;
  if (latest !== null && Math.abs(now - latest.at) < CACHE_MS) return latest.found;
  try {
    latest = { at: now, found: await withTimeout(TIMEOUT_MS, operationsObject(env).audited()) };
    return latest.found;
  } catch {
    return null;
  }
}

/** Reads the notices. `now` in epoch ms. */
export async function readDeploymentNotice(
  db: Connection,
  env: Cloudflare.Env,
  now: number,
): Promise<DeploymentNotice> {
  const [limits, size, audited] = await Promise.all([
    readDayLimits(env, now),
    readSizeNotice(db, env, now),
    readAudited(env, now),
  ]);
  const found = audited?.breaches ?? [];
  // Gaps in schedules have a notice of their own, which names the account's teams.
  const breaches = found.filter(({ invariant }) => invariant !== "shift_has_somebody");
  const isStopped = !mayBeat(found, env.HEARTBEAT_STOPS_ON_GAPS === "on");
  return {
    limits: limits?.isNear ? limits : null,
    size,
    breaches,
    isHeartbeatStopped: Boolean(env.HEARTBEAT_URL) && isStopped,
  };
}
