// A schedule's object: at each shift boundary it tells the teams that want to know who goes off call and who comes on,
// once, at the boundary and not at a tick; and outgoing integrations, as long before as they want. It keeps when the next
// boundary is and the pages that are not confirmed.
import { DurableObject } from "cloudflare:workers";
import { readHandoffFacts } from "../db/handoff-rows.ts";
import type { Page } from "../domain/alert.ts";
import type { Traces } from "../domain/anonymize.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { nextBoundary, onCallAt } from "../domain/oncall.ts";
import { NOTHING_TO_MATCH, type PageMessage, type PageReport } from "../domain/page.ts";
import { handoffNotice, handoffsAt } from "../domain/shift-handoff.ts";
import { confirmationTimeout, retryDelay } from "./alert-storage.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import { sendAll } from "./send-all.ts";
import { findNextReminder, remind } from "./shift-reminders.ts";

export type WatchedSchedule = { readonly id: string; readonly accountId: string };

/** Boundaries told of in one go, should the object have slept through some. */
const MOST_AT_ONCE = 50;

type Watch = WatchedSchedule & {
  /** The boundary that is waited for (epoch ms); null = there is none, or nobody wants to be told. */
  readonly nextAt: number | null;
  /** When somebody's shift is to be told of outside (epoch ms); null = there is none, or nobody tells. */
  readonly remindAt: number | null;
  readonly failures: number;
};

export class ScheduleObject extends DurableObject<Cloudflare.Env> {
  /** The schedule, its events or its teams have changed: looks again when its next boundary is. */
  async watch(schedule: WatchedSchedule): Promise<void> {
    const known = this.#watched();
    const now = Date.now();
    // A boundary that is due is told of first, by the alarm; it looks again by itself.
    const isDue = (at: number | null | undefined) => at != null && at <= now;
    if (isDue(known?.nextAt) || isDue(known?.remindAt)) {
      this.#arm(now);
      return;
    }
    const facts = await readHandoffFacts(this.env.DB, schedule.accountId, schedule.id, now);
    const nextAt = facts.teams.length === 0 ? null : nextBoundary(facts.events, now);
    const remindAt = await findNextReminder(this.env, schedule, facts, now);
    if (nextAt === null && remindAt === null && known === null) return;
    this.#keep({ ...schedule, nextAt, remindAt, failures: 0 });
    this.#arm(now);
  }

  /** Takes a person who is erased out of what it holds; how much of it named them. */
  async anonymize(traces: Traces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  /** The consumer's word that attempts have been recorded. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    if (this.#watched() === null) return;
    const ids = JSON.stringify(reports.map((report) => report.effectId));
    this.ctx.storage.sql.exec(
      "delete from outbox where effect_id in (select value from json_each(?))",
      ids,
    );
    this.#arm(Date.now());
  }

  override async alarm(): Promise<void> {
    const watch = this.#watched();
    if (watch === null) return;
    try {
      await this.#tell(watch);
      await this.#remind(watch);
      await this.#handOver();
      this.#arm(Date.now());
    } catch (error) {
      console.error({ message: "a handoff waits", error: String(error).slice(0, 200) });
      this.#keep({ ...(this.#watched() ?? watch), failures: watch.failures + 1 });
      void this.ctx.storage.setAlarm(Date.now() + retryDelay(watch.failures));
    }
  }

  /** Tells of the boundaries that are due, and waits for the one after. One commit. */
  async #tell(watch: Watch): Promise<void> {
    const { id, accountId, nextAt } = watch;
    const now = Date.now();
    if (nextAt === null || nextAt > now) return;
    const facts = await readHandoffFacts(this.env.DB, accountId, id, nextAt - 1);
    if (this.#watched()?.nextAt !== nextAt) return;
    const messages: PageMessage[] = [];
    let boundary: number | null = nextAt;
    for (let told = 0; boundary !== null && boundary <= now && told < MOST_AT_ONCE; told += 1) {
      messages.push(...noticesAt(watch, facts, boundary));
      boundary = nextBoundary(facts.events, boundary);
    }
    this.ctx.storage.transactionSync(() => {
      for (const message of messages) {
        this.ctx.storage.sql.exec(
          "insert into outbox (effect_id, message) values (?, ?) on conflict do nothing",
          message.page.effectId,
          JSON.stringify(message),
        );
      }
      const wanted = facts.teams.length > 0 ? boundary : null;
      this.#keep({ ...(this.#watched() ?? watch), nextAt: wanted, failures: 0 });
    });
  }

  /** Has outgoing integrations tell of the shifts that are due, and waits for the next. */
  async #remind({ id, accountId, remindAt }: Watch): Promise<void> {
    const now = Date.now();
    if (remindAt == null || remindAt > now) return;
    const next = await remind(this.env, { id, accountId }, remindAt, now);
    const watch = this.#watched();
    if (watch?.remindAt === remindAt) this.#keep({ ...watch, remindAt: next, failures: 0 });
  }

