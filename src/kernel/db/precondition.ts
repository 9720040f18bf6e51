// Preconditions of batches of writes. D1 has no interactive transactions, so a precondition is a
// statement in the batch that fails, and rolls the batch back, unless its condition holds.
import { getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** A statement that fails the batch unless the condition holds at this position. */
export function assertPrecondition(condition: SQLWrapper): SQL {
  return sql`select json(iif(${condition}, '1', 'unmet')) as demanded`;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : "");

/** Whether a batch failed because of a `assertPrecondition`. It wrote nothing. */
export function isPreconditionFailed(error: unknown): boolean {
  return messageOf(error).includes("malformed JSON");
}

/** Whether a batch failed because a unique value of the table is taken. It wrote nothing. */
export function isTaken(error: unknown, table: SQLiteTable): boolean {
  return messageOf(error).includes(`UNIQUE constraint failed: ${getTableName(table)}.`);
}
