// What D1 and the storage of objects have in common: the limits and the messages of the platform's SQLite.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** The longest statement. */
const MAX_STATEMENT = 100_000;

/** The limits of the platform's SQLite, as the runtime has them locally. */
const LIMITS = {
  sqlLength: MAX_STATEMENT,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  vdbeOp: 25_000,
  functionArg: 127,
  attach: 0,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
};

/** A new database in memory. */
export const openSqlite = () =>
  new DatabaseSync(":memory:", { limits: LIMITS, enableDoubleQuotedStringLiterals: true });

/** A parameter of a statement, or what has no parameters within. */
const PARAMETER = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?(\d*)/g;

/** How many parameters a statement has. */
function countParameters(text: string): number {
  let count = 0;
  for (const [found, number] of text.matchAll(PARAMETER)) {
    if (found.startsWith("?")) count = number ? Math.max(count, Number(number)) : count + 1;
  }
  return count;
}

export type Compiled = {
  readonly statement: StatementSync;
  /** The columns of its rows. */
  readonly names: readonly string[];
  readonly parameters: number;
};

/** Compiles a statement whose rows are arrays. */
export function compile(sqlite: DatabaseSync, text: string): Compiled {
  if (text.length > MAX_STATEMENT) throw new Error("statement too long: SQLITE_TOOBIG");
  const statement = sqlite.prepare(text);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  return { statement, names, parameters: countParameters(text) };
}

/** The rows of a statement. */
export function rowsOf(
  { statement, parameters }: Compiled,
  values: readonly SQLInputValue[],
): readonly (readonly unknown[])[] {
  if (values.length !== parameters) {
    throw new Error("Wrong number of parameter bindings for SQL query.");
  }
  return statement.all(...values) as unknown as unknown[][];
}

/** The result codes of SQLite that statements end with, by number. */
const CODES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  9: "SQLITE_INTERRUPT",
  13: "SQLITE_FULL",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  23: "SQLITE_AUTH",
  25: "SQLITE_RANGE",
  275: "SQLITE_CONSTRAINT_CHECK",
  787: "SQLITE_CONSTRAINT_FOREIGNKEY",
  1299: "SQLITE_CONSTRAINT_NOTNULL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
  2579: "SQLITE_CONSTRAINT_ROWID",
  3091: "SQLITE_CONSTRAINT_DATATYPE",
};

/** An error of `node:sqlite` in the platform's words. */
export function sqliteMessage(error: unknown): string {
  const { message, errcode } = error as { message: string; errcode?: number };
  if (errcode === undefined) return message;
  const primary = `${message}: ${CODES[errcode & 0xff] ?? "SQLITE_ERROR"}`;
  return errcode > 0xff ? `${primary} (extended: ${CODES[errcode] ?? errcode})` : primary;
}
