// The local database, before the worker runs: its migrations, and the first rows. Reads the file that wrangler
// keeps under the state directory, which spares a start on filled state two runs of wrangler, three seconds each.
// Never used while a worker has it open for writing.
import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Bound } from "./literal.ts";
import { root, runWrangler } from "./wrangler.ts";

const MIGRATIONS = join(root, "migrations");

/** The database's file: the one that has had migrations, of those that wrangler keeps there. */
function databaseFile(state: string): string | null {
  const kept = globSync(join(state, "v3/d1/*/*.sqlite").replaceAll("\\", "/"));
  return kept.find((path) => appliedMigrations(path).length > 0) ?? null;
}

function appliedMigrations(path: string): string[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const known = database.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get();
  if (!known) return [];
  return database
    .prepare("select name from d1_migrations")
    .all()
    .map((row) => String(row.name));
}

/** True when the database is there and has had every migration of the folder. */
function isMigrated(state: string): boolean {
  if (!existsSync(state)) return false;
  const path = databaseFile(state);
  if (path === null) return false;
  const applied = new Set(appliedMigrations(path));
  const wanted = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  return wanted.every((name) => applied.has(name));
}

/** Brings the database to the newest migration, making it if need be. Throws with wrangler's words. */
export async function migrate(state: string, signal?: AbortSignal): Promise<void> {
  if (isMigrated(state)) return;
  const { code, output, errors } = await runWrangler(
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state],
    signal,
  );
  if (code !== 0) throw new Error(`the migrations failed:\n${output}${errors}`);
}

function open(state: string): DatabaseSync {
  const path = databaseFile(state);
  if (path === null) throw new Error(`no database below ${state}`);
  return new DatabaseSync(path, { timeout: 5000 });
}

/** True when nobody has an account yet. */
export function isEmpty(state: string): boolean {
  using database = open(state);
  return database.prepare("select 1 from accounts limit 1").get() === undefined;
}

/** Runs the statements in one transaction. */
export function insert(state: string, statements: readonly Bound[]): void {
  using database = open(state);
  database.exec("begin immediate");
  for (const { sql, params } of statements) {
    database.prepare(sql).run(...(params as (string | number | null)[]));
  }
  database.exec("commit");
}

/** Takes the database away, for the next start to begin anew. Only for one that was empty a moment ago. */
export function discard(state: string): void {
  const path = databaseFile(state);
  if (path === null) return;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}
