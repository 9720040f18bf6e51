// The storage of an alert's object: its state, the timeline entries that D1 does not have yet, and
// its outbox. Synchronous: one turn, one commit. An object that never had an alert stores nothing.
import type { Alert, LogEntry, Page } from "../../domain/alerts/alert.ts";
import { isAnswered, nextStepAt } from "../../domain/alerts/alert.ts";
import type { Announcement } from "../../domain/integrations/announcement.ts";
import { earliest } from "../shared/earliest.ts";
import { confirmationTimeout, retryDelay } from "../shared/retry.ts";
import { AlertAnnouncements } from "./alert-announcements.ts";
import { AlertJoins } from "./alert-joins.ts";

export type OutboxRow = {
  readonly page: Page;
  /** How often it was sent to the queue. */
  readonly attempts: number;
};

type Step = {
  readonly alert: Alert;
  readonly log: readonly LogEntry[];
  readonly pages: readonly Page[];
  /** For the account's outgoing integrations. */
  readonly announcements: readonly Announcement[];
  /** The alerts it was aggregated into. */
  readonly leaderIds: readonly string[];
};

/** When a new outbox row is retried if the object dies after the commit (ms). */
const FIRST_RETRY_MS = 1_000;
type StateRow = {
  state: string;
  projected_version: number;
  projection_at: number;
  failures: number;
};

const alertOf = ({ state }: StateRow): Alert => JSON.parse(state);

