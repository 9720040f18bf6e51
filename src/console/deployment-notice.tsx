// The notices to admins about the deployment: what its last audit found to be broken, a database that is
// nearly full, and a daily limit that is near.

import { type Breach, INVARIANTS, mayBeat, NAMES_CAUSE } from "../domain/operations/invariants.ts";
import { describeEffects, describeUse } from "../domain/operations/limit-words.ts";
import { counted } from "../domain/shared/counted.ts";
import type { DayLimits } from "../domain/shared/daily-limits.ts";
import { REMOVAL_SHARE } from "../domain/shared/database-size.ts";
import type {
  DeploymentNotice,
  SizeNotice,
} from "../features/operations/audits/read-deployment-notice.ts";
import { NoticeLine } from "../kernel/console/panel.tsx";

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
  <NoticeLine
    tone={notice.isRemoving || notice.archiveFailed ? "bad" : "warn"}
    more={
      <p>
        {removalText(notice)}{" "}
        {notice.archiveFailed
          ? "Check that the bucket bound as ARCHIVE exists and accepts writes."
          : "To free space earlier, lower the variables REQUEST_LOG_RETENTION_DAYS and RETENTION_DAYS of the deployment."}{" "}
        <a href="/docs/retention#when-the-database-fills">Old records in the manual</a>
      </p>
    }
  >
    The database is {notice.percent} % full.
  </NoticeLine>
);

/** Examples that are no causes are records of any account. */
const Fault = ({ invariant, examples }: Breach) => (
  <li>
    {INVARIANTS[invariant]} <code>{invariant}</code>
    {NAMES_CAUSE.has(invariant) ? `: ${examples.join("; ")}` : null}
  </li>
);

const DailyLimitsNotice = ({ limits }: { readonly limits: DayLimits }) => (
  <NoticeLine
    tone={limits.usedUp.length > 0 ? "bad" : "warn"}
    more={
      <p>
        {describeEffects(limits).join(" ")} The limits begin anew at 00:00 UTC.{" "}
        <a href="/docs/free-plan">The free plan in the manual</a>
      </p>
    }
  >
    Cloudflare's free plan: {describeUse(limits)}
  </NoticeLine>
);

export const DeploymentNotices = ({ notice }: { readonly notice: DeploymentNotice }) => (
  <>
    {notice.breaches.length > 0 ? (
      <NoticeLine
        tone={mayBeat(notice.breaches, false) ? "warn" : "bad"}
        more={
          <>
            <p>In this deployment, the following is not true now:</p>
            <ul>{notice.breaches.map(Fault)}</ul>
            {notice.isHeartbeatStopped ? "The heartbeat URL is not called until it is. " : null}
            <a href="/configuration/deployment">What to do</a>
          </>
        }
      >
        {counted(notice.breaches.length, "fault")} in this deployment
      </NoticeLine>
    ) : null}
    {notice.limits ? <DailyLimitsNotice limits={notice.limits} /> : null}
    {notice.size ? <DatabaseSizeNotice notice={notice.size} /> : null}
  </>
);
