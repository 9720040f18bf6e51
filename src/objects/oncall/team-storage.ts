// The storage of a team's object: who was last on call, the next boundary, the pages. Synchronous.
import type { PageMessage } from "../../domain/alerts/notifications/page.ts";
import type { OnCallLayers } from "../../domain/oncall/shift-handoff.ts";
import { earliest } from "../shared/earliest.ts";
import type { WatchedTeam } from "../shared/rpc.ts";

export type TeamWatch = WatchedTeam & {
  /** The next boundary (epoch ms); null = there is none, or nobody is notified. */
  readonly nextAt: number | null;
  /** Who was on call when this was written; null = nobody is notified of changes. */
  readonly onCall: OnCallLayers | null;
  /** Their names, by account user id. */
  readonly names: Readonly<Record<string, string>>;
  /** The number of handoffs notified so far: identifies a handoff. */
  readonly sent: number;
};

export type TeamPageRow = {
  readonly effect_id: string;
  readonly message: string;
  readonly attempts: number;
};

export class TeamStorage {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  #exists(): boolean {
    const query = "select 1 from sqlite_master where name = 'watch'";
    return this.#storage.sql.exec(query).toArray().length > 0;
  }

  read(): TeamWatch | null {
    if (!this.#exists()) return null;
    const [row] = this.#storage.sql.exec<{ body: string }>("select body from watch").toArray();
    return row ? (JSON.parse(row.body) as TeamWatch) : null;
  }

  /** Deletes everything, including the alarm. Writes nothing if nothing is stored. */
  async empty(): Promise<void> {
    if (this.#exists()) await this.#storage.deleteAll();
  }

  /** Deletes who is on call; unconfirmed pages stay. */
  forget(): void {
    const watch = this.read();
    if (watch === null || watch.onCall === null) return;
    this.commit({ ...watch, onCall: null, nextAt: null, names: {} }, []);
  }

  /** Writes who is on call now and the resulting pages. One commit. */
  commit(watch: TeamWatch, pages: readonly PageMessage[]): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      if (!this.#exists()) {
        sql.exec(`
          create table watch (one integer primary key check (one = 1), body text not null);
          create table outbox (effect_id text primary key, message text not null,
            attempts integer not null default 0, next_at integer not null default 0);
        `);
      }
      sql.exec(
        "insert into watch values (1, ?1) on conflict (one) do update set body = ?1",
        JSON.stringify(watch),
      );
      for (const page of pages) {
        sql.exec(
          "insert into outbox (effect_id, message) values (?, ?) on conflict do nothing",
          page.page.effectId,
          JSON.stringify(page),
        );
      }
    });
  }

  confirm(effectIds: readonly string[]): void {
    if (!this.#exists()) return;
    this.#storage.sql.exec(
      "delete from outbox where effect_id in (select value from json_each(?))",
      JSON.stringify(effectIds),
    );
  }

  /** The pages to send to the queue now. */
  pagesDue(now: number): TeamPageRow[] {
    if (!this.#exists()) return [];
    const query = "select * from outbox where next_at <= ? order by rowid limit 50";
    return this.#storage.sql.exec<TeamPageRow>(query, now).toArray();
  }

  /** Records that pages are being sent; they are due again unless confirmed in time. */
  markSending(rows: readonly TeamPageRow[], nextAt: (attempts: number) => number): void {
    for (const { effect_id, attempts } of rows) {
      this.#storage.sql.exec(
        "update outbox set attempts = attempts + 1, next_at = ? where effect_id = ?",
        nextAt(attempts),
        effect_id,
      );
    }
  }

  /** When the next boundary or page is due (epoch ms); null = neither. */
  nextAt(): number | null {
    if (!this.#exists()) return null;
    const [page] = this.#storage.sql
      .exec<{ at: number | null }>("select min(next_at) as at from outbox")
      .toArray();
    return earliest(this.read()?.nextAt ?? null, page?.at ?? null);
  }
}
