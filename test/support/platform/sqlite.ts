// What D1 and the storage of objects have in common: the limits and the messages of the platform's SQLite.

/** The limits of the platform's SQLite. */
export const LIMITS = {
  length: 2_200_000,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  vdbeOp: 25_000,
  functionArg: 32,
  attach: 0,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
};

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
