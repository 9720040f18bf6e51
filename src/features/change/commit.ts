// The one way in which a record's change is written: its statements in one transaction, with the
// record before and after and who made the change. What follows from every change (the log, notices
// of on-call changes) hangs here and nowhere else. The changes of alerts and broadcasts that their
// objects decide are committed there.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { identified } from "../../kernel/db/identified.ts";
import { CONFLICT, MAX_ATTEMPTS, refuseConflict } from "../../kernel/db/optimistic-retry.ts";
import { presentRecord, selectId, selectOne } from "../../kernel/db/records.ts";
import { batch, select } from "../../kernel/db/select.ts";
import type { AnswerName, AnswerNamed } from "../answers.ts";
import { type Change, type Committed, type Decided, isWritten, type Recorded } from "./change.ts";
import { unreadWritesOf, writesOf } from "./change-writes.ts";
import type { Context } from "./context.ts";
import { followChanges } from "./follow-changes.ts";

/**
 * Runs a verb and commits its change. After a conflict it is decided again.
 *
 * @returns the verb's answer or its refusal; 409 when others change the same records all the time
 */
export async function commit<Answer>(
  context: Context,
  verb: () => Promise<Decided<Answer>>,
): Promise<Answer | Refusal> {
  for (let attempt = 1; ; attempt++) {
    const decided = await verb();
    if (isRefusal(decided)) return decided;
    if (!isWritten(decided)) return decided.answer();
    const { prepare, reads = [], refusalOf, attempts = MAX_ATTEMPTS } = decided;
    await prepare?.();
    const committed = await commitChange(context, decided, reads).catch(
      (error: unknown) => refusalOf?.(error) ?? refuseConflict(error),
    );
    if (!isRefusal(committed)) return decided.answer(committed);
    if (committed !== CONFLICT || attempt >= attempts) return committed;
  }
}

/**
 * Writes a change and reads the record back, in one transaction and one round trip.
 *
 * @param reads further selects, which see the change
 * @returns the record after the change; null also if a conditional create wrote nothing
 * @throws if a precondition fails; `retryOnConflict` around the verb reads and decides again
 */
export async function commitChange<
  Name extends AnswerName,
  const Reads extends readonly SQLWrapper[] = readonly [],
>(context: Context, change: Change<Name>, reads?: Reads): Promise<Committed<Name, Reads>>;
export async function commitChange(
  context: Context,
  change: Change<AnswerName>,
  reads: readonly SQLWrapper[] = [],
): Promise<Committed<AnswerName, readonly SQLWrapper[]>> {
  const { db, actor, stillAllowed } = context;
  const { records, id } = change;
  const writes = await writesOf(context, change);
  const results = await batch(db, [
    ...stillAllowed,
    ...writes,
    selectOne(records, actor.accountId, { form: "id", value: id }),
    ...reads,
  ]);
  const at = stillAllowed.length + writes.length;
  const row = results[at]?.[0];
  const after = row ? presentRecord(records, row) : null;
  // A conditional create may write nothing.
  if (change.before !== null || after !== null) followChanges(context, [{ change, after }]);
  return { after, rows: results.slice(at + 1) };
}

type UnreadChange<Name extends AnswerName> = Pick<Change<Name>, "verb" | "records" | "writes"> & {
  readonly identifier: Identifier;
  /** The records of the account that the actor may change; all if absent. */
  readonly scope?: SQL;
} & Recorded;

/** The record before and after the change, null where there is none; the rows of further reads. */
type CommittedUnread<Name extends AnswerName, Reads extends readonly SQLWrapper[]> = {
  readonly before: AnswerNamed<Name> | null;
} & Committed<Name, Reads>;

/**
 * Writes a change that depends on nothing read before, in one transaction and one round trip: the
 * record before is read ahead of the writes. They must write nothing if there is no such record.
 *
 * @param reads further selects, which do not see the change
 * @returns the record before and after; before is null if there was none
 * @throws if a precondition fails
 */
export async function commitUnread<
  Name extends AnswerName,
  const Reads extends readonly SQLWrapper[] = readonly [],
>(
  context: Context,
  change: UnreadChange<Name>,
  reads?: Reads,
): Promise<CommittedUnread<Name, Reads>>;
export async function commitUnread(
  context: Context,
  change: UnreadChange<AnswerName>,
  reads: readonly SQLWrapper[] = [],
): Promise<CommittedUnread<AnswerName, readonly SQLWrapper[]>> {
  const { verb, records, identifier, scope } = change;
  const { db, actor, stillAllowed } = context;
  const { accountId } = actor;
  const ids = select(
    { id: sql<string>`${records.id}` },
    sql`from ${records.from} where ${records.accountId} = ${accountId}
      and ${identified(records, identifier)} ${scope ? sql`and ${scope}` : sql``}`,
  );
  const record = selectOne(records, accountId, identifier, scope);
  const id = sql`${selectId(records, accountId, identifier)} ${scope ? sql`and ${scope}` : sql``}`;
  const writes = unreadWritesOf(context, change, id, identifier);
  const results = await batch(db, [ids, record, ...reads, ...stillAllowed, ...writes, record]);
  const [[found], [was]] = results;
  const [is] = results.at(-1) ?? [];
  const rows = results.slice(2, 2 + reads.length);
  if (!found || !was) return { before: null, after: null, rows };
  const before = presentRecord(records, was);
  const after = is ? presentRecord(records, is) : null;
  followChanges(context, [{ change: { verb, records, id: found.id, before }, after }]);
  return { before, after, rows };
}
