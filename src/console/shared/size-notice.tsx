// The notice to admins that the database is nearly full: what happens next, and what to do.
import type { Connection } from "../../db/shared/database.ts";
import { first } from "../../db/shared/select.ts";
import { selectSizeNotice } from "../../db/shared/storage/size-rows.ts";
import {
  limitOf,
  REMOVAL_SHARE,
  usedPercent,
  usedShare,
  WARN_SHARE,
} from "../../domain/shared/storage/database-size.ts";
import { HOUR } from "../../domain/shared/time.ts";
import type { Session } from "../access/session.ts";
import { Notice } from "../parts/shared/panel.tsx";

export type SizeNotice = {
  readonly percent: number;
  /** Whether the oldest records are being removed. */
  readonly isRemoving: boolean;
  readonly hasArchive: boolean;
  /** Whether the archive failed in the last two hours. */
  readonly archiveFailed: boolean;
};

/** Reads the notice for a member; null unless they are an admin and the database is nearly full. */
export async function readSizeNotice(
  db: Connection,
  env: Cloudflare.Env,
  session: Session,
  now: number,
): Promise<SizeNotice | null> {
  if (!session.actor.roles.admin) return null;
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

export const DatabaseSizeNotice = ({ notice }: { readonly notice: SizeNotice }) => (
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
