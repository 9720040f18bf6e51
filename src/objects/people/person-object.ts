// A person's object: stores timers (the next stage of their notification rule, the release of
// deferred notifications, their weekly digest, browsers without a sign of life) and sends their messages to the queue when due. The queue's consumer
// decides who is reached and how. Calls no provider.

import {
  firstStageKey,
  messageKey,
  type PageMessage,
  type PageReport,
  releaseKey,
} from "../../domain/alerts/notifications/page.ts";
import {
  type RepeatCallMessage,
  repeatCallKey,
} from "../../domain/alerts/notifications/repeat-call.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { AlarmObject, type AlarmWork } from "../shared/alarm-object.ts";
import { earliest } from "../shared/earliest.ts";
import { confirmationTimeout } from "../shared/retry.ts";
import type { PersonStub, Timer, WatchedPerson } from "../shared/rpc.ts";
import { sendAll } from "../shared/send-all.ts";
import { alertObject } from "../shared/stubs.ts";
import { type DigestWatch, digestMessage, findNextDigest } from "./digest.ts";
import { findNextReadinessDigest, readinessMessage } from "./readiness-digest.ts";
import { findNextUnseen, unseenMessage } from "./unseen-push.ts";

type Recurring = {
  readonly findNext: typeof findNextDigest;
  readonly messageOf: typeof digestMessage;
};

/** The messages of which one follows another, by the key of the `DigestWatch`. */
const RECURRING: Readonly<Record<"digest" | "readiness" | "push", Recurring>> = {
  digest: { findNext: findNextDigest, messageOf: digestMessage },
  readiness: { findNext: findNextReadinessDigest, messageOf: readinessMessage },
  push: { findNext: findNextUnseen, messageOf: unseenMessage },
};
type RecurringKey = keyof typeof RECURRING;

const RECURRING_KEYS = ["digest", "readiness", "push"] as const satisfies readonly RecurringKey[];

/** Maximum number of timers per run. */
const MAX_PER_RUN = 50;

/** The key of a timer, and the effect with which it ends; null: it ends by itself. */
function identify(message: Timer["message"]): { key: string; effectId: string | null } {
  if ("page" in message) return { key: messageKey(message), effectId: message.page.effectId };
  if ("release" in message) return { key: releaseKey(message.release), effectId: null };
  const { repeatCall } = message;
  return { key: repeatCallKey(repeatCall), effectId: repeatCall.page.effectId };
}

type Row = { readonly key: string; readonly message: string; readonly attempts: number };

export class PersonObject extends AlarmObject implements PersonStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "person",
    failure: "a person's timers are postponed",
    nextAt: () => this.#nextAt(),
    run: async () => {
      for (const key of RECURRING_KEYS) await this.#addDigest(key);
      await this.#sendDue();
    },
  };

  /** Stores timers; existing ones are unchanged. */
  async expect(timers: readonly Timer[]): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec(`create table if not exists timers (key text primary key, effect text,
      message text not null, attempts integer not null default 0, next_at integer not null)`);
    for (const { at, message } of timers) {
      const { key, effectId } = identify(message);
      sql.exec(
        `insert into timers (key, effect, message, next_at) values (?, ?, ?, ?)
          on conflict do nothing`,
        key,
        effectId,
        JSON.stringify(message),
        at,
      );
    }
    this.arm();
  }

  /** Finds the next recurring messages after a change of whether or when the person gets them. */
  async watch(person: WatchedPerson): Promise<void> {
    for (const key of RECURRING_KEYS) {
      // One that is due is sent first: the next one would take its place.
      await this.#addDigest(key);
      this.#setDigest(key, await RECURRING[key].findNext(this.env, person, Date.now()));
    }
    this.arm();
  }

  /** Deletes the messages of this object whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    await this.done(reports.map(({ effectId }) => firstStageKey(effectId)));
  }

  /** Adds a recurring message that is due to the timers, and stores when the next one is due. */
  async #addDigest(key: RecurringKey): Promise<void> {
    const due = this.#digest(key);
    const now = Date.now();
    if (due === null || due.at > now) return;
    const message = await RECURRING[key].messageOf(this.env, due, now);
    const next = await RECURRING[key].findNext(this.env, due, now);
    // The setting changed meanwhile.
    if (this.#digest(key)?.at !== due.at) return;
    this.#setDigest(key, next);
    if (message !== null) await this.expect([{ at: now, message }]);
  }

  #digest(key: RecurringKey): DigestWatch | null {
    return this.ctx.storage.kv.get<DigestWatch>(key) ?? null;
  }

  #setDigest(key: RecurringKey, watch: DigestWatch | null): void {
    if (watch !== null) this.ctx.storage.kv.put(key, watch);
    else if (this.#digest(key) !== null) this.ctx.storage.kv.delete(key);
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
    const { page, alert, repeatCall } = JSON.parse(message) as Partial<
      PageMessage & RepeatCallMessage
    >;
    const asked = repeatCall?.page ?? page;
    const alertId = repeatCall?.alertId ?? alert?.id;
    if (!asked || !alertId) return true;
    if (await alertObject(this.env, prefixIdOf("alert", alertId)).asks(asked)) return true;
    this.ctx.storage.sql.exec("delete from timers where effect = ?", asked.effectId);
    return false;
  }

  #exists(): boolean {
    const { sql } = this.ctx.storage;
    return sql.exec("select 1 from sqlite_master where name = 'timers'").toArray().length > 0;
  }

  #nextAt(): number | null {
    const digestAt = earliest(...RECURRING_KEYS.map((key) => this.#digest(key)?.at ?? null));
    if (!this.#exists()) return digestAt;
    const query = "select min(next_at) as at from timers";
    return earliest(digestAt, this.ctx.storage.sql.exec<{ at: number | null }>(query).one().at);
  }
}
