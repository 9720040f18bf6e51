// Requests that change the same record at the same time: each reads, decides, and demands in its batch of writes
// that the record is still as it was read. The one that was overtaken decides again.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../domain/refusal.ts";
import { demand, isUnmet } from "./demand.ts";

const ATTEMPTS = 4;

const OVERTAKEN = refuse(
  "conflict",
  "other requests changed the record at the same time; read it and try again",
);

/**
 * The demand that a record was not changed since it was read.
 *
 * @param readUpdatedAt its `updated_at` as read (epoch ms); every write must raise it, see `nextUpdatedAt`
 */
export function demandUnchanged(
  table: SQLiteTable & Record<"id" | "updatedAt", SQLiteColumn>,
  id: string,
  readUpdatedAt: number,
): SQL {
  return demand(
    sql`(select ${table.updatedAt} from ${table} where ${table.id} = ${id}) = ${readUpdatedAt}`,
  );
}

/** `updated_at` after a write at `now`: later than it was, also for two writes within a millisecond. */
export function nextUpdatedAt(readUpdatedAt: number, now: number): number {
  return Math.max(now, readUpdatedAt + 1);
}

/** Reads, decides and writes; again when another request came between; 409 when that goes on happening. */
export async function decideAndWrite<Result>(
  attempt: () => Promise<Result>,
): Promise<Result | Refusal> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  return OVERTAKEN;
}

/** Whether what the decision rested on changed, or was deleted, before the write. Nothing of it was written. */
function isOvertaken(error: unknown): boolean {
  const isGone = error instanceof Error && error.message.includes("FOREIGN KEY constraint failed");
  return isGone || isUnmet(error);
}
