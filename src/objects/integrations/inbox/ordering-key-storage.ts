// The storage of an inbox's ordering keys: the newest alert of each `Id`, and the `Id` for events
// without one, by dedup key or by title. Synchronous. Most inboxes need only the first table.

import type { AlertReference } from "../../../domain/integrations/opsgenie-identifiers.ts";

/** The newest alert of an `Id`. */
export type NewestAlert = { readonly alertId: string; readonly finished: boolean };

export const ORDERING_KEYS_SCHEMA = `
  create table lanes (id text primary key, alert_id text not null, finished integer not null default 0,
    updated_at integer not null) without rowid;
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

  /** The newest alert of an ordering key; null before its first. */
  newest(id: string): NewestAlert | null {
    const [row] = this.#sql
      .exec<{ alert_id: string; finished: number }>(
        "select alert_id, finished from lanes where id = ?",
        id,
      )
      .toArray();
    return row ? { alertId: row.alert_id, finished: row.finished === 1 } : null;
  }

  /** The ordering key whose newest alert matches; null if none does. */
  findByReference(reference: Exclude<AlertReference, { by: "request" }>): string | null {
    const first = reference.by === "alert" ? reference.id : reference.prefix;
    const [row] = this.#sql
      .exec<{ id: string }>(
        "select id from lanes where alert_id >= ? and alert_id <= ? order by alert_id desc limit 1",
        first,
        first.padEnd(26, "Z"),
      )
      .toArray();
    return row?.id ?? null;
  }

  /** Stores the newest alert of an ordering key. */
  store(id: string, newest: NewestAlert, now: number): void {
    this.#sql.exec(
      `insert into lanes values (?1, ?2, ?3, ?4)
        on conflict (id) do update set alert_id = ?2, finished = ?3, updated_at = ?4`,
      id,
      newest.alertId,
      newest.finished ? 1 : 0,
      now,
    );
  }

  /** Records that the newest create with these dedup keys has this ordering key. */
  storeKeys(keys: readonly string[], orderingKey: string): void {
    if (keys.length === 0) return;
    const sql = this.#ensureTables();
    sql.exec("create table if not exists keys (key text primary key, lane text) without rowid");
    for (const key of keys) sql.exec("insert or replace into keys values (?, ?)", key, orderingKey);
  }

  /** The ordering key of the newest create with any of these dedup keys. */
  findByKeys(keys: readonly string[]): string | null {
    if (keys.length === 0 || !hasTable(this.#sql, "keys")) return null;
    const query = "select lane from keys where key in (select value from json_each(?)) limit 1";
    const [row] = this.#sql.exec<{ lane: string }>(query, JSON.stringify(keys)).toArray();
    return row?.lane ?? null;
  }

  /** The ordering key of creates with this title within a window: the first one's, else `own`. */
  claimTitle(title: string, own: string, windowMs: number, now: number): string {
    const sql = this.#ensureTables();
    sql.exec(`create table if not exists titles (title text primary key, lane text, until integer)
      without rowid`);
    sql.exec("delete from titles where until <= ?", now);
    const query = "select lane from titles where title = ?";
    const [row] = sql.exec<{ lane: string }>(query, title).toArray();
    if (row) return row.lane;
    sql.exec("insert into titles values (?, ?, ?)", title, own, now + windowMs);
    return own;
  }

  /** Deletes the ordering keys of a retired alert and what refers to them. */
  forgetAlert(alertId: string): void {
    if (!hasTable(this.#sql, "lanes")) return;
    const sql = this.#sql;
    const query = "delete from lanes where alert_id = ? returning id";
    for (const { id } of sql.exec<{ id: string }>(query, alertId).toArray()) {
      if (hasTable(this.#sql, "keys")) sql.exec("delete from keys where lane = ?", id);
      this.endTitle(id);
    }
  }

  /** Ends the title window of an ordering key: the next create with the title starts another. */
  endTitle(key: string): void {
    if (hasTable(this.#sql, "titles")) this.#sql.exec("delete from titles where lane = ?", key);
  }
}
