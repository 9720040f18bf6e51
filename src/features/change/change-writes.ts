// The statements of a change: its own, with what it keeps of the past, its entry of the history and
// who made it.
import { type SQLWrapper, sql } from "drizzle-orm";
import { isRecorded } from "../../domain/oncall/changes/history-entry.ts";
import { NOBODY } from "../../domain/oncall/notices/shift-changes.ts";
import type { Identifier, RecordKind } from "../../domain/shared/identifiers.ts";
import { identified } from "../../kernel/db/identified.ts";
import { newIdOf } from "../../kernel/db/identifiers.ts";
import type { Records } from "../../kernel/db/records.ts";
import type { AnswerName } from "../answers.ts";
import type { Change, Recorded } from "./change.ts";
import { type NewEntry, withEntry } from "./change-entries.ts";
import type { Context } from "./context.ts";
import { attributeOnCallChanges } from "./on-call-change-rows.ts";

/** The kinds of record whose changes may change who is on call, or who is notified of it. */
export const DECIDE_ON_CALL: ReadonlySet<RecordKind> = new Set([
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

/** All statements of a change, in their order. */
export async function writesOf(
  context: Context,
  change: Change<AnswerName>,
): Promise<readonly SQLWrapper[]> {
  const { onCall, records, id } = change;
  const identifier = { form: "id", value: id } as const;
  const entryId = newIdOf("change", context.now);
  const writes = onCall ? await onCall.keepPast(context, change, entryId) : change.writes;
  const all = withHistory(context, { ...change, writes }, entryId, id, identifier);
  return withAuthor(context, records, all);
}

type Unread = Pick<Change<AnswerName>, "verb" | "records" | "writes"> & Recorded;

/**
 * All statements of a change that depends on nothing read before it.
 *
 * @param recordId a select of the record's id
 */
export function unreadWritesOf(
  context: Context,
  change: Unread,
  recordId: NewEntry["recordId"],
  identifier: Identifier,
): readonly SQLWrapper[] {
  const entryId = newIdOf("change", context.now);
  const all = withHistory(context, change, entryId, recordId, identifier);
  return withAuthor(context, change.records, all);
}

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
function withHistory(
  { actor, now }: Context,
  change: Unread & Pick<Change<AnswerName>, "onCall">,
  entryId: string,
  recordId: NewEntry["recordId"],
  identifier: Identifier,
): readonly SQLWrapper[] {
  const { records, writes, onCall, touches, concerns, irreversible, relieved } = change;
  const { undoes, correctsPast } = change;
  const { kind, attributes, restored } = records;
  const isWorthIt = kind !== "account_user" || touches !== undefined;
  if (!isRecorded(kind) || !isWorthIt) return writes;
  const { accountId } = actor;
  const from = sql`from ${records.from} where ${records.accountId} = ${accountId}
    and ${identified(records, identifier)}`;
  const named = onCall && sql`select value from json_each(${JSON.stringify(onCall.eventIds)})`;
  const touched = touches ?? named;
  const entry: NewEntry = {
    id: entryId,
    now,
    actor,
    verb: undoes ? "undo" : change.verb,
    kind,
    recordId,
    record: { attributes, from, ...(restored && { restored }) },
    ...(touched && { touched }),
    ...(concerns && { scheduleIds: concerns }),
    ...(undoes && { undoes }),
    ...(correctsPast && { correctsPast }),
    ...(irreversible && { irreversible }),
    ...(relieved && { relieved }),
  };
  return withEntry(accountId, entry, writes);
}
