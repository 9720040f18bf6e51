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

/**
 * A new, empty database.
 *
 * @param before the name of the first migration that is left to `migrate`; absent: none is
 */
export function openDatabase(before?: string): LocalDatabase {
  const sqlite = new DatabaseSync(":memory:");
  const left = globSync(`${MIGRATIONS}/*.sql`).sort();
  const migrate = (end = left.length) => {
    for (const file of left.splice(0, end)) sqlite.exec(readFileSync(file, "utf8"));
  };
  migrate(before === undefined ? undefined : left.findIndex((file) => file.includes(before)));
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
