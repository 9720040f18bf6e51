// A schedule's object: has outgoing integrations notified of its shifts, as long before as each of them wants. It stores
// when the next of them is due. The handoff notices of the teams that use the schedule are their own objects'.
import { readShiftFacts } from "../db/handoff-rows.ts";
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import type { ScheduleStub, WatchedSchedule } from "./rpc.ts";
import { findNextReminder, remind } from "./shift-reminders.ts";

type Watch = WatchedSchedule & {
  /** When somebody's shift is to be told of outside (epoch ms); null = there is none, or nobody tells. */
  readonly remindAt: number | null;
};

export class ScheduleObject extends AlarmObject implements ScheduleStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a reminder waits",
    nextAt: () => this.#watched()?.remindAt ?? null,
    run: () => this.#remind(),
  };

  /** The schedule, its events or who is notified of them have changed: finds out again when the next is due. */
  async watch(schedule: WatchedSchedule): Promise<void> {
    const known = this.#watched();
    const now = Date.now();
    // What is due goes out first, by the alarm; it looks again by itself.
    if (known?.remindAt != null && known.remindAt <= now) {
      this.arm();
      return;
    }
    const facts = await readShiftFacts(this.env.DB, schedule.accountId, schedule.id, now);
    const remindAt = await findNextReminder(this.env, schedule, facts, now);
    if (remindAt === null && known === null) return;
    this.#keep({ ...schedule, remindAt });
    this.arm();
  }

  /** Pages of handoffs that this object sent before teams had objects of their own: nothing waits for them. */
  async confirm(): Promise<void> {}

  /** Has outgoing integrations tell of the shifts that are due, and waits for the next. */
  async #remind(): Promise<void> {
    const due = this.#watched();
    const now = Date.now();
    if (due === null || due.remindAt === null || due.remindAt > now) return;
    const { id, accountId, remindAt } = due;
    const next = await remind(this.env, { id, accountId }, remindAt, now);
    const watch = this.#watched();
    if (watch?.remindAt === remindAt) this.#keep({ ...watch, remindAt: next });
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
}
