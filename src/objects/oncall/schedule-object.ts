// A schedule's object: queues reminders of its shifts for outgoing integrations, with the lead time
// that each requests, and stores when the next is due. The teams' objects send handoff notices.
import { readShiftFacts } from "../../db/oncall/handoff-rows.ts";
import { AlarmObject, type AlarmWork } from "../shared/alarm-object.ts";
import type { ScheduleStub, WatchedSchedule } from "../shared/rpc.ts";
import { findNextReminder, queueReminders } from "./shift-reminders.ts";

type Watch = WatchedSchedule & {
  /** When the next reminder is due (epoch ms); null = none. */
  readonly remindAt: number | null;
};

export class ScheduleObject extends AlarmObject implements ScheduleStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "a shift reminder is postponed",
    nextAt: () => this.#watched()?.remindAt ?? null,
    run: () => this.#remind(),
  };

  /** Finds the next reminder after a change of the schedule, its events or who is notified. */
  async watch(schedule: WatchedSchedule): Promise<void> {
    const known = this.#watched();
    const now = Date.now();
    // The alarm sends what is due first, and then finds the next reminder itself.
    if (known?.remindAt != null && known.remindAt <= now) {
      this.arm();
      return;
    }
    const facts = await readShiftFacts(this.env.DB, schedule.accountId, schedule.id, now);
    const remindAt = await findNextReminder(this.env, schedule, facts, now);
    if (remindAt === null && known === null) return;
    this.#store({ ...schedule, remindAt });
    this.arm();
  }

  /** Ignores handoff pages that this object sent before teams had their own objects. */
  async confirm(): Promise<void> {}

  /** Queues due reminders and stores when the next one is due. */
  async #remind(): Promise<void> {
    const due = this.#watched();
    const now = Date.now();
    if (due === null || due.remindAt === null || due.remindAt > now) return;
    const { id, accountId, remindAt } = due;
    const next = await queueReminders(this.env, { id, accountId }, remindAt, now);
    const watch = this.#watched();
    if (watch?.remindAt === remindAt) this.#store({ ...watch, remindAt: next });
  }

  #watched(): Watch | null {
    const { sql } = this.ctx.storage;
    const known = sql.exec("select 1 from sqlite_master where name = 'watch'").toArray();
    if (known.length === 0) return null;
    const [row] = sql.exec<{ body: string }>("select body from watch").toArray();
    return row ? (JSON.parse(row.body) as Watch) : null;
  }

  #store(watch: Watch): void {
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
