// Erases people who were removed: in D1 and in every object, what an account stored of them no longer says who they were;
// once no account has them any more, the person's own rows go. Each step is noted, so that a run that is cut off is
// continued by the next, and each may be done again.
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import {
  erasedById,
  finishErasure,
  type RemovedMember,
  rewriteRow,
  saveProgress,
  selectAlertsFrom,
  selectColumns,
  selectDue,
  selectNaming,
  selectObjects,
  selectTraces,
  type TextTable,
  toRemovedMember,
  toTextTables,
} from "../db/erasure-rows.ts";
import { type Anonymizer, anonymizer, type Traces } from "../domain/anonymize.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { DAY } from "../domain/time.ts";
import { notifyMemberRemovals } from "./member-removals.ts";
import { notifyOnCallChanges } from "./on-call-changes.ts";
import type { Anonymizing } from "./rpc.ts";
import { anonymizingObject } from "./stubs.ts";

/** How long a person without any membership is stored: they may come back (ms). */
const ERASED_AFTER_MS = 30 * DAY;
/** How long one run works (ms): of the sweep, or of the request that asks. */
const RUN_MS = 20_000;
const MOST_PEOPLE = 20;
const MOST_OBJECTS = 200;
const OBJECTS_AT_ONCE = 20;
const MOST_ROWS = 2_000;
const MOST_WRITES = 50;
/** What is written while an erasure runs may name the person again: it is looked through until nothing changes. */
const MOST_PASSES = 4;
/** Between two passes (ms): what the queue, or an object's write, had in hand is stored by then. */
const PAUSE_MS = 1_000;

/** Texts that we wrote ourselves, where a name of one word is the person's. */
const OURS: readonly string[] = [
  "sublogs",
  "deliveries",
  "notifications",
  "idempotency_keys",
  "member_removals",
];

type Progress = {
  readonly pass: number;
  /** The pass begins then (epoch ms). */
  readonly notBefore: number;
  /** Objects up to this one (its kind, its record's id) have been seen to; null once all have. */
  readonly objectsAfter: readonly [kind: string, id: string] | null;
  readonly table: string | null;
  /** Rows of the table up to this key have been seen to. */
  readonly after: readonly unknown[] | null;
  /** Whether this pass has found anything. */
  readonly changed: boolean;
};

const BEGINNING: Progress = {
  ...{ pass: 1, notBefore: 0, objectsAfter: ["", ""], changed: false },
  ...{ table: null, after: null },
};

type Erasure = {
  readonly env: Cloudflare.Env;
  readonly member: RemovedMember;
  readonly traces: Traces;
  readonly without: Anonymizer;
  readonly emailIds: readonly string[];
  readonly tables: readonly TextTable[];
};

/**
 * Erases whoever is due. Throws when somebody could not be erased, after all the others.
 *
 * @param userId only this person; null = anybody
 */
