// Composes the changes of several verbs and commits them together.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { presentRecord, selectOne } from "../../kernel/db/records.ts";
import { batch } from "../../kernel/db/select.ts";
import type { AnswerName } from "../answers.ts";
import { type Change, type Decided, isWritten } from "./change.ts";
import { writesOf } from "./change-writes.ts";
import type { Context } from "./context.ts";
import { followChanges } from "./follow-changes.ts";

/** A change with all its statements. */
export type ComposedChange = Pick<
  Change<AnswerName>,
  "verb" | "records" | "id" | "before" | "writes"
>;

/** The change that a verb has decided, as a part of a larger one; or its refusal. */
export async function composeChange(
  context: Context,
  decided: Decided<unknown>,
): Promise<ComposedChange | Refusal> {
  if (isRefusal(decided)) return decided;
  if (!isWritten(decided)) throw new Error("a verb without a change cannot be composed");
  const { verb, records, id, before } = decided;
  return { verb, records, id, before, writes: await writesOf(context, decided) };
}

/**
 * Writes composed changes, in one transaction and one round trip: all of them, in their order, or
 * none. Each has its own entry of the history. What follows a verb's own commit is left to the caller.
 *
 * @throws if a precondition fails; `retryOnConflict` around the verbs reads and decides again
 */
export async function commitComposed(
  context: Context,
  changes: readonly ComposedChange[],
): Promise<void> {
  const { db, actor, stillAllowed } = context;
  const records = changes.map((change) =>
    selectOne(change.records, actor.accountId, { form: "id", value: change.id }),
  );
  const writes = changes.flatMap((change) => change.writes);
  const results = await batch(db, [...stillAllowed, ...writes, ...records]);
  const rows = results.slice(stillAllowed.length + writes.length);
  const committed = changes.map((change, at) => {
    const row = rows[at]?.[0];
    return { change, after: row ? presentRecord(change.records, row) : null };
  });
  followChanges(context, committed);
}

/** The number of statements that `commitComposed` runs. */
export const statementsOf = (changes: readonly ComposedChange[]): number =>
  changes.reduce((count, { writes }) => count + writes.length + 1, 0);