  /** Hands pages to the queue; they stay until the consumer confirms them. */
  async #handOver(): Promise<void> {
    const now = Date.now();
    const { sql } = this.ctx.storage;
    type Row = { effect_id: string; message: string; attempts: number };
    const rows = sql
      .exec<Row>("select * from outbox where next_at <= ? order by rowid limit 50", now)
      .toArray();
    if (rows.length === 0) return;
    for (const { effect_id, attempts } of rows) {
      sql.exec(
        "update outbox set attempts = attempts + 1, next_at = ? where effect_id = ?",
        now + confirmationTimeout(attempts),
        effect_id,
      );
    }
    this.#arm(now);
    const messages = rows.map(({ message }) => JSON.parse(message) as PageMessage);
    await sendAll(this.env.PAGES, messages);
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
    sql.exec(`
      create table if not exists watch (one integer primary key check (one = 1), body text not null);
      create table if not exists outbox (effect_id text primary key, message text not null,
        attempts integer not null default 0, next_at integer not null default 0);
    `);
    sql.exec(
      "insert into watch values (1, ?1) on conflict (one) do update set body = ?1",
      JSON.stringify(watch),
    );
  }

  /** Sets the alarm for the next boundary, or for a page that is not confirmed. */
  #arm(now: number): void {
    const { sql } = this.ctx.storage;
    const [page] = sql
      .exec<{ at: number | null }>("select min(next_at) as at from outbox")
      .toArray();
    const watch = this.#watched();
    const times = [watch?.nextAt ?? null, watch?.remindAt ?? null, page?.at ?? null].filter(
      (at) => at !== null,
    );
    if (times.length === 0) void this.ctx.storage.deleteAlarm();
    else void this.ctx.storage.setAlarm(Math.max(now, Math.min(...times)));
  }
}

/** The pages of one boundary: one per team and recipient, known by an id that follows from both. */
function noticesAt(
  { id, accountId }: WatchedSchedule,
  { teams, events, names }: Awaited<ReturnType<typeof readHandoffFacts>>,
  boundary: number,
): PageMessage[] {
  const handoffs = handoffsAt(events, boundary);
  if (handoffs.length === 0) return [];
  const onCall = onCallAt(events, boundary).flatMap((entry) =>
    entry.attendees.map((attendee) => attendee.attendeeId),
  );
  return teams.flatMap((team) => {
    const said = handoffNotice(team.name, boundary, handoffs, (one) => names.get(one) ?? one);
    return team.recipients(onCall).map((accountUserId) => {
      const effectId = `${id}:${boundary}:${team.id}:${accountUserId}`;
      const page: Page = {
        effectId,
        event: "oncall.handoff",
        accountUserId,
        workflowId: null,
        layer: null,
        pass: null,
        at: boundary,
        until: null,
        detail: null,
      };
      const notice = { schedule: prefixIdOf("schedule", id), ...said };
      return { accountId, page, alert: null, notice, stage: 0, view: NOTHING_TO_MATCH };
    });
  });
}