export async function eraseRemoved(
  env: Cloudflare.Env,
  now: number,
  userId: string | null = null,
): Promise<void> {
  const until = now + RUN_MS;
  const failed: string[] = [];
  let failure: unknown = null;
  for (let people = 0; people < MOST_PEOPLE && Date.now() < until; people += 1) {
    const due = selectDue(now - ERASED_AFTER_MS, userId, failed);
    const row = await statement(env.DB, due).first<RawRow>();
    if (!row) break;
    const member = toRemovedMember(row);
    try {
      if (!(await erase(env, member, until))) break;
    } catch (error) {
      failed.push(member.accountUserId);
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
}

/** Whether it came to its end in time. */
async function erase(env: Cloudflare.Env, member: RemovedMember, until: number): Promise<boolean> {
  const [found, columns] = await env.DB.batch<RawRow>(
    [selectTraces(member), selectColumns].map((query) => statement(env.DB, query)),
  );
  const row = found?.results[0];
  const listOf = (json: unknown): string[] => JSON.parse(String(json));
  const emails = listOf(row?.emails ?? "[]");
  if (row) {
    const { accountId, accountUserId } = member;
    // What the removal itself has others told names the person: it is written first.
    await notifyMemberRemovals(env, accountId);
    await notifyOnCallChanges(env, accountId);
    const addresses = [...emails, ...listOf(row.phones)];
    const traces = { accountId, accountUserId, name: String(row.name), addresses };
    const tables = toTextTables(columns?.results ?? []);
    const emailIds = listOf(row.email_ids);
    const erasure = { env, member, traces, without: anonymizer(traces), emailIds, tables };
    let progress: Progress | null =
      member.progress === null ? BEGINNING : (JSON.parse(member.progress) as Progress);
    while (progress !== null) {
      if (Math.max(Date.now(), progress.notBefore) >= until) return false;
      await scheduler.wait(Math.max(0, progress.notBefore - Date.now()));
      progress = await step(erasure, progress);
      if (progress === null) break;
      const saved = saveProgress(accountUserId, JSON.stringify(progress));
      await statement(env.DB, saved).run();
    }
  }
  const last = finishErasure(member, emails, Date.now()).map((query) => statement(env.DB, query));
  await env.DB.batch(last);
  return true;
}

/** One step of an erasure; null after the last. */
async function step(erasure: Erasure, progress: Progress): Promise<Progress | null> {
  const { env, member, traces, tables } = erasure;
  if (progress.objectsAfter !== null)
    return anonymizeObjects(erasure, progress, progress.objectsAfter);
  const table = tables.find(({ name }) => progress.table === null || name >= progress.table);
  if (table === undefined) {
    if (!progress.changed || progress.pass >= MOST_PASSES) return null;
    return { ...BEGINNING, pass: progress.pass + 1, notBefore: Date.now() + PAUSE_MS };
  }
  const after = table.name === progress.table ? progress.after : null;
  const [last, naming] = await env.DB.batch<RawRow>(
    selectNaming(table, traces, member.userId, after, MOST_ROWS).map((query) =>
      statement(env.DB, query),
    ),
  );
  const changed = await rewriteRows(erasure, table, naming?.results ?? []);
  const isChanged = progress.changed || changed;
  const key = last?.results[0];
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
  const found = selectObjects(traces, after, MOST_OBJECTS);
  const { results } = await statement(env.DB, found).all<RawRow>();
  const last = results.at(-1);
  if (last) {
    const changed = await visit(erasure, results.flatMap(objectsNamed));
    const reached = [String(last.kind), String(last.id)] as const;
    return { ...progress, objectsAfter: reached, changed: progress.changed || changed };
  }
  const own = prefixIdOf("account_user", member.accountUserId);
  // A mail for a forgotten password waits half an hour at most, in an object that only the address names. The object of
  // the person's security mail holds instants: the notices are rows.
  const mails = emailIds.map((id) => prefixIdOf("email", id));
  const changed = await visit(erasure, [
    ["person", own],
    ["welcome", own],
    ...mails.map((name) => ["access_mail", name] as const),
  ]);
  const byId = erasedById(traces).map((query) => statement(env.DB, query));
  await env.DB.batch(byId);
  return { ...progress, objectsAfter: null, changed: progress.changed || changed };
}

/** The objects of a row of `selectObjects`. */
function objectsNamed({ kind, id }: RawRow): (readonly [Anonymizing, string])[] {
  const name = (of: Parameters<typeof prefixIdOf>[0]) => prefixIdOf(of, String(id));
  if (kind === "person") return [["person", name("account_user")]];
  if (kind !== "integration") {
    const same = kind as "alert" | "broadcast" | "schedule" | "team";
    return [[same, name(same)]];
  }
  return [
    ["inbox", name("integration")],
    ["outgoing", name("integration")],
  ];
}

/** Has objects anonymize what they hold: whether any held something. Throws when one cannot: the step is done again. */
async function visit(
  { env, traces }: Erasure,
  objects: readonly (readonly [Anonymizing, string])[],
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

/** Rewrites rows, after the objects that would write them again. Whether any was. */
async function rewriteRows(
  erasure: Erasure,
  table: TextTable,
  rows: readonly RawRow[],
): Promise<boolean> {
  const { env, without } = erasure;
  const isOurs = OURS.includes(table.name);
  const changes = rows.flatMap((row) => {
    const changed: Record<string, string> = {};
    for (const column of table.texts) {
      const text = row[column];
      if (typeof text !== "string") continue;
      const rewritten = without.stored(text, isOurs);
      if (rewritten !== text) changed[column] = rewritten;
    }
    return Object.keys(changed).length === 0 ? [] : [{ row, changed }];
  });
  if (changes.length === 0) return false;
  await visit(
    erasure,
    await objectsOf(
      erasure,
      table,
      changes.map(({ row }) => row),
    ),
  );
  for (let from = 0; from < changes.length; from += MOST_WRITES) {
    const some = changes.slice(from, from + MOST_WRITES);
    const writes = some.map(({ row, changed }) => rewriteRow(table, row, changed));
    await env.DB.batch(writes.map((query) => statement(env.DB, query)));
  }
  return true;
}

/** The objects that hold what rows were made of. */
async function objectsOf(
  { env, traces }: Erasure,
  { name }: TextTable,
  rows: readonly RawRow[],
): Promise<(readonly [Anonymizing, string])[]> {
  const idsIn = (column: string) =>
    rows.map((row) => row[column]).filter((it): it is string => typeof it === "string");
  const logs = name === "logs" ? idsIn("id") : [];
  const made =
    logs.length === 0
      ? []
      : (await statement(env.DB, selectAlertsFrom(traces.accountId, logs)).all<RawRow>()).results;
  const alerts = new Set([
    ...(name === "alerts" ? idsIn("id") : []),
    ...(name === "sublogs" ? idsIn("log_id") : []),
    ...idsIn("alert_id"),
    ...made.map(({ id }) => String(id)),
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
