/**
 * D1 in memory, by Node's SQLite, with all migrations: for tests that write thousands of times. It
 * offers what `Connection` needs, and nothing else of D1.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Connection } from "../../../src/kernel/db/database.ts";

const MIGRATIONS = join(import.meta.dirname, "../../../migrations");

export type LocalDatabase = Connection & {
  /** The number of rows that all statements so far have written. */
  readonly rowsWritten: () => number;
  /** Applies the migrations that are left. */
  readonly migrate: () => void;
};

type Migrated = {
  /** An empty database with the migrations so far. */
  readonly image: Uint8Array;
  /** Those that follow. */
  readonly left: readonly string[];
};

const migrated = new Map<string | undefined, Migrated>();

/** Applies the migrations before one of them, or all, once: a test may open thousands of databases. */
function migratedUntil(before: string | undefined): Migrated {
  const known = migrated.get(before);
  if (known) return known;
  using sqlite = new DatabaseSync(":memory:");
  const files = globSync(`${MIGRATIONS}/*.sql`).sort();
  const end = before === undefined ? files.length : files.findIndex((it) => it.includes(before));
  const texts = files.map((file) => readFileSync(file, "utf8"));
  for (const text of texts.slice(0, end)) sqlite.exec(text);
  const made = { image: sqlite.serialize(), left: texts.slice(end) };
  migrated.set(before, made);
  return made;
}

/**
 * A new, empty database.
 *
 * @param before the name of the first migration that is left to `migrate`; absent: none is
 */
export function openDatabase(before?: string): LocalDatabase {
  const sqlite = new DatabaseSync(":memory:");
  const { image, left } = migratedUntil(before);
  sqlite.deserialize(image);
  const migrate = () => {
    for (const text of left) sqlite.exec(text);
  };
  const compiled = new Map<string, StatementSync>();
  const compile = (text: string): StatementSync => {
    const statement = compiled.get(text) ?? sqlite.prepare(text);
    compiled.set(text, statement);
    return statement;
  };
  const execute = (text: string, values: readonly SQLInputValue[]) => compile(text).all(...values);
  const total = sqlite.prepare("select total_changes() as n");
  const statements = new WeakMap<object, () => unknown[]>();
  const prepare = (text: string, values: readonly SQLInputValue[] = []) => {
    const run = () => execute(text, values);
    const answer = async () => answerOf(run());
    const statement = {
      bind: (...bound: SQLInputValue[]) => prepare(text, bound),
      all: answer,
      run: answer,
      first: async () => run()[0] ?? null,
    };
    statements.set(statement, run);
    return statement;
  };
  const batch = async (all: readonly object[]) => {
    sqlite.exec("begin");
    try {
      const answers = all.map((it) => answerOf(statements.get(it)?.() ?? []));
      sqlite.exec("commit");
      return answers;
    } catch (error) {
      sqlite.exec("rollback");
      throw error;
    }
  };
  const rowsWritten = () => Number(total.get()?.n);
  return { prepare, batch, rowsWritten, migrate } as unknown as LocalDatabase;
}

const answerOf = (results: readonly unknown[]) => ({ results, success: true, meta: {} });
