// The local database: migrations, first rows, and rows of the past. Opens the file in the state directory directly, which saves
// runs of wrangler (half a minute for all migrations). Rows may be inserted while a worker runs: SQLite's locks hold between both.
import { globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BoundStatement } from "./inline-parameters.ts";
import { root } from "./processes/wrangler.ts";

const MIGRATIONS = join(root, "migrations");

/** The table of applied migrations, as wrangler creates it. */
const APPLIED = `create table if not exists d1_migrations(
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`;

/** The database file: the one that has migrations, of those in the state directory. */
function databaseFile(state: string): string | null {
  const files = globSync(join(state, "v3/d1/*/*.sqlite").replaceAll("\\", "/"));
  return files.find(hasMigrations) ?? null;
}

function hasMigrations(path: string): boolean {
  using database = new DatabaseSync(path, { readOnly: true });
  const table = "select 1 from sqlite_master where name = 'd1_migrations'";
  return database.prepare(table).get() !== undefined;
}

/** Lets the runtime create the file, whose name depends on the binding's. */
async function createDatabase(state: string): Promise<void> {
  // Loading it takes half a second; later starts do not need it.
  const { Miniflare } = await import("miniflare");
  const runtime = new Miniflare({
    resourcePersistencePath: join(state, "v3"),
    cf: false,
    workers: [
      {
        config: {
          name: "database",
          compatibilityDate: "2026-01-01",
          manifest: {
            mainModule: "database.js",
            modules: { "database.js": { type: "esm", contents: "export default {};" } },
          },
          env: { DB: { type: "d1", id: "DB" } },
        },
      },
    ],
  });
  try {
    const database = await runtime.getD1Database("DB");
    await database.prepare(APPLIED).run();
  } finally {
    await runtime.dispose();
  }
}

/** The migrations that are not applied, in their order. */
function pendingMigrations(database: DatabaseSync): readonly string[] {
  const rows = database.prepare("select name from d1_migrations").all();
  const applied = new Set(rows.map(({ name }) => name));
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  return names.filter((name) => !applied.has(name)).sort();
}

/**
 * Creates the database if needed and applies all migrations, each whole or not at all.
 *
 * @returns the names of those that were applied. Throws with the name of one that failed
 */
export async function migrate(state: string): Promise<readonly string[]> {
  if (databaseFile(state) === null) await createDatabase(state);
  using database = open(state);
  const pending = pendingMigrations(database);
  for (const name of pending) {
    try {
      database.exec("begin immediate");
      database.exec(readFileSync(join(MIGRATIONS, name), "utf8"));
      database.prepare("insert into d1_migrations (name) values (?)").run(name);
      database.exec("commit");
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw new Error(`the migration ${name} failed: ${(error as Error).message}`);
    }
  }
  return pending;
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
