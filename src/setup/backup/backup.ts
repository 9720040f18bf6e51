// `npm run backup`: writes a backup of a deployment to a directory. A backup that was interrupted is
// continued by the same command.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BACKUP_FORMAT,
  type BackupCursor,
  type BackupManifest,
  isFileName,
} from "../../domain/operations/backup/backup-format.ts";
import { backupKeys, signManifest } from "../../features/operations/backup/backup-seal.ts";
import { exitForHelp } from "../help.ts";
import { BACKUP_USAGE, type BackupArguments, parseBackupArguments } from "./backup-arguments.ts";
import { BackupClient } from "./backup-client.ts";

/** A backup that has not ended. `next`: where it goes on. */
type Progress = {
  readonly next: BackupCursor | null;
  readonly manifest: BackupManifest;
};

/** Writes a file, or leaves the earlier one. */
function write(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const readJson = <Value>(path: string): Value | null =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Value) : null;

async function backUp({ directory, url, key }: BackupArguments): Promise<BackupManifest> {
  const manifestPath = join(directory, "manifest.json");
  const progressPath = join(directory, "progress.json");
  if (existsSync(manifestPath)) throw new Error(`${directory} has a complete backup`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const keys = await backupKeys(key);
  const client = new BackupClient(url, keys.token);
  let progress = readJson<Progress>(progressPath);
  const format = progress?.manifest.format ?? BACKUP_FORMAT;
  if (format !== BACKUP_FORMAT)
    throw new Error(`${directory} has a part of another version's backup`);
  const startedAt = progress?.manifest.startedAt ?? new Date().toISOString();
  const id = progress?.manifest.id ?? crypto.randomUUID();
  do {
    const { parts = [], unread = [] } = progress?.manifest ?? {};
    const read = await client.readPart(id, progress?.next ?? null, parts.length);
    for (const { name, content } of read.files) {
      if (!isFileName(name)) throw new Error(`${url} names a file ${JSON.stringify(name)}`);
      write(join(directory, name), Buffer.from(content, "base64"));
    }
    progress = {
      next: read.next,
      manifest: {
        ...read.origin,
        ...{ id, startedAt, finishedAt: new Date().toISOString() },
        parts: [...parts, read.part],
        unread: [...unread, ...read.unread],
      },
    };
    write(progressPath, JSON.stringify(progress));
  } while (progress.next !== null);
  const signed = await signManifest(keys, progress.manifest);
  write(manifestPath, `${JSON.stringify(signed, null, 2)}\n`);
  return progress.manifest;
}

exitForHelp(BACKUP_USAGE);
const options = parseBackupArguments(process.argv.slice(2), "to", process.env);
if ("refused" in options) {
  console.error(`${options.refused}\n${BACKUP_USAGE}`);
  process.exitCode = 2;
} else {
  process.exitCode = await backUp(options).then(
    ({ parts, unread }) => {
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      console.log(`${rows} rows and objects in ${parts.length} parts: ${options.directory}`);
      for (const name of unread) console.error(`not read: ${name}`);
      return unread.length > 0 ? 1 : 0;
    },
    (error: Error) => {
      console.error(error.message);
      return 1;
    },
  );
}
