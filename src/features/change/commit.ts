// The one way in which a record's change is written: its statements in one transaction, with the
// record before and after and who made the change. What follows from every change (the log, notices
// of on-call changes) hangs here and nowhere else. The changes of alerts and broadcasts that their
// objects decide are committed there.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type IrreversibleReason, isRecorded } from "../../domain/oncall/changes/history-entry.ts";
import { NOBODY } from "../../domain/oncall/notices/shift-changes.ts";
import type { Identifier, RecordKind } from "../../domain/shared/identifiers.ts";
import { identified } from "../../kernel/db/identified.ts";
import { newIdOf } from "../../kernel/db/identifiers.ts";
import {
  presentRecord,
  type Records,
  selectId,
  selectOne,
  selectRecord,
} from "../../kernel/db/records.ts";
import { batch, first, type RowsOf, select } from "../../kernel/db/select.ts";
import type { AnswerName, AnswerNamed } from "../answers.ts";
import { pastOfChange, pastWrites } from "../oncall/events/past-of-change.ts";
import {
  type OnCallChange,
  previewOnCallChange,
} from "../oncall/on-call/preview-on-call-change.ts";
import { type NewEntry, withEntry } from "./change-entries.ts";
import type { Context } from "./context.ts";
import { notifyChanges } from "./notify-changes.ts";
import { attributeOnCallChanges } from "./on-call-change-rows.ts";
import { Previewed } from "./preview.ts";

export type Change<Name extends AnswerName> = {
  /** `create`, `update`, `delete`, or the action's own name, such as `rotate`. */
  readonly verb: string;
  readonly records: Records<Name>;
  /** The record's ULID. */
  readonly id: string;
  /** The record as it was read for the decision; null for a create. */
  readonly before: AnswerNamed<Name> | null;
  /** Preconditions and writes, in their order. */
  readonly writes: readonly SQLWrapper[];
  /** For a change of on-call events: the events as the writes store them. */
  readonly onCall?: OnCallChange;
} & Recorded;

/** Writes of events, with the events as they store them. */
export type EventWrites = {
  readonly writes: readonly SQLWrapper[];
  readonly onCall: OnCallChange;
};

/** What the entry of the history cannot tell from the change itself. */
type Recorded = {
  /** A select of the ids of the events that the writes change, where `onCall` does not say so. */
  readonly touches?: SQL;
  /** A select of the ids of schedules that the change concerns apart from its events'. */
  readonly concerns?: SQL;
  /** Why it cannot be undone, where the kind and the verb do not say so. */
  readonly irreversible?: IrreversibleReason;
  /** Of a take-over: the account users whom it relieves. */
  readonly relieved?: readonly string[];
};

/** The record after the change, null once it is deleted; and the rows of the further reads. */
type Committed<Name extends AnswerName, Reads extends readonly SQLWrapper[]> = {
  readonly after: AnswerNamed<Name> | null;
  readonly rows: RowsOf<Reads>;
};

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
  if (context.preview) throw await previewed(context, change);
  const { db, actor, stillAllowed } = context;
  const { records, id } = change;
  const identifier = { form: "id", value: id } as const;
  const writes = withAuthor(context, records, await keepingPast(context, change, identifier));
  if (context.composing) throw new Composed({ ...change, writes });
  const results = await batch(db, [
    ...stillAllowed,
    ...writes,
    selectOne(records, actor.accountId, identifier),
    ...reads,
  ]);
  const at = stillAllowed.length + writes.length;
  const row = results[at]?.[0];
  const after = row ? presentRecord(records, row) : null;
  // A conditional create may write nothing.
  if (change.before !== null || after !== null) follow(context, change, after);
  return { after, rows: results.slice(at + 1) };
}

/** The writes of a change with its entry of the history, and with what it keeps of the past. */
async function keepingPast(
  context: Context,
  change: Change<AnswerName>,
  identifier: Identifier,
): Promise<readonly SQLWrapper[]> {
  const { onCall, id, writes } = change;
  const entryId = newIdOf("change", context.now);
  if (!onCall) return recorded(context, change, entryId, id, identifier);
  const past = await pastOfChange(context, onCall);
  const all = pastWrites(context, past, entryId, writes);
  return recorded(context, { ...change, writes: all }, entryId, id, identifier);
}

async function previewed(context: Context, { onCall, verb }: Change<AnswerName>): Promise<Error> {
  if (!onCall) return new Error(`${verb} has no preview`);
  return new Previewed(await previewOnCallChange(context, onCall));
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
  const { verb, records, identifier, scope, writes } = change;
  if (context.preview) throw new Error(`${verb} has no preview`);
  const { db, actor, stillAllowed } = context;
  const { accountId } = actor;
  const ids = select(
    { id: sql<string>`${records.id}` },
    sql`from ${records.from} where ${records.accountId} = ${accountId}
      and ${identified(records, identifier)} ${scope ? sql`and ${scope}` : sql``}`,
  );
  const record = selectOne(records, accountId, identifier, scope);
  const id = sql`${selectId(records, accountId, identifier)} ${scope ? sql`and ${scope}` : sql``}`;
  const entryId = newIdOf("change", context.now);
  const authored = withAuthor(context, records, recorded(context, change, entryId, id, identifier));
  if (context.composing) {
    const before = await first(db, selectRecord(records, accountId, identifier));
    throw new Composed({ verb, records, id: identifier.value, before, writes: authored });
  }
  const results = await batch(db, [ids, record, ...reads, ...stillAllowed, ...authored, record]);
  const [[found], [was]] = results;
  const [is] = results.at(-1) ?? [];
  const rows = results.slice(2, 2 + reads.length);
  if (!found || !was) return { before: null, after: null, rows };
  const before = presentRecord(records, was);
  const after = is ? presentRecord(records, is) : null;
  follow(context, { verb, records, id: found.id, before, writes }, after);
  return { before, after, rows };
}

