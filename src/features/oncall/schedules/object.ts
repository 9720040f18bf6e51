// A schedule's object: notifies its people of changes that put them on or take them off a shift, and
// reminds them of their shifts. It stores the shifts that it last knew, so that each change is
// notified once. It also queues reminders for outgoing integrations, with the lead time that each
// requests. The teams' objects send notices of handoffs and gaps.

import type { PageReport } from "../../../domain/notifications/page.ts";
import { changesDueAt } from "../../../domain/oncall/notices/shift-changes.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import type { ScheduleStub, WatchedSchedule } from "../../rpc.ts";
import { readShiftFacts, type ShiftFacts } from "../notices/handoff-rows.ts";
import { noteShifts, shiftNoticeAt, takeShiftChanges } from "../notices/shift-notices.ts";
import { findNextReminder, queueReminders } from "../notices/shift-reminders.ts";
import { ScheduleStorage } from "./schedule-storage.ts";

const isDue = (at: number | null) => at !== null && at <= Date.now();

export class ScheduleObject extends AlarmObject implements ScheduleStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "schedule",
    failure: "a notice or reminder of a shift is postponed",
    nextAt: () => this.#storage.nextAt(),
    run: () => this.#run(),
  };
  readonly #storage = new ScheduleStorage(this.ctx.storage);
  /** Facts read before a commit must not be committed after it. */
  readonly #steps = new SerialQueue();

  /**
   * Compares the schedule with what is known of it, after a change of the schedule, its events or
   * who is notified, and finds the next reminders.
   */
  async watch(schedule: WatchedSchedule, actors: readonly string[]): Promise<void> {
    await this.#steps.run(() => this.#checkShifts(schedule, actors));
    await this.#sendPages();
  }

  /** Removes pages whose attempts the consumer has recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    this.#storage.outbox.confirm(reports.map((report) => report.effectId));
    this.arm();
  }

  async #run(): Promise<void> {
    await this.#steps.run(async () => {
      await this.#remindIntegrations();
      const shifts = this.#storage.readShifts();
      if (shifts && isDue(changesDueAt(shifts.memory))) {
        this.#storage.commitShifts(await takeShiftChanges(this.env, shifts, Date.now()));
      }
      const left = this.#storage.readShifts();
      if (left && isDue(shiftNoticeAt(left))) await this.#checkShifts(left, []);
    });
    await this.#sendPages();
  }

  async #checkShifts({ id, accountId }: WatchedSchedule, actors: readonly string[]): Promise<void> {
    const now = Date.now();
    const schedule = { id, accountId };
    const known = this.#storage.readShifts();
    const from = Math.min(known?.remindAt ?? now, now) - 1;
    const facts = await readShiftFacts(this.env.DB, accountId, id, from);
    await this.#watchForIntegrations(schedule, facts, now);
    this.#storage.commitShifts(await noteShifts(this.env, schedule, known, { facts, actors, now }));
    this.arm();
  }

  /** Finds the next reminder for integrations. A due one is sent first, by the alarm. */
  async #watchForIntegrations(
    schedule: WatchedSchedule,
    facts: ShiftFacts,
    now: number,
  ): Promise<void> {
    const known = this.#storage.read();
    if (known?.remindAt != null && known.remindAt <= now) return;
    const remindAt = await findNextReminder(this.env, schedule, facts, now);
    if (remindAt !== null || known !== null) this.#storage.write({ ...schedule, remindAt });
  }

  /** Queues due reminders for integrations and stores when the next one is due. */
  async #remindIntegrations(): Promise<void> {
    const due = this.#storage.read();
    const now = Date.now();
    if (due === null || due.remindAt === null || due.remindAt > now) return;
    const { id, accountId, remindAt } = due;
    const next = await queueReminders(this.env, { id, accountId }, remindAt, now);
    this.#storage.write({ ...due, remindAt: next });
  }

  /** Sends pages to the queue; they stay stored until the consumer confirms them. */
  #sendPages(): Promise<void> {
    return this.#storage.outbox.send(pagesQueue(this.env), this.arm);
  }
}
