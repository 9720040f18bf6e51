// A person's object: stores timers (the next stage of their notification rule, the release of
// deferred notifications) and sends their messages to the queue when due. The queue's consumer
// decides who is reached and how. Calls no provider.

import {
  messageKey,
  type PageMessage,
  releaseKey,
} from "../../domain/alerts/notifications/page.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { AlarmObject, type AlarmWork } from "../shared/alarm-object.ts";
import { confirmationTimeout } from "../shared/retry.ts";
import type { PersonStub, Timer } from "../shared/rpc.ts";
import { sendAll } from "../shared/send-all.ts";
import { alertObject } from "../shared/stubs.ts";

/** Maximum number of timers per run. */
const MAX_PER_RUN = 50;

type Row = { readonly key: string; readonly message: string; readonly attempts: number };

export class PersonObject extends AlarmObject implements PersonStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a person's timers are postponed",
    nextAt: () => this.#nextAt(),
    run: () => this.#sendDue(),
  };

  /** Stores timers; existing ones are unchanged. */
  async expect(timers: readonly Timer[]): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec(`create table if not exists timers (key text primary key, effect text,
      message text not null, attempts integer not null default 0, next_at integer not null)`);
    for (const { at, message } of timers) {
      const isStage = "page" in message;
      sql.exec(
        `insert into timers (key, effect, message, next_at) values (?, ?, ?, ?)
          on conflict do nothing`,
        isStage ? messageKey(message) : releaseKey(message.release),
        isStage ? message.page.effectId : null,
        JSON.stringify(message),
        at,
      );
    }
    this.arm();
  }

  /** Deletes timers whose messages the consumer has processed. */
  async done(keys: readonly string[]): Promise<void> {
    if (!this.#exists()) return;
    this.ctx.storage.sql.exec(
      "delete from timers where key in (select value from json_each(?))",
      JSON.stringify(keys),
    );
    this.arm();
  }

  /** Sends due messages to the queue; they are due again unless `done` is called in time. */
  async #sendDue(): Promise<void> {
    if (!this.#exists()) return;
    const { sql } = this.ctx.storage;
    const now = Date.now();
    const rows = sql
      .exec<Row>(
        "select key, message, attempts from timers where next_at <= ? order by next_at limit ?",
        now,
        MAX_PER_RUN,
      )
      .toArray();
    const areWanted = await Promise.all(rows.map((row) => this.#isWanted(row)));
    const wanted = rows.filter((_, i) => areWanted[i]);
    for (const { key, attempts } of wanted) {
      sql.exec(
        "update timers set attempts = attempts + 1, next_at = ? where key = ?",
        Date.now() + confirmationTimeout(attempts),
        key,
      );
    }
    this.arm();
    await sendAll(
      this.env.PAGES,
      wanted.map(({ message }) => JSON.parse(message)),
    );
  }

  /**
   * Whether the alert still waits for this person's answer, according to its object. If not,
   * deletes the page's timers. Throws if the alert cannot be asked, so that it is asked again.
   */
  async #isWanted({ message }: Row): Promise<boolean> {
    const { page, alert } = JSON.parse(message) as Partial<PageMessage>;
    if (!page || !alert) return true;
    if (await alertObject(this.env, prefixIdOf("alert", alert.id)).asks(page)) return true;
    this.ctx.storage.sql.exec("delete from timers where effect = ?", page.effectId);
    return false;
  }

  #exists(): boolean {
    const { sql } = this.ctx.storage;
    return sql.exec("select 1 from sqlite_master where name = 'timers'").toArray().length > 0;
  }

  #nextAt(): number | null {
    if (!this.#exists()) return null;
    const query = "select min(next_at) as at from timers";
    return this.ctx.storage.sql.exec<{ at: number | null }>(query).one().at;
  }
}
