// Erases removed people: anonymizes what the account stored of them, in D1 and in every object, and
// deletes the person's own rows once no account has them. Each step's progress is stored, so that
// the next run continues an interrupted one. Every step is idempotent.

import {
  type Anonymizer,
  createAnonymizer,
  type PersonTraces,
} from "../../../domain/shared/anonymize.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { RawRow } from "../../../kernel/db/attributes.ts";
import { statement } from "../../../kernel/db/database.ts";
import { all, batch, first } from "../../../kernel/db/select.ts";
import { notifyMemberRemovals } from "../../change/member-removals.ts";
import { notifyOnCallChanges } from "../../change/on-call-changes.ts";
import type { AnonymizableKind } from "../../rpc.ts";
import { anonymizingObject } from "../../stubs.ts";
import {
  type ErasableMember,
  eraseById,
  finishErasure,
  saveProgress,
  selectDue,
  selectTraces,
} from "./erasure-rows.ts";
import { selectAlertsFrom, selectObjects, type TracedObject } from "./traced-objects.ts";
import {
  rewriteRow,
  selectColumns,
  selectNaming,
  type TextTable,
  toTextTables,
} from "./traced-texts.ts";

/** How long a person without any membership is stored (ms): they may return. */
const ERASED_AFTER_MS = 30 * DAY;
/** Duration of a run (ms), in the sweep or in the request that asks. */
const RUN_MS = 20_000;
const MAX_PEOPLE = 20;
const MAX_OBJECTS = 200;
const OBJECTS_AT_ONCE = 20;
const MAX_ROWS = 2_000;
const MAX_WRITES = 50;
/** Maximum number of passes. They repeat until one changes nothing: writes continue meanwhile. */
const MAX_PASSES = 4;
/** Pause between passes (ms): by then the queue and the objects have finished pending writes. */
const PAUSE_MS = 1_000;

/** Text that the service writes itself: a one-word name there is the person's. */
const OWN_TABLES: readonly string[] = [
  "alert_timelines",
  "deliveries",
  "notifications",
  "idempotency_keys",
  "member_removals",
];
const OWN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  alerts: ["timeline", "workflows"],
  logs: ["steps"],
};

type Progress = {
  readonly pass: number;
  /** When the pass begins (epoch ms). */
  readonly notBefore: number;
  /** The last processed object (its kind, its record's id); null once all are processed. */
  readonly objectsAfter: readonly [kind: string, id: string] | null;
  readonly table: string | null;
  /** The key of the last processed row of the table. */
  readonly after: readonly unknown[] | null;
  /** Whether this pass has changed anything. */
  readonly changed: boolean;
};

const INITIAL_PROGRESS: Progress = {
  ...{ pass: 1, notBefore: 0, objectsAfter: ["", ""], changed: false },
  ...{ table: null, after: null },
};

type Erasure = {
  readonly env: Cloudflare.Env;
  readonly member: ErasableMember;
  readonly traces: PersonTraces;
  readonly without: Anonymizer;
  readonly emailIds: readonly string[];
  readonly tables: readonly TextTable[];
};

/**
 * Erases everyone who is due. If someone cannot be erased, erases the others and then throws.
 *
 * @param userId only this person; null = anyone
 */
