// What a broadcast's object keeps: whom it has told, the pages that are not confirmed, and when to look again.
// Everything here is synchronous: one turn, one commit.
import type { BroadcastStep } from "../domain/broadcast.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { type BroadcastInPage, NOTHING_TO_MATCH, type PageMessage } from "../domain/page.ts";
import { earliest } from "./earliest.ts";
import { confirmationTimeout } from "./retry.ts";
import type { WatchedBroadcast } from "./rpc.ts";

export type HeldBroadcast = WatchedBroadcast & {
  readonly since: number;
  /** Whether anybody was told. */
  readonly hasBegun: boolean;
  /** Closed by its deadline: what is on its way still arrives. */
  readonly isEnding: boolean;
  /** When to look at D1 again (epoch ms); null = not by itself. */
  readonly lookAt: number | null;
  /** What is told; null before anybody is. */
  readonly content: BroadcastInPage | null;
};

/** Messages that one call hands to the queue. */
const MOST_AT_ONCE = 50;

export class BroadcastStorage {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  read(): HeldBroadcast | null {
    return this.#storage.kv.get<HeldBroadcast>("broadcast") ?? null;
  }

  #change(changes: Partial<HeldBroadcast>): void {
    const held = this.read();
    if (held !== null) this.#storage.kv.put("broadcast", { ...held, ...changes });
  }

  /** Begins to keep a broadcast. */
  begin(broadcast: WatchedBroadcast, lookAt: number): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec(`
        create table if not exists told (account_user_id text primary key, at integer not null);
        create table if not exists outbox (account_user_id text primary key,
          attempts integer not null default 0, next_at integer not null default 0);
      `);
      const state = { hasBegun: false, isEnding: false, lookAt, content: null };
      this.#storage.kv.put("broadcast", { ...broadcast, ...state, since: Date.now() });
    });
  }

  /** Looks at D1 at `at` (epoch ms), or sooner if that was meant before. */
  lookAt(at: number): void {
    const held = this.read();
    if (held !== null) this.#change({ lookAt: Math.min(at, held.lookAt ?? at) });
  }

  /** Looks at D1 at `at` (epoch ms) and not before. */
  postpone(at: number): void {
    this.#change({ lookAt: at });
  }

  told(): Set<string> {
    const rows = this.#storage.sql.exec<{ id: string }>("select account_user_id as id from told");
    return new Set(rows.toArray().map(({ id }) => id));
  }

  unconfirmed(): number {
    return this.#storage.sql.exec<{ count: number }>("select count(*) as count from outbox").one()
      .count;
  }

  /** Commits a step: whom it tells, and when to look again. */
  commit(content: BroadcastInPage, { tell, status, lookAt }: BroadcastStep, now: number): void {
    this.#storage.transactionSync(() => {
      for (const id of tell) {
        this.#storage.sql.exec("insert into told values (?, ?)", id, now);
        this.#storage.sql.exec("insert into outbox (account_user_id) values (?)", id);
      }
      const isEnding = status === "closed" || status === "errored";
      const hasBegun = this.read()?.hasBegun === true || tell.length > 0;
      this.#change({ content, lookAt, hasBegun, isEnding });
    });
  }

  /** Takes the pages to hand to the queue now: they are due again unless they are confirmed in time. */
  pagesDue(now: number): PageMessage[] {
    const held = this.read();
    if (held === null || held.content === null) return [];
    const { content } = held;
    const { sql } = this.#storage;
    type Row = { id: string; at: number; attempts: number };
    const rows = sql
      .exec<Row>(
        `select outbox.account_user_id as id, told.at as at, outbox.attempts as attempts
          from outbox join told using (account_user_id)
          where next_at <= ? order by outbox.rowid limit ?`,
        now,
        MOST_AT_ONCE,
      )
      .toArray();
    for (const { id, attempts } of rows) {
      sql.exec(
        "update outbox set attempts = attempts + 1, next_at = ? where account_user_id = ?",
        now + confirmationTimeout(attempts),
        id,
      );
    }
    return rows.map(({ id, at }) => messageOf(held, content, id, at));
  }

  /** Removes the pages whose attempt has been recorded; returns how many are left. */
  confirm(effectIds: readonly string[]): number {
    const ids = JSON.stringify(effectIds.map((effectId) => effectId.split(":")[1] ?? ""));
    this.#storage.sql.exec(
      "delete from outbox where account_user_id in (select value from json_each(?))",
      ids,
    );
    return this.unconfirmed();
  }

  /** Keeps nothing any more. */
  forget(): void {
    this.#storage.kv.delete("broadcast");
    void this.#storage.deleteAlarm();
    void this.#storage.deleteAll();
  }

  /** The next look, or when a page is handed over again (epoch ms); null = neither. */
  nextAt(): number | null {
    const held = this.read();
    if (held === null) return null;
    const page = this.#storage.sql
      .exec<{ at: number | null }>("select min(next_at) as at from outbox")
      .one();
    return earliest(held.lookAt, page.at);
  }
}

/** The page of one recipient: known by an id that follows from both. */
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
    view: NOTHING_TO_MATCH,
  };
}
