// The pages of a team's or a schedule's object that the consumer has not confirmed. Synchronous.
import type { PageMessage } from "../../domain/alerts/notifications/page.ts";
import { confirmationTimeout } from "../shared/retry.ts";
import { sendAll } from "../shared/send-all.ts";

/** Maximum number of pages sent at a time. */
const MAX_PER_RUN = 50;

type PageRow = {
  readonly effect_id: string;
  readonly message: string;
  readonly attempts: number;
};

export class PageOutbox {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  #exists(): boolean {
    const query = "select 1 from sqlite_master where name = 'outbox'";
    return this.#sql.exec(query).toArray().length > 0;
  }

  /** Stores pages; those that are stored already stay as they are. */
  add(pages: readonly PageMessage[]): void {
    if (pages.length === 0) return;
    if (!this.#exists()) {
      this.#sql.exec(`create table outbox (effect_id text primary key, message text not null,
        attempts integer not null default 0, next_at integer not null default 0)`);
    }
    for (const page of pages) {
      this.#sql.exec(
        "insert into outbox (effect_id, message) values (?, ?) on conflict do nothing",
        page.page.effectId,
        JSON.stringify(page),
      );
    }
  }

  /** Removes pages whose attempts the consumer has recorded. */
  confirm(effectIds: readonly string[]): void {
    if (!this.#exists()) return;
    this.#sql.exec(
      "delete from outbox where effect_id in (select value from json_each(?))",
      JSON.stringify(effectIds),
    );
  }

  /**
   * Sends the pages that are due to the queue. They stay stored, and are due again unless they are
   * confirmed in time. Throws if the queue refuses them.
   *
   * @param arm sets the object's alarm
   */
  async send(queue: Queue<PageMessage>, now: number, arm: () => void): Promise<void> {
    if (!this.#exists()) return;
    const query = "select * from outbox where next_at <= ? order by rowid limit ?";
    const rows = this.#sql.exec<PageRow>(query, now, MAX_PER_RUN).toArray();
    if (rows.length === 0) return;
    for (const { effect_id, attempts } of rows) {
      this.#sql.exec(
        "update outbox set attempts = attempts + 1, next_at = ? where effect_id = ?",
        now + confirmationTimeout(attempts),
        effect_id,
      );
    }
    arm();
    const messages = rows.map(({ message }) => JSON.parse(message) as PageMessage);
    await sendAll(queue, messages);
  }

  /** When the next page is due (epoch ms); null: there is none. */
  nextAt(): number | null {
    if (!this.#exists()) return null;
    const query = "select min(next_at) as at from outbox";
    return this.#sql.exec<{ at: number | null }>(query).one().at;
  }
}
