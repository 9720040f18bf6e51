// What admins are told of the deployment: what its last audit found to be broken, and a database that is nearly full.
import { type Breach, mayBeat } from "../../../domain/operations/invariants.ts";
import {
  limitOf,
  REMOVAL_SHARE,
  usedPercent,
  usedShare,
  WARN_SHARE,
} from "../../../domain/shared/database-size.ts";
import { isMonitored } from "../../../domain/shared/metrics/monitored.ts";
import { HOUR, SECOND } from "../../../domain/shared/time.ts";
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
  readonly size: SizeNotice | null;
  readonly breaches: readonly Breach[];
  /** Whether a heartbeat is configured and stopped. */
  readonly isHeartbeatStopped: boolean;
};

/** How long what an audit found is used (ms): there is one in a minute. */
const CACHE_MS = 30 * SECOND;
/** A page does not wait longer for it (ms). */
const TIMEOUT_MS = SECOND;

let latest: { readonly at: number; readonly breaches: readonly Breach[] } | null = null;

async function readBreaches(env: Cloudflare.Env, now: number): Promise<readonly Breach[]> {
  if (!isMonitored(env)) return [];
  if (latest !== null && Math.abs(now - latest.at) < CACHE_MS) return latest.breaches;
  try {
    const breaches = await withTimeout(TIMEOUT_MS, operationsObject(env).breaches());
    latest = { at: now, breaches };
  } catch {
    // The page is shown without them; the next one asks again.
    return [];
  }
  return latest.breaches;
}

/** Reads the notices. `now` in epoch ms. */
export async function readDeploymentNotice(
  db: Connection,
  env: Cloudflare.Env,
  now: number,
): Promise<DeploymentNotice> {
  const [size, found] = await Promise.all([readSizeNotice(db, env, now), readBreaches(env, now)]);
  // Gaps in schedules have a notice of their own, which names the account's teams.
  const breaches = found.filter(({ invariant }) => invariant !== "shift_has_somebody");
  const isStopped = !mayBeat(found, env.HEARTBEAT_STOPS_ON_GAPS === "on");
  return { size, breaches, isHeartbeatStopped: Boolean(env.HEARTBEAT_URL) && isStopped };
}
