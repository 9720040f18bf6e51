// Backs up a database full of alerts, and restores it into an empty deployment: both take ten minutes at most for 100,000
// alerts on one machine, and leave the same rows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { root } from "../../support/source/source-files.ts";
import { fillWithCopies } from "../fill/full.ts";
import { findDatabase } from "../price/bytes.ts";
import type { Prepared, Server } from "../server.ts";

const BACKUP_KEY = "a key of backups for the benchmark, longer than thirty-two characters";
const MOST_SECONDS = 600;

const VARIABLES = { RATE_LIMITS: "off", BACKUP_KEY };

/** Runs a command on a worker. @returns how long it took (seconds) */
function run({ url }: Server, command: "backup" | "restore", folder: string): number {
  const script = join(root, `src/setup/backup/${command}.ts`);
  const place = [command === "backup" ? "--to" : "--from", folder, "--url", url];
  const started = performance.now();
  execFileSync(process.execPath, ["--no-warnings", script, ...place], {
    env: { ...process.env, BACKUP_KEY },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return (performance.now() - started) / 1_000;
}

/** The numbers of alerts and notifications in a database that no worker has open. */
function countRows(state: string): string {
  using database = new DatabaseSync(findDatabase(state));
  const query =
    "select (select count(*) from alerts) || ' ' || (select count(*) from notifications) as n";
  return String(database.prepare(query).get()?.n);
}

/** Prints the section. `alerts`: how many to fill the database with. */
export async function backups(bench: Prepared, alerts: number): Promise<string[]> {
  await fillWithCopies(bench, alerts);
  const folder = mkdtempSync(join(tmpdir(), "tocsin-backup-"));
  const empty = await bench.emptied();
  try {
    const taken = await bench.during(VARIABLES, async (server) => run(server, "backup", folder));
    const restored = await empty.during(VARIABLES, async (server) =>
      run(server, "restore", folder),
    );
    console.log(`Backup in ${taken.toFixed(0)} s, restored in ${restored.toFixed(0)} s`);
    const [before, after] = [countRows(bench.state), countRows(empty.state)];
    const limit = Math.max(60, (MOST_SECONDS * alerts) / 100_000);
    return [
      ...(taken > limit ? [`the backup took ${taken.toFixed(0)} s`] : []),
      ...(restored > limit ? [`restoring took ${restored.toFixed(0)} s`] : []),
      ...(before === after ? [] : [`restored rows: ${after}, of ${before}`]),
    ];
  } finally {
    empty.forget();
    rmSync(folder, { recursive: true, force: true });
  }
}
