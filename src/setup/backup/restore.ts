// `npm run restore`: restores a backup into an empty deployment, and compares what was written with
// the backup's digests. A restore that was interrupted is continued by the same command.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { backupKeys, unseal } from "../../db/operations/backup/backup-seal.ts";
import {
  type BackupManifest,
  type BackupPart,
  inRestoreOrder,
  parseLines,
  plainFile,
  sealedFile,
  stepNamed,
} from "../../domain/operations/backup/backup-format.ts";
import { exitForHelp } from "../help.ts";
import { type BackupArguments, parseBackupArguments, RESTORE_USAGE } from "./backup-arguments.ts";
import { BackupClient } from "./backup-client.ts";

const readManifest = (directory: string): BackupManifest => {
  const path = join(directory, "manifest.json");
  if (!existsSync(path)) throw new Error(`${directory} has no complete backup`);
  return JSON.parse(readFileSync(path, "utf8")) as BackupManifest;
};

/** The files of a part that are there, in base64. */
function readFiles(directory: string, { name }: BackupPart): Record<string, string> {
  const names = [plainFile(name), sealedFile(name)].filter((it) => existsSync(join(directory, it)));
  return Object.fromEntries(
    names.map((it) => [it, readFileSync(join(directory, it)).toString("base64")]),
  );
}

/** Reads the restored rows again. Returns the names of the parts that differ. */
async function findDifferences(client: BackupClient, parts: readonly BackupPart[]) {
  const differing: string[] = [];
  for (const part of parts) {
    const { step, after } = part;
    const { part: restored } = await client.readPart({ step, after }, 0);
    if (restored.sha256 !== part.sha256 || restored.hmac !== part.hmac) differing.push(part.name);
  }
  return differing;
}

/** Restores; returns what is to be reported as a fault. */
async function restore({ directory, url, key }: BackupArguments): Promise<string[]> {
  const manifest = readManifest(directory);
  const parts = inRestoreOrder(manifest.parts);
  const tables = parts.filter(({ step }) => stepNamed(step)?.kind === "table");
  const firstObjects = parts.length - parts.filter((it) => it.step.startsWith("objects.")).length;
  const client = new BackupClient(url, (await backupKeys(key)).token);
  let { next, leftOut } = await client.start(manifest);
  const faults: string[] = [];
  for (let number = next; number < parts.length; number += 1) {
    if (number === firstObjects) {
      const differing = await findDifferences(client, tables);
      faults.push(...differing.map((name) => `differs from the backup: ${name}`));
      await client.complete("tables");
    }
    const part = parts[number];
    if (part === undefined) break;
    ({ next, leftOut } = await client.restorePart(number, part, readFiles(directory, part)));
  }
  await client.complete("tables");
  await client.complete("finish");
  if (leftOut > 0) faults.push(`${leftOut} rows refer to rows that the backup does not have`);
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  console.log(`${rows} rows and objects of ${next} parts are restored`);
  return faults;
}

/** Prints the secrets that a new deployment needs, as JSON. */
async function printSecrets({ directory, key }: BackupArguments): Promise<string[]> {
  const keys = await backupKeys(key);
  for (const { name } of readManifest(directory).parts.filter((it) => it.step === "secrets")) {
    const bytes = new Uint8Array(readFileSync(join(directory, sealedFile(name))));
    const secrets = parseLines(await unseal(keys, name, bytes)) as [string, string][];
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
