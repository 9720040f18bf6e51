// Conditions that a batch of writes stands or falls with. D1 has no transaction to decide in, so what must still
// hold when the writes are made is a statement among them that fails, and takes the whole batch with it.
import { getTableName, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** A statement that fails unless the condition holds where it stands in the batch. */
export function demand(condition: SQLWrapper): SQL {
  return sql`select json(iif(${condition}, '1', 'unmet')) as demanded`;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : "");

/** Whether a batch failed by a `demand`. Nothing of it was written. */
export function isUnmet(error: unknown): boolean {
  return messageOf(error).includes("malformed JSON");
}

/** Whether a batch failed because a unique value of the table is taken. Nothing of it was written. */
export function isTaken(error: unknown, table: SQLiteTable): boolean {
  return messageOf(error).includes(`UNIQUE constraint failed: ${getTableName(table)}.`);
}
