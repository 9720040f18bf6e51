// The notices to admins about the deployment: what its last audit found to be broken, and a database
// that is nearly full.
import {
  type Breach,
  INVARIANTS,
  type Invariant,
  mayBeat,
} from "../domain/operations/invariants.ts";
import { REMOVAL_SHARE } from "../domain/shared/database-size.ts";
import type {
  DeploymentNotice,
  SizeNotice,
} from "../features/operations/audits/read-deployment-notice.ts";
import { Notice } from "../kernel/console/panel.tsx";

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
      : "To free space earlier, lower the variables REQUEST_LOG_RETENTION_DAYS and RETENTION_DAYS of the deployment."}{" "}
    <a href="/docs/retention#when-the-database-fills">Old records in the manual</a>
  </Notice>
);

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
        {notice.isHeartbeatStopped ? "The heartbeat URL is not called until it is. " : null}
        <a href="/docs/monitoring#faults">Faults in the manual</a>
      </Notice>
    ) : null}
    {notice.size ? <DatabaseSizeNotice notice={notice.size} /> : null}
  </>
);
