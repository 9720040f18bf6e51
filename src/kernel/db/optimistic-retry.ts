// Optimistic retry of concurrent changes to a record: each request reads, decides, and writes in a
// batch with the precondition that the record is unchanged. After a conflict it starts again.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { assertPrecondition, isPreconditionFailed } from "./precondition.ts";

/** How often a change is decided, unless its records ask for more. */
export const MAX_ATTEMPTS = 4;

/** The refusal of a change when others change the same records all the time. */
export const CONFLICT = refuse(
  "conflict",
  "other requests changed the record at the same time; read it and try again",
);

/**
 * The precondition that a record is unchanged since it was read.
 *
 * @param readUpdatedAt its `updated_at` as read (epoch ms); every write must raise it, see
 *   `nextUpdatedAt`
 */
export function assertUnchanged(
  table: SQLiteTable & Record<"id" | "updatedAt", SQLiteColumn>,
  id: string,
  readUpdatedAt: number,
): SQL {
  return assertPrecondition(
    sql`(select ${table.updatedAt} from ${table} where ${table.id} = ${id}) = ${readUpdatedAt}`,
  );
}

/** `updated_at` after a write at `now`: always greater than before, also within one millisecond. */
export function nextUpdatedAt(readUpdatedAt: number, now: number): number {
  return Math.max(now, readUpdatedAt + 1);
}

/**
 * Runs the attempt, and again after a conflict; 409 after the last attempt.
 *
 * @param most the number of attempts: more for records whose changes all depend on each other
 */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result>,
  most: number = MAX_ATTEMPTS,
): Promise<Result | Refusal> {
  for (let attempts = 0; attempts < most; attempts++) {
    const result = await attempt().catch(refuseConflict);
    if (result !== CONFLICT) return result;
  }
  return CONFLICT;
}

/** `CONFLICT` for the error of a write that met one; any other error is thrown on. */
export function refuseConflict(error: unknown): Refusal {
  if (!isConflict(error)) throw error;
  return CONFLICT;
}

/** Whether the read records were changed or deleted before the write. Nothing was written then. */
function isConflict(error: unknown): boolean {
  const isDeleted =
    error instanceof Error && error.message.includes("FOREIGN KEY constraint failed");
  return isDeleted || isPreconditionFailed(error);
}
