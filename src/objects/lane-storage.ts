// An inbox's lanes: which alert is the newest of each `Id`, and which `Id` is meant by what comes without one: by its
// keys, or by its title. All synchronous; most inboxes need no more than the first table.

import type { AlertReference } from "../domain/opsgenie-identifiers.ts";

/** The newest alert of an `Id`. */
export type Lane = { readonly alertId: string; readonly finished: boolean };

export const LANES_SCHEMA = `
  create table lanes (id text primary key, alert_id text not null, finished integer not null default 0,
    updated_at integer not null) without rowid;
`;

/** Tables that few inboxes need are made when they do. */
export function hasTable(sql: SqlStorage, table: string): boolean {
  const query = "select 1 from sqlite_master where type = 'table' and name = ?";
  return sql.exec(query, table).toArray().length > 0;
}

export class LaneStorage {
  readonly #sql: SqlStorage;
  /** The same, with the inbox's tables made if they were not there. */
  readonly #made: () => SqlStorage;

  constructor(sql: SqlStorage, made: () => SqlStorage) {
    this.#sql = sql;
    this.#made = made;
  }

  /** The newest alert of a lane; null before its first. */
  newest(id: string): Lane | null {
    const [row] = this.#sql
      .exec<{ alert_id: string; finished: number }>(
        "select alert_id, finished from lanes where id = ?",
        id,
      )
      .toArray();
    return row ? { alertId: row.alert_id, finished: row.finished === 1 } : null;
  }

  /** The lane whose newest alert this is. */
  ofReference(reference: Exclude<AlertReference, { by: "request" }>): string | null {
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

  /** Notes which alert is the newest of a lane. */
  keep(id: string, lane: Lane, now: number): void {
    this.#sql.exec(
      `insert into lanes values (?1, ?2, ?3, ?4)
        on conflict (id) do update set alert_id = ?2, finished = ?3, updated_at = ?4`,
      id,
      lane.alertId,
      lane.finished ? 1 : 0,
      now,
    );
  }

  /** Notes that the keys' newest create went to this lane. */
  keepKeys(keys: readonly string[], lane: string): void {
    if (keys.length === 0) return;
    const sql = this.#made();
    sql.exec("create table if not exists keys (key text primary key, lane text) without rowid");
    for (const key of keys) sql.exec("insert or replace into keys values (?, ?)", key, lane);
  }

  /** The lane of the newest create with any of these keys. */
  ofKeys(keys: readonly string[]): string | null {
    if (keys.length === 0 || !hasTable(this.#sql, "keys")) return null;
    const query = "select lane from keys where key in (select value from json_each(?)) limit 1";
    const [row] = this.#sql.exec<{ lane: string }>(query, JSON.stringify(keys)).toArray();
    return row?.lane ?? null;
  }

  /** The lane that creates of this title go to: that of the first, while its window lasts; else `own`, anew. */
  ofTitle(title: string, own: string, windowMs: number, now: number): string {
    const sql = this.#made();
    sql.exec(`create table if not exists titles (title text primary key, lane text, until integer)
      without rowid`);
    sql.exec("delete from titles where until <= ?", now);
    const query = "select lane from titles where title = ?";
    const [row] = sql.exec<{ lane: string }>(query, title).toArray();
    if (row) return row.lane;
    sql.exec("insert into titles values (?, ?, ?)", title, own, now + windowMs);
    return own;
  }

  /** The alert is no more: whatever leads to it is forgotten. */
  forgetAlert(alertId: string): void {
    if (!hasTable(this.#sql, "lanes")) return;
    const sql = this.#sql;
    const query = "delete from lanes where alert_id = ? returning id";
    for (const { id } of sql.exec<{ id: string }>(query, alertId).toArray()) {
      if (hasTable(this.#sql, "keys")) sql.exec("delete from keys where lane = ?", id);
      this.endTitle(id);
    }
  }

  /** What went to this lane has ended: the next of its title is the first of another window. */
  endTitle(lane: string): void {
    if (hasTable(this.#sql, "titles")) this.#sql.exec("delete from titles where lane = ?", lane);
  }
}
