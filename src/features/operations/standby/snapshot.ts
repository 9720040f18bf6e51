// The snapshot with which a standby takes over: the backup, without history, of which the standby pulls the
// parts that have changed. The same name and content is the same part: its digests say so.
import type {
  BackupCursor,
  BackupOrigin,
  BackupPart,
} from "../../../domain/operations/backup/backup-format.ts";
import type { DueDrill, StandbyCard } from "../../../domain/operations/standby-drill.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import type { BackupKeys } from "../backup/backup-seal.ts";
import { nextStep } from "../backup/backup-steps.ts";
import { readOrigin, readPart } from "../backup/read-part.ts";

/** The id of every snapshot as a backup, so that equal parts have equal digests. */
export const SNAPSHOT_ID = "standby";

/** What nobody needs to be paged: it grows for ever, and is not read every minute. The standby has its own secrets. */
const LEFT_OUT: readonly string[] = [
  ...[
    "secrets",
    "alert_destinations",
    "alert_timelines",
    "change_schedules",
    "changes",
    "chat_messages",
  ],
  ...[
    "comments",
    "deliveries",
    "exercises",
    "list_totals",
    "logs",
    "member_removals",
    "notifications",
  ],
  ...["on_call_changes", "past_absences", "past_events"],
];
/** What is of open alerts is with their objects, which write these rows again. */
const ONLY = { alerts: "status <> 'resolved'" };

/** How long one answer reads parts (ms), and how much it has at most (base64 characters). */
const LONGEST_MS = 4 * SECOND;
const LARGEST = 4_000_000;

/** A part with its files in base64, by name; null: those that the standby has. */
export type SnapshotPart = {
  readonly part: BackupPart;
  readonly files: Readonly<Record<string, string>> | null;
};

export type SnapshotRequest = {
  /** The digests of the parts that the standby has, by name. */
  readonly have: Readonly<Record<string, string>>;
  readonly cursor: BackupCursor | null;
  /** How many parts there are before. */
  readonly number: number;
  readonly card: StandbyCard;
};

export type SnapshotAnswer = {
  readonly parts: readonly SnapshotPart[];
  readonly next: BackupCursor | null;
  readonly origin: BackupOrigin;
  /** With the last parts: what the standby is to drill. */
  readonly due?: readonly DueDrill[];
};

/** What tells a part from an earlier one of its name. */
export const digestOf = (part: BackupPart): string =>
  `${part.plainDigest} ${part.secretDigest} ${JSON.stringify(part.after)}`;

/** The cursor itself, or the one of the next step that is in a snapshot. */
function inSnapshot(cursor: BackupCursor | null): BackupCursor | null {
  let at = cursor;
  while (at !== null && LEFT_OUT.includes(at.step)) at = nextStep(at.step);
  return at;
}

/** Reads parts for some seconds. */
export async function readSnapshot(
  env: Cloudflare.Env,
  keys: BackupKeys,
  { have, cursor, number }: Omit<SnapshotRequest, "card">,
): Promise<SnapshotAnswer> {
  const until = Date.now() + LONGEST_MS;
  const parts: SnapshotPart[] = [];
  let next = inSnapshot(cursor ?? nextStep(null));
  for (let length = 0; next !== null && length < LARGEST && Date.now() < until; ) {
    const at = number + parts.length;
    const read = await readPart(env, keys, SNAPSHOT_ID, next, at, ONLY);
    const { unread } = read;
    if (unread.length > 0) logFault("the standby lacks objects that do not answer", unread);
    const { part } = read;
    const isKnown = have[part.name] === digestOf(part);
    const files = isKnown
      ? null
      : Object.fromEntries(
          [...read.files].map(([name, it]) => [name, Buffer.from(it).toString("base64")]),
        );
    parts.push({ part, files });
    for (const file of Object.values(files ?? {})) length += file.length;
    next = inSnapshot(read.next);
  }
  return { parts, next, origin: await readOrigin(env, keys) };
}
