// The nightly backup to the archive's bucket: one part after the other by the alarm of the operations
// object, so that a restart continues it. Without the bucket or `BACKUP_KEY` there is none.
import type {
  BackupCursor,
  BackupManifest,
  BackupPart,
} from "../../../domain/operations/backup/backup-format.ts";
import { isBackupDue, nextBackupAt } from "../../../domain/operations/backup/backup-time.ts";
import { MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { archiveOf } from "../retention/archive-bucket.ts";
import { numberOf } from "./backup-part.ts";
import { backupKeys, isBackupKey, signManifest } from "./backup-seal.ts";
import { backupLayout, nextStep } from "./backup-steps.ts";
import { readOrigin, readPart } from "./read-part.ts";

/** Instants in epoch ms. */
type Run = {
  readonly id: string;
  /** Of its parts: one that another version began is begun again. */
  readonly layout?: string;
  readonly startedAt: number;
  readonly cursor: BackupCursor;
  readonly parts: number;
  readonly unread: readonly string[];
};

type Stored = {
  /** When the last backup began. */
  readonly startedAt: number;
  readonly run: Run | null;
  /** No part is read before this instant: the back-off after a failure. */
  readonly notBefore: number;
};

const KEY = "backup";
const NEVER: Stored = { startedAt: 0, run: null, notBefore: 0 };

/** How long one alarm reads parts (ms): audits wait meanwhile. */
const LONGEST_MS = 5 * SECOND;
const RETRY_MS = MINUTE;

/** The folder of a backup: the day (UTC) on which it began, and its id. */
const folderOf = ({ id, startedAt }: Run) =>
  `backups/${new Date(startedAt).toISOString().slice(0, 10)}/${id}`;

export class NightlyBackup {
  readonly #env: Cloudflare.Env;
  readonly #kv: SyncKvStorage;

  constructor(env: Cloudflare.Env, storage: DurableObjectStorage) {
    this.#env = env;
    this.#kv = storage.kv;
  }

  get #stored(): Stored {
    return this.#kv.get<Stored>(KEY) ?? NEVER;
  }

  /** When the next part is to be read (epoch ms); null: there are no backups. */
  nextAt(): number | null {
    if (!hasBackups(this.#env)) return null;
    const { startedAt, run, notBefore } = this.#stored;
    return run === null ? Math.max(nextBackupAt(startedAt), notBefore) : notBefore;
  }

  /** Reads nothing before an instant (epoch ms). */
  rest(until: number): void {
    if (hasBackups(this.#env)) this.#store({ ...this.#stored, notBefore: until });
  }

  /** Reads parts for some seconds. Never throws: what failed is tried again. */
  async run(): Promise<void> {
    const now = Date.now();
    const { startedAt, run, notBefore } = this.#stored;
    if (!hasBackups(this.#env)) return;
    if (notBefore > now || (run === null && !isBackupDue(startedAt, now))) return;
    const cursor = nextStep(null);
    if (cursor === null) return;
    const begun = { id: crypto.randomUUID(), layout: backupLayout(), startedAt: now };
    const isKnown = run?.layout === begun.layout;
    let next: Run = isKnown ? run : { ...begun, cursor, parts: 0, unread: [] };
    try {
      for (let going: Run | null = next; going !== null; ) {
        next = going;
        this.#store({ startedAt: next.startedAt, run: next, notBefore: 0 });
        if (Date.now() >= now + LONGEST_MS) return;
        going = await this.#readOne(next);
      }
      this.#store({ startedAt: next.startedAt, run: null, notBefore: 0 });
      console.info({ message: "the nightly backup is complete", folder: folderOf(next) });
    } catch (error) {
      logFault("a backup failed", error);
      this.#store({ startedAt: next.startedAt, run: next, notBefore: now + RETRY_MS });
    }
  }

  #store(stored: Stored): void {
    this.#kv.put(KEY, stored);
  }

  /** Reads and writes one part; returns what follows, null after the manifest. */
  async #readOne(run: Run): Promise<Run | null> {
    const { BACKUP_KEY } = this.#env;
    const bucket = archiveOf(this.#env);
    if (bucket === null || !isBackupKey(BACKUP_KEY)) return null;
    const keys = await backupKeys(BACKUP_KEY);
    const folder = folderOf(run);
    const read = await readPart(this.#env, keys, run.id, run.cursor, run.parts);
    for (const [name, bytes] of read.files) await bucket.put(`${folder}/${name}`, bytes);
    // The manifest's parts, one file each until all are there: an object's value has a limit.
    await bucket.put(`${folder}/parts/${read.part.name}.json`, JSON.stringify(read.part));
    const unread = [...run.unread, ...read.unread];
    const parts = run.parts + 1;
    if (read.next !== null) return { ...run, cursor: read.next, parts, unread };
    const listed = await this.#readParts(bucket, `${folder}/parts/`);
    // Who can write to the bucket could take one away before the manifest is signed.
    if (listed.length !== parts || listed.some((part, i) => numberOf(part) !== i))
      throw new Error("the parts of the backup are not those that were written");
    const manifest: BackupManifest = {
      ...(await readOrigin(this.#env, keys)),
      id: run.id,
      startedAt: new Date(run.startedAt).toISOString(),
      finishedAt: new Date().toISOString(),
      parts: listed,
      unread,
    };
    const signed = await signManifest(keys, manifest);
    await bucket.put(`${folder}/manifest.json`, JSON.stringify(signed));
    return null;
  }

  async #readParts(bucket: R2Bucket, prefix: string): Promise<BackupPart[]> {
    const parts: BackupPart[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await bucket.list({ prefix, ...(cursor !== undefined && { cursor }) });
      for (const { key } of page.objects) {
        const object = await bucket.get(key);
        if (object !== null) parts.push(await object.json<BackupPart>());
      }
      if (!page.truncated) return parts;
      cursor = page.cursor;
    }
  }
}

/** Whether this deployment writes nightly backups. */
export const hasBackups = (env: Cloudflare.Env): boolean =>
  archiveOf(env) !== null && isBackupKey(env.BACKUP_KEY);
