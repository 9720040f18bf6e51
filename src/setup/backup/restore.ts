// `npm run restore`: restores a backup into an empty deployment, and compares what was written with
// the backup's digests. A restore that was interrupted is continued by the same command.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BackupPart,
  inRestoreOrder,
  plainFile,
  type SignedManifest,
  sealedFile,
} from "../../domain/operations/backup/backup-format.ts";
import { parseJson } from "../../domain/shared/json.ts";
import {
  type BackupFiles,
  numberOf,
  openPart,
} from "../../features/operations/backup/backup-part.ts";
import {
  type BackupKeys,
  backupKeys,
  isSigned,
} from "../../features/operations/backup/backup-seal.ts";
import { stepNamed } from "../../features/operations/backup/backup-steps.ts";
import { exitForHelp } from "../help.ts";
import { type BackupArguments, parseBackupArguments, RESTORE_USAGE } from "./backup-arguments.ts";
import { BackupClient } from "./backup-client.ts";

/** The manifest, which must be as it was written by who had the key. */
async function readManifest(directory: string, keys: BackupKeys): Promise<SignedManifest> {
  const path = join(directory, "manifest.json");
  if (!existsSync(path)) throw new Error(`${directory} has no complete backup`);
  const manifest = parseJson(readFileSync(path, "utf8")) as SignedManifest | undefined;
  if (manifest && (await isSigned(keys, manifest))) return manifest;
  throw new Error(`${path} was changed, or is of another BACKUP_KEY; nothing was restored`);
}

/** The files of a part that are there. */
function readFiles(directory: string, { name }: BackupPart): BackupFiles {
  const names = [plainFile(name), sealedFile(name)].filter((it) => existsSync(join(directory, it)));
  return new Map(names.map((it) => [it, new Uint8Array(readFileSync(join(directory, it)))]));
}

/** Checks every file before anything is written. Throws with the names of those that are not right. */
async function checkFiles(directory: string, keys: BackupKeys, { id, parts }: SignedManifest) {
  const wrong: string[] = [];
  for (const part of parts) {
    const isRight = (await openPart(keys, id, part, readFiles(directory, part))) !== null;
    if (!isRight) wrong.push(part.name);
  }
  if (wrong.length === 0) return;
  throw new Error(
    `changed or missing since the backup, so that nothing was restored: ${wrong.join(", ")}`,
  );
}

/** Reads the restored rows again. Returns the names of the parts that differ. */
async function findDifferences(client: BackupClient, id: string, parts: readonly BackupPart[]) {
  const differing: string[] = [];
  for (const part of parts) {
    const { step, after } = part;
    const { part: restored } = await client.readPart(id, { step, after }, numberOf(part));
    const isSame =
      restored.plainDigest === part.plainDigest && restored.secretDigest === part.secretDigest;
    if (!isSame) differing.push(part.name);
  }
  return differing;
}

const encoded = (files: BackupFiles): Record<string, string> =>
  Object.fromEntries(
    [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
  );

/** Restores; returns what is to be reported as a fault. */
async function restore({ directory, url, key }: BackupArguments): Promise<string[]> {
  const keys = await backupKeys(key);
  const manifest = await readManifest(directory, keys);
  await checkFiles(directory, keys, manifest);
  const parts = inRestoreOrder(manifest.parts);
  const tables = parts.filter(({ step }) => stepNamed(step)?.kind === "table");
  const firstObjects = parts.length - parts.filter((it) => it.step.startsWith("objects.")).length;
  const client = new BackupClient(url, keys.token);
  let { next, leftOut, differing } = await client.start(manifest);
  for (let number = next; number < parts.length; number += 1) {
    if (number === firstObjects) {
      differing = await findDifferences(client, manifest.id, tables);
      await client.completeTables(differing);
    }
    const part = parts[number];
    if (part === undefined) break;
    const files = encoded(readFiles(directory, part));
    ({ next, leftOut } = await client.restorePart(number, part, files));
  }
  await client.completeTables(differing);
  await client.finish();
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  console.log(`${rows} rows and objects of ${next} parts are restored`);
  return [
    ...differing.map((name) => `differs from the backup: ${name}`),
    ...(leftOut > 0 ? [`${leftOut} rows refer to rows that the backup does not have`] : []),
  ];
}

/** Prints the secrets that a new deployment needs, as JSON. */
async function printSecrets({ directory, key }: BackupArguments): Promise<string[]> {
  const keys = await backupKeys(key);
  const manifest = await readManifest(directory, keys);
  for (const part of manifest.parts.filter((it) => it.step === "secrets")) {
    const lines = await openPart(keys, manifest.id, part, readFiles(directory, part));
    if (lines === null) return [`${part.name} was changed or is missing`];
    const secrets = lines.secret as [string, string][];
    console.log(JSON.stringify(Object.fromEntries(secrets), null, 2));
  }
  return [];
}

exitForHelp(RESTORE_USAGE);
const options = parseBackupArguments(process.argv.slice(2), "from", process.env);
if ("refused" in options) {
  console.error(`${options.refused}\n${RESTORE_USAGE}`);
  process.exitCode = 2;
} else {
  const faults = await (options.showsSecrets ? printSecrets(options) : restore(options)).catch(
    (error: Error) => [error.message],
  );
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
