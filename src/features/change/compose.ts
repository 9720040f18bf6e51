// Composes the changes of several verbs and commits them together.
import type { SQLWrapper } from "drizzle-orm";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { presentRecord, selectOne } from "../../kernel/db/records.ts";
import { batch } from "../../kernel/db/select.ts";
import type { AnswerName } from "../answers.ts";
import { type Committed, type Decided, type Decision, isWritten } from "./change.ts";
import { writesOf } from "./change-writes.ts";
import type { Context } from "./context.ts";
import { followChanges } from "./follow-changes.ts";

/** A change with all its statements, and what its verb does around them. */
export type ComposedChange = Pick<
  Decision<AnswerName, unknown>,
  "verb" | "records" | "id" | "before" | "writes" | "onCall" | "effect" | "reads" | "prepare"
> & {
  /** What follows the commit: `answer` of the decision. */
  readonly follow: (
    committed: Committed<AnswerName, readonly SQLWrapper[]>,
  ) => unknown | Promise<unknown>;
};

/** The change that a verb has decided, as a part of a larger one; or its refusal. */
export async function composeChange(
  context: Context,
  decided: Decided<unknown>,
): Promise<ComposedChange | Refusal> {
  if (isRefusal(decided)) return decided;
  if (!isWritten(decided)) throw new Error("a verb without a change cannot be composed");
  const { verb, records, id, before, onCall, effect, reads, prepare } = decided;
  return {
    ...{ verb, records, id, before, writes: await writesOf(context, decided) },
    ...(onCall && { onCall }),
    ...(effect && { effect }),
    ...(reads && { reads }),
    ...(prepare && { prepare }),
    follow: (committed) => decided.answer(committed),
  };
}

/**
 * Writes composed changes, in one transaction and one round trip: all of them, in their order, or
 * none. Each has its own entry of the history. What their verbs read of the change, they read after
 * all writes; then follows what follows each.
 *
 * @throws if a precondition fails; `retryOnConflict` around the verbs reads and decides again
 */
export async function commitComposed(
  context: Context,
  changes: readonly ComposedChange[],
): Promise<void> {
  const { db, actor, stillAllowed } = context;
  for (const { prepare } of changes) await prepare?.();
  const writes = changes.flatMap((change) => change.writes);
  const selects = changes.map(({ records, id, reads = [] }) => [
    selectOne(records, actor.accountId, { form: "id", value: id }),
    ...reads,
  ]);
  const results = await batch(db, [...stillAllowed, ...writes, ...selects.flat()]);
  let at = stillAllowed.length + writes.length;
  const committed = changes.map((change, index) => {
    const { length } = selects[index] ?? [];
    const [[row] = [], ...rows] = results.slice(at, at + length);
    at += length;
    return { change, rows, after: row ? presentRecord(change.records, row) : null };
  });
  followChanges(context, committed);
  const followed = await Promise.allSettled(
    committed.map(({ change, after, rows }) => change.follow({ after, rows })),
  );
  const failed = followed.find((it) => it.status === "rejected");
  if (failed) throw failed.reason;
}

/** The number of statements that `commitComposed` runs. */
export const statementsOf = (changes: readonly ComposedChange[]): number =>
  changes.reduce((count, { writes, reads = [] }) => count + writes.length + reads.length + 1, 0);
