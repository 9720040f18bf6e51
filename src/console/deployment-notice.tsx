// The notices to admins about the deployment: what its last audit found to be broken, and a database
// that is nearly full.
import {
  type Breach,
  INVARIANTS,
  type Invariant,
  mayBeat,
} from "../domain/operations/invariants.ts";
import {
  limitOf,
  REMOVAL_SHARE,
  usedPercent,
  usedShare,
  WARN_SHARE,
} from "../domain/shared/database-size.ts";
import { isMonitored } from "../domain/shared/metrics/monitored.ts";
import { HOUR, SECOND } from "../domain/shared/time.ts";
import { selectSizeNotice } from "../features/operations/retention/size-rows.ts";
import { operationsObject } from "../features/stubs.ts";
import { Notice } from "../kernel/console/panel.tsx";
import type { Connection } from "../kernel/db/database.ts";
import { first } from "../kernel/db/select.ts";
import { withTimeout } from "../kernel/db/timeout.ts";
import type { Session } from "./access/session.ts";

/** How full the database is, if it is nearly so. */
type SizeNotice = {
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

const RECORDS = "the oldest request logs, then the oldest ended alerts";

/** Describes what happens to the oldest records. */
function removalText({ isRemoving, hasArchive, archiveFailed }: SizeNotice): string {
  if (archiveFailed) {
    return "The archive bucket refuses records, so nothing is removed. When the database is full, changes are refused.";
  }
  const manner = hasArchive ? "archived and removed" : "removed without a copy";
  return isRemoving
    ? `To free space, ${RECORDS} are being ${manner}.`
    : `From ${REMOVAL_SHARE * 100} % on, ${RECORDS} are ${manner}.`;
}

const DatabaseSizeNotice = ({ notice }: { readonly notice: SizeNotice }) => (
  <Notice
    tone={notice.isRemoving || notice.archiveFailed ? "bad" : "warn"}
    title={`The database is ${notice.percent} % full.`}
  >
    {removalText(notice)}{" "}
    {notice.archiveFailed
      ? "Check that the bucket bound as ARCHIVE exists and accepts writes."
      : "To free space earlier, lower the variables REQUEST_LOG_RETENTION_DAYS and RETENTION_DAYS of the deployment."}
  </Notice>
);

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

/** Reads the notices for a member; null unless they are an admin. */
export async function readDeploymentNotice(
  db: Connection,
  env: Cloudflare.Env,
  session: Session,
  now: number,
): Promise<DeploymentNotice | null> {
  if (!session.actor.roles.admin) return null;
  const [size, found] = await Promise.all([readSizeNotice(db, env, now), readBreaches(env, now)]);
  // Gaps in schedules have a notice of their own, which names the account's teams.
  const breaches = found.filter(({ invariant }) => invariant !== "shift_has_somebody");
  const isStopped = !mayBeat(found, env.HEARTBEAT_STOPS_ON_GAPS === "on");
  return { size, breaches, isHeartbeatStopped: Boolean(env.HEARTBEAT_URL) && isStopped };
}

/** Invariants whose examples are names of providers; those of others are records of any account. */
const OF_PROVIDERS: ReadonlySet<Invariant> = new Set<Invariant>([
  "provider_accepts",
  "receipts_arrive",
  "every_provider_accepts",
  "sms_arrives",
]);

const Fault = ({ invariant, examples }: Breach) => (
  <li>
    {INVARIANTS[invariant]} <code>{invariant}</code>
    {OF_PROVIDERS.has(invariant) ? `: ${examples.join("; ")}` : null}
  </li>
);

export const DeploymentNotices = ({ notice }: { readonly notice: DeploymentNotice }) => (
  <>
    {notice.breaches.length > 0 ? (
      <Notice
        tone={mayBeat(notice.breaches, false) ? "warn" : "bad"}
        title="In this deployment, the following is not true now:"
      >
        <ul>{notice.breaches.map(Fault)}</ul>
        {notice.isHeartbeatStopped ? "The heartbeat URL is not called until it is." : null}
      </Notice>
    ) : null}
    {notice.size ? <DatabaseSizeNotice notice={notice.size} /> : null}
  </>
);
