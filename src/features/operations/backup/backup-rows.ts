// The statements of backups and restores. Tables and columns are named by the backup's own list,
// values are bound.

import type { BackupObjectKind, Key } from "../../../domain/operations/backup/backup-format.ts";
import { CANARY_ADDRESS } from "../../../domain/operations/canary.ts";
import { quotedName } from "../../../kernel/db/quoted-name.ts";
import type { BackupTable } from "./backup-tables.ts";

export type Row = readonly (string | number | null)[];

const listed = (names: readonly string[]) => names.map(quotedName).join(", ");
const marks = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `?${from + i}`).join(", ");

/**
 * The canary's account, which each deployment makes for itself: its rows are in no backup, and are no
 * reason to refuse one.
 */
const CANARY = `coalesce((select account_id from user_emails
  where email = '${CANARY_ADDRESS}' and verified_at is not null), '-')`;
const CANARY_USER = `coalesce((select user_id from account_users where account_id = ${CANARY}), '-')`;

/** The condition on rows that are not the canary's. */
function notCanary({ name, plain }: Pick<BackupTable, "name" | "plain">): string {
  if (name === "accounts") return `id <> ${CANARY}`;
  if (name === "users") return `id <> ${CANARY_USER}`;
  return plain.includes("account_id") ? `coalesce(account_id, '') <> ${CANARY}` : "true";
}

/**
 * Reads rows after a key, in the order of keys. A page reads as many rows as it returns. `only`: a further
 * condition.
 */
export async function readRows(
  db: D1Database,
  table: BackupTable,
  columns: readonly string[],
  after: Key | null,
  limit: number,
  only = "true",
): Promise<Row[]> {
  const key = listed(table.key);
  const isAfter = after === null ? "true" : `(${key}) > (${marks(after.length, 2)})`;
  const text = `select ${listed(columns)} from ${quotedName(table.name)}
    where ${isAfter} and ${notCanary(table)} and ${only} order by ${key} limit ?1`;
  return db
    .prepare(text)
    .bind(limit, ...(after ?? []))
    .raw<(string | number | null)[]>();
}

type Names = { readonly from: string; readonly where?: string };

/**
 * The objects that may store something, by kind. Of alerts also those that were resolved lately: the
 * part of the table, which was read before, may have them as open, and their objects correct it.
 */
const NAMES: Readonly<Record<BackupObjectKind, Names>> = {
  alert: {
    from: "alerts",
    where: `status <> 'resolved' and
      (status in ('queued', 'open', 'acknowledged', 'suppressed') or next_step_at is not null)
      or resolved_at > (unixepoch() - 86400) * 1000`,
  },
  inbox: { from: "integrations" },
  person: { from: "account_users" },
  schedule: { from: "schedules" },
  team: { from: "teams" },
  broadcast: { from: "broadcasts", where: "status in ('queued', 'open')" },
  absence: { from: "absences", where: "asking_status is not null and asking_ended_at is null" },
  bulk_operation: { from: "bulk_operations", where: "finished_at is null" },
  calendar_import: { from: "calendar_imports" },
  absence_calendar: { from: "absence_calendars" },
};

export type BackupObject = { readonly id: string; readonly name: string };

/** Lists objects of a kind after an id. */
export async function readObjectNames(
  db: D1Database,
  kind: BackupObjectKind,
  after: Key | null,
  limit: number,
): Promise<BackupObject[]> {
  const { from, where = "true" } = NAMES[kind];
  const text = `select id, prefix_id as name from ${from} where (${where}) and id > ?2
    and account_id <> ${CANARY} order by id limit ?1`;
  const { results } = await db
    .prepare(text)
    .bind(limit, after?.[0] ?? "")
    .all<BackupObject>();
  return results;
}

/** The name of the last migration. */
export async function readSchema(db: D1Database): Promise<string> {
  const text = "select name from d1_migrations order by id desc limit 1";
  return (await db.prepare(text).first<string>("name")) ?? "";
}

/** Whether the database has no account and no person but the canary's. */
export async function isDatabaseEmpty(db: D1Database): Promise<boolean> {
  const text = `select exists (select 1 from accounts where id <> ${CANARY})
    or exists (select 1 from users where id <> ${CANARY_USER}) as used`;
  return (await db.prepare(text).first<number>("used")) === 0;
}

/** The most text (UTF-16 units) that one statement gets; the database accepts 2 MB. */
const MAX_BOUND = 400_000;

/** Inserts rows whose parents are there. A row that is there already stays. */
export function insertRows(
  db: D1Database,
  { name, parents }: BackupTable,
  columns: readonly string[],
  rows: readonly Row[],
): D1PreparedStatement[] {
  const value = (column: string) => `value ->> '$[${columns.indexOf(column)}]'`;
  const conditions = Object.entries(parents).map(
    ([column, parent]) =>
      `(${value(column)} is null or exists (select 1 from ${quotedName(parent)} where id = ${value(column)}))`,
  );
  const where = conditions.length === 0 ? "true" : conditions.join(" and ");
  const values = columns.map(value).join(", ");
  const text = `insert into ${quotedName(name)} (${listed(columns)}) select ${values}
    from json_each(?1) where ${where} on conflict do nothing`;
  return chunksOf(rows).map((chunk) => db.prepare(text).bind(`[${chunk.join(",")}]`));
}

/** The rows as JSON, in chunks that fit a statement; a longer row is a chunk. */
function chunksOf(rows: readonly Row[]): string[][] {
  const chunks: string[][] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const last = chunks.at(-1);
    length = last === undefined || length + text.length > MAX_BOUND ? 0 : length;
    if (last === undefined || length === 0) chunks.push([text]);
    else last.push(text);
    length += text.length;
  }
  return chunks;
}