/** Leaves the verb in place of its commit, with the writes that it would make. Nothing was written. */
export class Composed extends Error {
  readonly change: Change<AnswerName>;

  constructor(change: Change<AnswerName>) {
    super("the change is part of a larger one and was not written");
    this.change = change;
  }
}

/**
 * Writes changes that verbs have composed, in one transaction and one round trip: all of them, in
 * their order, or none. Each has its own entry of the history.
 *
 * @throws if a precondition fails; `retryOnConflict` around the verbs reads and decides again
 */
export async function commitComposed(
  context: Context,
  changes: readonly Change<AnswerName>[],
): Promise<void> {
  const { db, actor, stillAllowed } = context;
  const records = changes.map((change) =>
    selectOne(change.records, actor.accountId, { form: "id", value: change.id }),
  );
  const writes = changes.flatMap((change) => change.writes);
  const results = await batch(db, [...stillAllowed, ...writes, ...records]);
  const rows = results.slice(stillAllowed.length + writes.length);
  for (const [at, change] of changes.entries()) {
    const row = rows[at]?.[0];
    logChange(context, change, row ? presentRecord(change.records, row) : null);
  }
  notifyOf(context, changes);
}

/** The number of statements that `commitComposed` runs. */
export const statementsOf = (changes: readonly Change<AnswerName>[]): number =>
  changes.reduce((count, { writes }) => count + writes.length + 1, 0);

/** The kinds of record whose changes may change who is on call, or who is notified of it. */
const DECIDE_ON_CALL: ReadonlySet<RecordKind> = new Set([
  // Who is on call instead, and whom to notify of it.
  "absence",
  // Rotations may skip who is away.
  "absence_calendar",
  "account_user",
  "calendar_import",
  // Its layers decide where its teams look for gaps.
  "escalation_policy",
  "event",
  // When its owner is told that it gives no sign of life.
  "push_subscription",
  "schedule",
  "team",
  // Their reminders and their weekly digest.
  "user",
]);

/** The writes, with what records who made them where they change who is on call. */
function withAuthor(
  { actor }: Context,
  records: Records,
  writes: readonly SQLWrapper[],
): readonly SQLWrapper[] {
  if (!DECIDE_ON_CALL.has(records.kind)) return writes;
  const { accountId } = actor;
  const author = "accountUserId" in actor ? actor.accountUserId : NOBODY;
  return [
    attributeOnCallChanges(accountId, NOBODY),
    ...writes,
    attributeOnCallChanges(accountId, author),
  ];
}

/** The writes, with their entry of the history. */
function recorded(
  { actor, now, undoing, correctsPast }: Context,
  change: Pick<Change<AnswerName>, "verb" | "records" | "writes" | "onCall"> & Recorded,
  entryId: string,
  recordId: NewEntry["recordId"],
  identifier: Identifier,
): readonly SQLWrapper[] {
  const { records, writes, onCall, touches, concerns, irreversible, relieved } = change;
  const { kind, attributes } = records;
  const isWorthIt = kind !== "account_user" || touches !== undefined;
  if (!isRecorded(kind) || !isWorthIt) return writes;
  const { accountId } = actor;
  const from = sql`from ${records.from} where ${records.accountId} = ${accountId}
    and ${identified(records, identifier)}`;
  const eventIds = onCall && [...onCall.replacedIds, ...onCall.events.map(({ id }) => id)];
  const named = eventIds && sql`select value from json_each(${JSON.stringify(eventIds)})`;
  const touched = touches ?? named;
  const entry: NewEntry = {
    id: entryId,
    now,
    actor,
    verb: undoing ? "undo" : change.verb,
    kind,
    recordId,
    record: { attributes, from },
    ...(touched && { touched }),
    ...(concerns && { scheduleIds: concerns }),
    ...(undoing && { undoes: undoing }),
    ...(correctsPast && { correctsPast }),
    ...(irreversible && { irreversible }),
    ...(relieved && { relieved }),
  };
  return withEntry(accountId, entry, writes);
}

/** What follows from every change, whoever made it. */
function follow(context: Context, change: Change<AnswerName>, after: unknown): void {
  logChange(context, change, after);
  notifyOf(context, [change]);
}

function logChange({ env, actor }: Context, change: Change<AnswerName>, after: unknown): void {
  if (env.LOG_CHANGES !== "on") return;
  console.log({
    message: "change",
    verb: change.verb,
    kind: change.records.kind,
    id: change.id,
    account: actor.accountId,
    by: actor.kind,
    person: "accountUserId" in actor ? actor.accountUserId : null,
    fields: changedFields(change.before, after),
  });
}

function notifyOf(
  { env, actor, waitUntil }: Context,
  changes: readonly Change<AnswerName>[],
): void {
  if (!changes.some(({ records }) => DECIDE_ON_CALL.has(records.kind))) return;
  // After the response: the caller does not wait for notifications.
  waitUntil(scheduler.wait(1).then(() => notifyChanges(env, actor.accountId)));
}

/** Names only: values may be secrets or personal. */
function changedFields(before: unknown, after: unknown): string[] {
  const [was, is] = [before ?? {}, after ?? {}].map((it) => new Map(Object.entries(it)));
  const names = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  return [...names].filter((name) => {
    const same = JSON.stringify(was?.get(name)) === JSON.stringify(is?.get(name));
    return name !== "updated_at" && !same;
  });
}