export async function eraseRemoved(
  env: Cloudflare.Env,
  now: number,
  userId: string | null = null,
): Promise<void> {
  const until = now + RUN_MS;
  const failed: string[] = [];
  let failure: unknown = null;
  for (let people = 0; people < MAX_PEOPLE && Date.now() < until; people += 1) {
    const member = await first(env.DB, selectDue(now - ERASED_AFTER_MS, userId, failed));
    if (member === null) break;
    try {
      if (!(await erase(env, member, until))) break;
    } catch (error) {
      failed.push(member.accountUserId);
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
}

/** Erases one member; false if the time ran out. */
async function erase(env: Cloudflare.Env, member: ErasableMember, until: number): Promise<boolean> {
  const [[known], columns] = await batch(env.DB, [selectTraces(member), selectColumns]);
  const emails = known?.emails ?? [];
  if (known) {
    const { accountId, accountUserId } = member;
    // Notifying others of the removal causes writes that name the person: this happens first.
    await notifyMemberRemovals(env, accountId);
    await notifyOnCallChanges(env, accountId);
    const { name, emailIds } = known;
    const addresses = [...emails, ...known.phones];
    const traces = { accountId, accountUserId, name, addresses };
    const tables = toTextTables(columns);
    const erasure = { env, member, traces, without: createAnonymizer(traces), emailIds, tables };
    let progress: Progress | null =
      member.progress === null ? INITIAL_PROGRESS : (JSON.parse(member.progress) as Progress);
    while (progress !== null) {
      if (Math.max(Date.now(), progress.notBefore) >= until) return false;
      await scheduler.wait(Math.max(0, progress.notBefore - Date.now()));
      progress = await step(erasure, progress);
      if (progress === null) break;
      const saved = saveProgress(accountUserId, JSON.stringify(progress));
      await statement(env.DB, saved).run();
    }
  }
  await batch(env.DB, finishErasure(member, emails, Date.now()));
  return true;
}

/** One step of an erasure; null after the last. */
async function step(erasure: Erasure, progress: Progress): Promise<Progress | null> {
  const { env, member, traces, tables } = erasure;
  if (progress.objectsAfter !== null)
    return anonymizeObjects(erasure, progress, progress.objectsAfter);
  const table = tables.find(({ name }) => progress.table === null || name >= progress.table);
  if (table === undefined) {
    if (!progress.changed || progress.pass >= MAX_PASSES) return null;
    return { ...INITIAL_PROGRESS, pass: progress.pass + 1, notBefore: Date.now() + PAUSE_MS };
  }
  const after = table.name === progress.table ? progress.after : null;
  const [[key], naming] = await batch(
    env.DB,
    selectNaming(table, traces, member.userId, after, MAX_ROWS),
  );
  const changed = await rewriteRows(erasure, table, naming);
  const isChanged = progress.changed || changed;
  if (key) {
    const reached = table.keys.map((name) => key[name]);
    return { ...progress, table: table.name, after: reached, changed: isChanged };
  }
  // A name that sorts right after this table's.
  return { ...progress, table: `${table.name}\0`, after: null, changed: isChanged };
}

// ── Objects ──

async function anonymizeObjects(
  erasure: Erasure,
  progress: Progress,
  after: readonly [kind: string, id: string],
): Promise<Progress> {
  const { env, member, traces, emailIds } = erasure;
  const found = await all(env.DB, selectObjects(traces, after, MAX_OBJECTS));
  const last = found.at(-1);
  if (last) {
    const changed = await visit(erasure, found.flatMap(objectsNamed));
    const reached = [last.kind, last.id] as const;
    return { ...progress, objectsAfter: reached, changed: progress.changed || changed };
  }
  const own = prefixIdOf("account_user", member.accountUserId);
  // Not visited: the object of a password mail, which only the address names and which stores it
  // for half an hour at most, and that of the person's security mail, which stores only instants.
  const mails = emailIds.map((id) => prefixIdOf("email", id));
  const changed = await visit(erasure, [
    ["person", own],
    ["welcome", own],
    ...mails.map((name) => ["access_mail", name] as const),
  ]);
  await batch(env.DB, eraseById(traces));
  return { ...progress, objectsAfter: null, changed: progress.changed || changed };
}

/** The objects of a record, by kind and name. */
function objectsNamed({ kind, id }: TracedObject): (readonly [AnonymizableKind, string])[] {
  if (kind === "person") return [["person", prefixIdOf("account_user", id)]];
  const name = prefixIdOf(kind, id);
  if (kind !== "integration") return [[kind, name]];
  return [
    ["inbox", name],
    ["outgoing", name],
  ];
}

/** Anonymizes objects; returns whether any changed. Throws if one fails: the step is repeated. */
async function visit(
  { env, traces }: Erasure,
  objects: readonly (readonly [AnonymizableKind, string])[],
): Promise<boolean> {
  let changes = 0;
  for (let from = 0; from < objects.length; from += OBJECTS_AT_ONCE) {
    const some = objects.slice(from, from + OBJECTS_AT_ONCE);
    const found = await Promise.all(
      some.map(([kind, name]) => anonymizingObject(env, kind, name).anonymize(traces)),
    );
    changes += found.reduce((sum, it) => sum + it, 0);
  }
  return changes > 0;
}

// ── Rows ──

/** Rewrites rows, after the objects that might write them again. Returns whether any changed. */
async function rewriteRows(
  erasure: Erasure,
  table: TextTable,
  rows: readonly RawRow[],
): Promise<boolean> {
  const { env, without } = erasure;
  const isOwnTable = OWN_TABLES.includes(table.name);
  const ownColumns = OWN_COLUMNS[table.name] ?? [];
  const changes = rows.flatMap((row) => {
    const changed: Record<string, string> = {};
    for (const column of table.texts) {
      const text = row[column];
      if (typeof text !== "string") continue;
      const rewritten = without.stored(text, isOwnTable || ownColumns.includes(column));
      if (rewritten !== text) changed[column] = rewritten;
    }
    return Object.keys(changed).length === 0 ? [] : [{ row, changed }];
  });
  if (changes.length === 0) return false;
  await visit(
    erasure,
    await findObjects(
      erasure,
      table,
      changes.map(({ row }) => row),
    ),
  );
  for (let from = 0; from < changes.length; from += MAX_WRITES) {
    const some = changes.slice(from, from + MAX_WRITES);
    const writes = some.map(({ row, changed }) => rewriteRow(table, row, changed));
    await batch(env.DB, writes);
  }
  return true;
}

/** The objects that store the data from which rows were written. */
async function findObjects(
  { env, traces }: Erasure,
  { name }: TextTable,
  rows: readonly RawRow[],
): Promise<(readonly [AnonymizableKind, string])[]> {
  const idsIn = (column: string) =>
    rows.map((row) => row[column]).filter((it): it is string => typeof it === "string");
  const logs = name === "logs" ? idsIn("id") : [];
  const made = logs.length === 0 ? [] : await all(env.DB, selectAlertsFrom(traces.accountId, logs));
  const alerts = new Set([
    ...(name === "alerts" ? idsIn("id") : []),
    ...idsIn("alert_id"),
    ...made.map(({ id }) => id),
  ]);
  const broadcasts = new Set([
    ...(name === "broadcasts" ? idsIn("id") : []),
    ...idsIn("broadcast_id"),
  ]);
  return [
    ...[...alerts].map((id) => ["alert", prefixIdOf("alert", id)] as const),
    ...[...broadcasts].map((id) => ["broadcast", prefixIdOf("broadcast", id)] as const),
  ];
}
