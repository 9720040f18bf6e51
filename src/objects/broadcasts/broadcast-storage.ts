// The storage of a broadcast's object: whom it has notified, unconfirmed pages, and when to check
// the broadcast in D1 again. Synchronous: one turn, one commit.

import {
  type BroadcastInPage,
  EMPTY_RULE_VIEW,
  type PageMessage,
} from "../../domain/alerts/notifications/page.ts";
import type { BroadcastStep } from "../../domain/broadcasts/broadcast.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { earliest } from "../shared/earliest.ts";
import { confirmationTimeout } from "../shared/retry.ts";
import type { WatchedBroadcast } from "../shared/rpc.ts";

export type StoredBroadcast = WatchedBroadcast & {
  readonly since: number;
  /** Whether anyone was notified. */
  readonly hasBegun: boolean;
  /** Closed or errored by the object itself: pending pages are still sent. */
  readonly isEnding: boolean;
  /** When to check D1 again (epoch ms); null = no check is scheduled. */
  readonly checkAt: number | null;
  /** The content to send; null before anyone is notified. */
  readonly content: BroadcastInPage | null;
};

/** Maximum number of messages per send to the queue. */
const MAX_PER_SEND = 50;

export class BroadcastStorage {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  read(): StoredBroadcast | null {
    return this.#storage.kv.get<StoredBroadcast>("broadcast") ?? null;
  }

  #change(changes: Partial<StoredBroadcast>): void {
    const stored = this.read();
    if (stored !== null) this.#storage.kv.put("broadcast", { ...stored, ...changes });
  }

  /** Stores a new broadcast. */
  start(broadcast: WatchedBroadcast, checkAt: number): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(`
        create table if not exists notified (account_user_id text primary key, at integer not null);
        create table if not exists outbox (account_user_id text primary key,
          attempts integer not null default 0, next_at integer not null default 0);
      `);
      const state = { hasBegun: false, isEnding: false, checkAt, content: null };
      this.#storage.kv.put("broadcast", { ...broadcast, ...state, since: Date.now() });
    });
  }

  /** Schedules a check at `at` (epoch ms), unless an earlier one is scheduled. */
  checkAt(at: number): void {
    const stored = this.read();
    if (stored !== null) this.#change({ checkAt: Math.min(at, stored.checkAt ?? at) });
  }

  /** Schedules the next check at `at` (epoch ms), also if an earlier one is scheduled. */
  postpone(at: number): void {
    this.#change({ checkAt: at });
  }

  notifiedIds(): Set<string> {
    const rows = this.#storage.sql.exec<{ id: string }>(
      "select account_user_id as id from notified",
    );
    return new Set(rows.toArray().map(({ id }) => id));
  }

  unconfirmed(): number {
    return this.#storage.sql.exec<{ count: number }>("select count(*) as count from outbox").one()
      .count;
  }

  /** Commits a step: whom it notifies, and when to check again. */
  commit(
    content: BroadcastInPage,
    { toNotify, status, checkAt }: BroadcastStep,
    now: number,
  ): void {
    this.#storage.transactionSync(() => {
      for (const id of toNotify) {
        this.#storage.sql.exec("insert into notified values (?, ?)", id, now);
        this.#storage.sql.exec("insert into outbox (account_user_id) values (?)", id);
      }
      const isEnding = status === "closed" || status === "errored";
      const hasBegun = this.read()?.hasBegun === true || toNotify.length > 0;
      this.#change({ content, checkAt, hasBegun, isEnding });
    });
  }

  /** The pages to send to the queue now; they are due again unless confirmed in time. */
  pagesDue(now: number): PageMessage[] {
    const stored = this.read();
    if (stored === null || stored.content === null) return [];
    const { content } = stored;
    const { sql } = this.#storage;
    type Row = { id: string; at: number; attempts: number };
    const rows = sql
      .exec<Row>(
        `select outbox.account_user_id as id, notified.at as at, outbox.attempts as attempts
          from outbox join notified using (account_user_id)
          where next_at <= ? order by outbox.rowid limit ?`,
        now,
        MAX_PER_SEND,
      )
      .toArray();
    for (const { id, attempts } of rows) {
      sql.exec(
        "update outbox set attempts = attempts + 1, next_at = ? where account_user_id = ?",
        now + confirmationTimeout(attempts),
        id,
      );
    }
    return rows.map(({ id, at }) => messageOf(stored, content, id, at));
  }

  /** Removes pages whose attempts are recorded; returns how many are left. */
  confirm(effectIds: readonly string[]): number {
    const ids = JSON.stringify(effectIds.map((effectId) => effectId.split(":")[1] ?? ""));
    this.#storage.sql.exec(
      "delete from outbox where account_user_id in (select value from json_each(?))",
      ids,
    );
    return this.unconfirmed();
  }

  /** Deletes everything, including the alarm. */
  deleteAll(): void {
    this.#storage.kv.delete("broadcast");
    void this.#storage.deleteAlarm();
    void this.#storage.deleteAll();
  }

  /** When the next check or page is due (epoch ms); null = neither. */
  nextAt(): number | null {
    const stored = this.read();
    if (stored === null) return null;
    const page = this.#storage.sql
      .exec<{ at: number | null }>("select min(next_at) as at from outbox")
      .one();
    return earliest(stored.checkAt, page.at);
  }
}

/** The page of one recipient, with an id derived from the broadcast's and the recipient's. */
function messageOf(
  { id, accountId }: WatchedBroadcast,
  broadcast: BroadcastInPage,
  accountUserId: string,
  at: number,
): PageMessage {
  const text = broadcast.description ?? "";
  return {
    accountId,
    page: {
      effectId: `${id}:${accountUserId}`,
      event: "broadcast.sent",
      accountUserId,
      workflowId: null,
      layer: null,
      pass: null,
      at,
      until: null,
      detail: null,
    },
    alert: null,
    notice: { schedule: prefixIdOf("broadcast", id), subject: broadcast.title, text, broadcast },
    stage: 0,
    view: EMPTY_RULE_VIEW,
  };
}
