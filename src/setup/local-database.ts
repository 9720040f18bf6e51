// The local database before the worker runs: migrations and first rows. Opens the file in
// wrangler's state directory directly, which saves two runs of wrangler (three seconds each) when
// the state is not new. Never used while a worker has the file open for writing.
import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BoundStatement } from "./inline-parameters.ts";
import { root, runWrangler } from "./processes/wrangler.ts";

const MIGRATIONS = join(root, "migrations");

/** The database file: the one with applied migrations, of those in the state directory. */
function databaseFile(state: string): string | null {
  const files = globSync(join(state, "v3/d1/*/*.sqlite").replaceAll("\\", "/"));
  return files.find((path) => appliedMigrations(path).length > 0) ?? null;
}

function appliedMigrations(path: string): string[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const table = database.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get();
  if (!table) return [];
  return database
    .prepare("select name from d1_migrations")
    .all()
    .flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/** True if the database exists and every migration is applied. */
function isMigrated(state: string): boolean {
  if (!existsSync(state)) return false;
  const path = databaseFile(state);
  if (path === null) return false;
  const applied = new Set(appliedMigrations(path));
  const expected = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  return expected.every((name) => applied.has(name));
}

/** Creates the database if needed and applies all migrations. Throws with wrangler's output. */
export async function migrate(state: string, signal?: AbortSignal): Promise<void> {
  if (isMigrated(state)) return;
  const { code, output, errors } = await runWrangler(
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state],
    { signal },
  );
  if (code !== 0) throw new Error(`the migrations failed:\n${output}${errors}`);
}

function open(state: string): DatabaseSync {
  const path = databaseFile(state);
  if (path === null) throw new Error(`no database below ${state}`);
  return new DatabaseSync(path, { timeout: 5000 });
}

/** True if there is no account yet. */
export function isEmpty(state: string): boolean {
  using database = open(state);
  return database.prepare("select 1 from accounts limit 1").get() === undefined;
}

/** Runs the statements in one transaction. */
export function insert(state: string, statements: readonly BoundStatement[]): void {
  using database = open(state);
  database.exec("begin immediate");
  for (const { sql, params } of statements) {
    database.prepare(sql).run(...(params as (string | number | null)[]));
  }
  database.exec("commit");
}

/** Deletes the database, so that the next start creates it anew. Only for one that was empty. */
export function discard(state: string): void {
  const path = databaseFile(state);
  if (path === null) return;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}
