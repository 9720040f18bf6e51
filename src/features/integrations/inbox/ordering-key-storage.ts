// The storage of an inbox's ordering keys: the newest alert of each `Id`, and the `Id` for events
// without one, by dedup key or by title. Synchronous. Most inboxes need only the first table.

import type { AlertReference } from "../../../domain/integrations/opsgenie-identifiers.ts";

export const ORDERING_KEYS_SCHEMA = `
  create table ordering_keys (ordering_key text primary key, alert_id text not null) without rowid;
`;

const DEDUP_KEYS_SCHEMA = `
  create table if not exists dedup_keys (dedup_key text primary key, ordering_key text not null)
    without rowid;
  create index if not exists dedup_keys_of on dedup_keys (ordering_key);
`;

/** Whether a table exists: those that few inboxes need are created on first use. */
export function hasTable(sql: SqlStorage, table: string): boolean {
  const query = "select 1 from sqlite_master where type = 'table' and name = ?";
  return sql.exec(query, table).toArray().length > 0;
}

export class OrderingKeyStorage {
  readonly #sql: SqlStorage;
  /** Returns the same after creating the inbox's tables if they do not exist. */
  readonly #ensureTables: () => SqlStorage;

  constructor(sql: SqlStorage, ensureTables: () => SqlStorage) {
    this.#sql = sql;
    this.#ensureTables = ensureTables;
  }

  /** The id of the newest alert of an ordering key; null before its first, and once it is forgotten. */
  newest(orderingKey: string): string | null {
    const query = "select alert_id from ordering_keys where ordering_key = ?";
    const [row] = this.#sql.exec<{ alert_id: string }>(query, orderingKey).toArray();
    return row?.alert_id ?? null;
  }

  /** The ordering key whose newest alert matches; null if none does. */
  findByReference(reference: Exclude<AlertReference, { by: "request" }>): string | null {
    const first = reference.by === "alert" ? reference.id : reference.prefix;
    const [row] = this.#sql
      .exec<{ ordering_key: string }>(
        `select ordering_key from ordering_keys where alert_id >= ? and alert_id <= ?
          order by alert_id desc limit 1`,
        first,
        first.padEnd(26, "Z"),
      )
      .toArray();
    return row?.ordering_key ?? null;
  }

  /** Stores the newest alert of an ordering key. */
  store(orderingKey: string, alertId: string): void {
    this.#sql.exec(
      `insert into ordering_keys values (?1, ?2) on conflict (ordering_key) do update
        set alert_id = excluded.alert_id where alert_id <> excluded.alert_id`,
      orderingKey,
      alertId,
    );
  }

  /** Records that the newest create with these dedup keys has this ordering key. */
  storeDedupKeys(dedupKeys: readonly string[], orderingKey: string): void {
    if (dedupKeys.length === 0) return;
    const sql = this.#ensureTables();
    if (!hasTable(sql, "dedup_keys")) sql.exec(DEDUP_KEYS_SCHEMA);
    for (const dedupKey of dedupKeys) {
      sql.exec(
        `insert into dedup_keys values (?, ?) on conflict (dedup_key) do update
          set ordering_key = excluded.ordering_key where ordering_key <> excluded.ordering_key`,
        dedupKey,
        orderingKey,
      );
    }
  }

  /** The ordering key of the newest create with any of these dedup keys. */
  findByDedupKeys(dedupKeys: readonly string[]): string | null {
    if (dedupKeys.length === 0 || !hasTable(this.#sql, "dedup_keys")) return null;
    const [row] = this.#sql
      .exec<{ ordering_key: string }>(
        `select ordering_key from dedup_keys
          where dedup_key in (select value from json_each(?)) limit 1`,
        JSON.stringify(dedupKeys),
      )
      .toArray();
    return row?.ordering_key ?? null;
  }

  /** The ordering key of creates with this title within a window: the first one's, else `own`. */
  claimTitle(title: string, own: string, windowMs: number, now: number): string {
    const sql = this.#ensureTables();
    sql.exec(`create table if not exists titles (title text primary key, ordering_key text,
      until integer) without rowid`);
    sql.exec("delete from titles where until <= ?", now);
    const query = "select ordering_key from titles where title = ?";
    const [row] = sql.exec<{ ordering_key: string }>(query, title).toArray();
    if (row) return row.ordering_key;
    sql.exec("insert into titles values (?, ?, ?)", title, own, now + windowMs);
    return own;
  }

  /** Whether creates with this title share an ordering key at `now` (epoch ms). */
  hasTitle(title: string, now: number): boolean {
    if (!hasTable(this.#sql, "titles")) return false;
    const query = "select 1 from titles where title = ? and until > ?";
    return this.#sql.exec(query, title, now).toArray().length > 0;
  }

  /** The ordering keys of an alert besides its own: of other `Id`s with its dedup key or title. */
  othersOf(alertId: string, own: string): string[] {
    if (!hasTable(this.#sql, "titles") && !hasTable(this.#sql, "dedup_keys")) return [];
    const query = "select ordering_key from ordering_keys where alert_id = ? and ordering_key <> ?";
    const rows = this.#sql.exec<{ ordering_key: string }>(query, alertId, own).toArray();
    return rows.map((row) => row.ordering_key);
  }

  /** Deletes an ordering key if this is its newest alert, and what refers to it. */
  forget(orderingKey: string, alertId: string): void {
    const { rowsWritten } = this.#sql.exec(
      "delete from ordering_keys where ordering_key = ? and alert_id = ?",
      orderingKey,
      alertId,
    );
    if (rowsWritten === 0) return;
    if (hasTable(this.#sql, "dedup_keys")) {
      this.#sql.exec("delete from dedup_keys where ordering_key = ?", orderingKey);
    }
    this.endTitle(orderingKey);
  }

  /** Ends the title window of an ordering key: the next create with the title starts another. */
  endTitle(orderingKey: string): void {
    if (!hasTable(this.#sql, "titles")) return;
    this.#sql.exec("delete from titles where ordering_key = ?", orderingKey);
  }
}