export class AlertStorage {
  readonly #storage: DurableObjectStorage;
  readonly announcements: AlertAnnouncements;
  readonly joins: AlertJoins;
  #exists: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.announcements = new AlertAnnouncements(storage);
    this.joins = new AlertJoins(storage);
    const found = storage.sql.exec("select 1 from sqlite_master where name = 'alert'").toArray();
    this.#exists = found.length > 0;
  }

  #create(): void {
    this.#storage.sql.exec(`
      create table alert (one integer primary key check (one = 1), state text not null, request text,
        projected_version integer not null default 0, projection_at integer not null default 0,
        failures integer not null default 0);
      create table story (sequence integer primary key, entry text not null);
      create table outbox (effect_id text primary key, page text not null,
        attempts integer not null default 0, next_at integer not null);
    `);
    this.#exists = true;
  }

  #row(): StateRow | null {
    if (!this.#exists) return null;
    const [row] = this.#storage.sql.exec<StateRow>("select * from alert").toArray();
    return row ?? null;
  }

  /** Deletes everything, including the alarm. */
  async empty(): Promise<void> {
    this.#exists = false;
    this.announcements.reset();
    this.joins.reset();
    await this.#storage.deleteAll();
  }

  /** The alert; null if there never was one. */
  read(): Alert | null {
    const row = this.#row();
    return row === null ? null : alertOf(row);
  }

  /**
   * Commits a step: the state, its timeline entries and pages. Removes pages of answered workflows
   * from the outbox, so that nobody is woken for them.
   *
   * @param request the request that created the alert, for notification rules; the first is stored
   */
  commit(
    { alert, log, pages, announcements, leaderIds }: Step,
    request: string | null,
    now: number,
  ): void {
    this.#storage.transactionSync(() => {
      if (!this.#exists) this.#create();
      const { sql } = this.#storage;
      sql.exec(
        `insert into alert (one, state, projection_at, request) values (1, ?1, ?2, ?3)
          on conflict (one) do update set state = ?1, projection_at = ?2`,
        JSON.stringify(alert),
        now + FIRST_RETRY_MS,
        request,
      );
      for (const entry of log) {
        sql.exec("insert into story values (?, ?)", entry.sequence, JSON.stringify(entry));
      }
      for (const page of pages) {
        const values = [page.effectId, JSON.stringify(page), now + FIRST_RETRY_MS];
        sql.exec("insert into outbox (effect_id, page, next_at) values (?, ?, ?)", ...values);
      }
      this.announcements.add(announcements, now + FIRST_RETRY_MS);
      this.joins.add(leaderIds, now + FIRST_RETRY_MS);
      const unanswered = alert.workflows.filter((it) => !isAnswered(it.state)).map((it) => it.id);
      sql.exec(
        `delete from outbox where page->>'workflowId' is not null
          and page->>'workflowId' not in (select value from json_each(?))`,
        JSON.stringify(unanswered),
      );
      if (alert.deletedAt !== null) sql.exec("delete from outbox");
    });
  }

  /** The request that created the alert, as rules match it; empty if none did. */
  request(): Readonly<Record<string, unknown>> {
    if (!this.#exists) return {};
    const [row] = this.#storage.sql
      .exec<{ request: string | null }>("select request from alert")
      .toArray();
    return JSON.parse(row?.request ?? "{}") as Record<string, unknown>;
  }

  /** When the next timer, page, projection, announcement or join is due (epoch ms); null = none. */
  nextAt(): number | null {
    const row = this.#row();
    if (row === null) return null;
    const alert = alertOf(row);
    const [page] = this.#storage.sql
      .exec<{ at: number | null }>("select min(next_at) as at from outbox")
      .toArray();
    return earliest(
      alert.deletedAt === null ? nextStepAt(alert) : null,
      page?.at ?? null,
      row.projected_version < alert.version ? row.projection_at : null,
      this.announcements.nextAt(),
      this.joins.nextAt(),
    );
  }

  /** The pages to send to the queue now. */
  pagesDue(now: number): OutboxRow[] {
    if (!this.#exists) return [];
    return this.#storage.sql
      .exec<{ page: string; attempts: number }>(
        "select page, attempts from outbox where attempts = 0 or next_at <= ? order by rowid limit 20",
        now,
      )
      .toArray()
      .map(({ page, attempts }) => ({ page: JSON.parse(page) as Page, attempts }));
  }

  /** Records that pages are being sent; they are due again unless confirmed in time. */
  markSending(rows: readonly OutboxRow[], now: number): void {
    for (const { page, attempts } of rows) {
      this.#storage.sql.exec(
        "update outbox set attempts = attempts + 1, next_at = ? where effect_id = ?",
        now + confirmationTimeout(attempts),
        page.effectId,
      );
    }
  }

  /** Records that the queue refused pages; they are due again sooner. */
  markUnsent(rows: readonly OutboxRow[], now: number): void {
    for (const { page, attempts } of rows) {
      this.#storage.sql.exec(
        "update outbox set next_at = ? where effect_id = ?",
        now + retryDelay(attempts),
        page.effectId,
      );
    }
  }

  /** Removes pages whose attempts are recorded. */
  confirm(effectIds: readonly string[]): void {
    if (!this.#exists) return;
    this.#storage.sql.exec(
      "delete from outbox where effect_id in (select value from json_each(?))",
      JSON.stringify(effectIds),
    );
  }

  /** The state and entries that D1 does not have yet; null if it has everything. */
  unprojected(): { readonly alert: Alert; readonly log: readonly LogEntry[] } | null {
    const row = this.#row();
    if (row === null) return null;
    const alert = alertOf(row);
    if (row.projected_version >= alert.version) return null;
    const log = this.#storage.sql
      .exec<{ entry: string }>("select entry from story order by sequence")
      .toArray()
      .map(({ entry }) => JSON.parse(entry) as LogEntry);
    return { alert, log };
  }

  /** Records that D1 has the alert up to this version and the timeline up to its last entry. */
  markProjected(version: number, log: readonly LogEntry[]): void {
    const last = log.at(-1);
    this.#storage.sql.exec(
      "update alert set projected_version = max(projected_version, ?), failures = 0",
      version,
    );
    if (last) this.#storage.sql.exec("delete from story where sequence <= ?", last.sequence);
  }

  /** Records that D1 refused, and schedules the next attempt. */
  markProjectionFailed(now: number): void {
    const failures = this.#row()?.failures ?? 0;
    this.#storage.sql.exec(
      "update alert set failures = failures + 1, projection_at = ?",
      now + retryDelay(failures),
    );
  }
}
