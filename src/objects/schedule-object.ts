// A schedule's object: has outgoing integrations notified of its shifts, as long before as each of them wants. It stores
// when the next of them is due. The handoff notices of the teams that use the schedule are their own objects'.
import { DurableObject } from "cloudflare:workers";
import { readShiftFacts } from "../db/handoff-rows.ts";
import type { Traces } from "../domain/anonymize.ts";
import { retryDelay } from "./alert-storage.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import { findNextReminder, remind } from "./shift-reminders.ts";

export type WatchedSchedule = { readonly id: string; readonly accountId: string };

type Watch = WatchedSchedule & {
  /** When somebody's shift is to be told of outside (epoch ms); null = there is none, or nobody tells. */
  readonly remindAt: number | null;
  readonly failures: number;
};

export class ScheduleObject extends DurableObject<Cloudflare.Env> {
  /** The schedule, its events or who is notified of them have changed: finds out again when the next is due. */
  async watch(schedule: WatchedSchedule): Promise<void> {
    const known = this.#watched();
    const now = Date.now();
    // What is due goes out first, by the alarm; it looks again by itself.
    if (known?.remindAt != null && known.remindAt <= now) {
      this.#arm(now);
      return;
    }
    const facts = await readShiftFacts(this.env.DB, schedule.accountId, schedule.id, now);
    const remindAt = await findNextReminder(this.env, schedule, facts, now);
    if (remindAt === null && known === null) return;
    this.#keep({ ...schedule, remindAt, failures: 0 });
    this.#arm(now);
  }

  /** Pages of handoffs that this object sent before teams had objects of their own: nothing waits for them. */
  async confirm(): Promise<void> {}

  /** Takes a person who is erased out of what it holds; how much of it named them. */
  async anonymize(traces: Traces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  override async alarm(): Promise<void> {
    const watch = this.#watched();
    if (watch === null) return;
    try {
      await this.#remind(watch);
      this.#arm(Date.now());
    } catch (error) {
      console.error({ message: "a reminder waits", error: String(error).slice(0, 200) });
      this.#keep({ ...(this.#watched() ?? watch), failures: watch.failures + 1 });
      void this.ctx.storage.setAlarm(Date.now() + retryDelay(watch.failures));
    }
  }

  /** Has outgoing integrations tell of the shifts that are due, and waits for the next. */
  async #remind({ id, accountId, remindAt }: Watch): Promise<void> {
    const now = Date.now();
    if (remindAt == null || remindAt > now) return;
    const next = await remind(this.env, { id, accountId }, remindAt, now);
    const watch = this.#watched();
    if (watch?.remindAt === remindAt) this.#keep({ ...watch, remindAt: next, failures: 0 });
  }

  #watched(): Watch | null {
    const { sql } = this.ctx.storage;
    const known = sql.exec("select 1 from sqlite_master where name = 'watch'").toArray();
    if (known.length === 0) return null;
    const [row] = sql.exec<{ body: string }>("select body from watch").toArray();
    return row ? (JSON.parse(row.body) as Watch) : null;
  }

  #keep(watch: Watch): void {
    const { sql } = this.ctx.storage;
    sql.exec(
      "create table if not exists watch (one integer primary key check (one = 1), body text not null)",
    );
    sql.exec(
      "insert into watch values (1, ?1) on conflict (one) do update set body = ?1",
      JSON.stringify(watch),
    );
  }

  #arm(now: number): void {
    const at = this.#watched()?.remindAt ?? null;
    if (at === null) void this.ctx.storage.deleteAlarm();
    else void this.ctx.storage.setAlarm(Math.max(now, at));
  }
}
