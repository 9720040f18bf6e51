// A person's object: what is to happen for them later and at its instant, the next stage of their notification rule,
// the release of what was put aside. It keeps timers, and hands them to the queue when they are due; who is reached, and
// how, is the consumer's to decide. It never calls a provider.
import { prefixIdOf } from "../domain/identifiers.ts";
import { messageKey, type PageMessage, releaseKey } from "../domain/page.ts";
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { confirmationTimeout } from "./retry.ts";
import type { PersonStub, Timer } from "./rpc.ts";
import { sendAll } from "./send-all.ts";
import { alertObject } from "./stubs.ts";

/** Timers seen to in one go. */
const MOST_AT_ONCE = 50;

type Row = { readonly key: string; readonly message: string; readonly attempts: number };

export class PersonObject extends AlarmObject implements PersonStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a person's timers wait",
    nextAt: () => this.#nextAt(),
    run: () => this.#handOver(),
  };

  /** Timers to be kept; those it has already stay as they are. */
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

  /** The consumer's word that what it was handed has been seen to. */
  async done(keys: readonly string[]): Promise<void> {
    if (!this.#exists()) return;
    this.ctx.storage.sql.exec(
      "delete from timers where key in (select value from json_each(?))",
      JSON.stringify(keys),
    );
    this.arm();
  }

  /** What is due goes to the queue, and comes again unless it is said to be done in time. */
  async #handOver(): Promise<void> {
    if (!this.#exists()) return;
    const { sql } = this.ctx.storage;
    const now = Date.now();
    const rows = sql
      .exec<Row>(
        "select key, message, attempts from timers where next_at <= ? order by next_at limit ?",
        now,
        MOST_AT_ONCE,
      )
      .toArray();
    const asked = await Promise.all(rows.map((row) => this.#isWanted(row)));
    const wanted = rows.filter((_, i) => asked[i]);
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
   * Whether the alert still asks this person: its own object says so, at the very instant. When it does not, what was
   * to come of the page is forgotten. Throws when the alert cannot be asked: it is asked again.
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
