// What an alert's object stores: one value with its state, the latest entries of its timeline, its
// outbox and pending announcements, written once per step. What D1 and the queue have confirmed is
// noted in memory and stored with the next step: after a crash it is sent once more, which changes
// nothing. Synchronous: one turn, one commit.
import type { Alert, LogEntry, Page } from "../../../domain/alerts/alert.ts";
import { isAnswered, nextStepAt } from "../../../domain/alerts/alert.ts";
import type { Announcement } from "../../../domain/integrations/announcement.ts";
import type { Anonymizer } from "../../../domain/shared/anonymize.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import { type OutboxRow, type OutboxStore, rescheduled } from "../../../kernel/objects/outbox.ts";
import { retryDelay } from "../../../kernel/objects/retry.ts";
import { SlicedValue } from "../../../kernel/objects/sliced-value.ts";
import { ALERT_VERSION } from "../../../kernel/objects/stored-version.ts";
import type { AlertSnapshot } from "../alerts/alert-rows.ts";
import { splitTimeline } from "../alerts/alert-rows.ts";
import type { LeaderJoin, Merge } from "./alert-joins.ts";
import { PendingAlerts } from "./pending-alerts.ts";
import type { StoredAlert } from "./stored-alert-rows.ts";

export type PageRow = OutboxRow & {
  readonly page: Page;
  /** A notice of an answer that may still be undone: it is not sent before `nextAt`. */
  readonly waits?: true;
};

const isWaiting = ({ waits, attempts }: PageRow) => waits === true && attempts === 0;

type Value = {
  readonly alert: Alert;
  /** Up to the last entry; complete chunks that D1 has are dropped. */
  readonly timeline: readonly LogEntry[];
  /** The request that created the alert, for notification rules; JSON. */
  readonly request: string | null;
  readonly projectedVersion: number;
  readonly outbox: readonly PageRow[];
  /** For the account's outgoing integrations, in order. */
  readonly announcements: readonly Announcement[];
};

export type CommittedStep = {
  readonly alert: Alert;
  readonly log: readonly LogEntry[];
  readonly pages: readonly Page[];
  readonly announcements: readonly Announcement[];
  /** The alerts it was aggregated into. */
  readonly leaderIds: readonly string[];
  /** The alerts that were merged into it. */
  readonly merges: readonly Merge[];
  /** Until when notices of the answer wait (epoch ms); null: they do not. */
  readonly noticesAt: number | null;
  /** Whether the latest answer was undone: its waiting notices are not sent. */
  readonly isUndo: boolean;
};

/** When a step's effects are retried if the object dies after the commit (ms). */
const FIRST_RETRY_MS = 1_000;
/** Pages sent to the queue at once. */
const MAX_SENT = 20;

const isNoticeOfAnswer = ({ event }: Page) =>
  event === "alert.acknowledged" || event === "alert.resolved";

const NOTHING = { projectionAt: 0, failures: 0, announceAt: 0 };

export class AlertStorage {
  readonly joins: PendingAlerts<LeaderJoin>;
  readonly merges: PendingAlerts<Merge>;
  /** The pages that are not confirmed. */
  readonly pages: OutboxStore<PageRow> = {
    due: (now) => this.#pagesDue(now),
    update: (rows) => {
      const outbox = rescheduled(this.#outbox(), rows, ({ page }) => page.effectId);
      this.#change({ outbox });
    },
  };
  readonly #storage: DurableObjectStorage;
  readonly #stored: SlicedValue<Value>;
  #value: Value | null;
  /** Of the attempts since the object woke; instants in epoch ms. */
  #retries = NOTHING;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#stored = new SlicedValue(storage.kv, "alert", ALERT_VERSION);
    this.joins = new PendingAlerts(storage, "joins");
    this.merges = new PendingAlerts(storage, "merges");
    this.#value = this.#stored.get();
  }

  /** The alert; null if there is none, or D1 has all of it. */
  read(): Alert | null {
    return this.#value?.alert ?? null;
  }

  /** The latest entries of its timeline. */
  timeline(): readonly LogEntry[] {
    return this.#value?.timeline ?? [];
  }

  /** Continues with the state that D1 has. Stored with the next step. */
  restore({ alert, timeline, request }: StoredAlert): void {
    const projectedVersion = alert.version;
    const nothing = { outbox: [], announcements: [] };
    this.#value = { alert, timeline, request, projectedVersion, ...nothing };
  }

  /**
   * Commits a step: the state, its timeline entries and pages. Removes pages of answered workflows
   * from the outbox, so that nobody is woken for them.
   *
   * @param request the request that created the alert; the first is stored
   */
  commit(step: CommittedStep, request: string | null, now: number): void {
    const { alert, log, pages } = step;
    const before = this.#value;
    const nextAt = now + FIRST_RETRY_MS;
    const answered = new Set(
      alert.workflows.filter((it) => isAnswered(it.state)).map(({ id }) => id),
    );
    const isNeeded = ({ page }: PageRow) =>
      alert.deletedAt === null && !(page.workflowId !== null && answered.has(page.workflowId));
    const { noticesAt, isUndo } = step;
    const added = pages.map((page): PageRow => {
      const waits = noticesAt !== null && page.workflowId === null && isNoticeOfAnswer(page);
      return waits
        ? { page, attempts: 0, nextAt: noticesAt, waits }
        : { page, attempts: 0, nextAt };
    });
    const stored = (before?.outbox ?? []).filter((row) => !(isUndo && isWaiting(row)));
    this.#value = {
      alert,
      timeline: [...(before?.timeline ?? []), ...log],
      request: before === null ? request : before.request,
      projectedVersion: before?.projectedVersion ?? 0,
      outbox: [...stored, ...added].filter(isNeeded),
      announcements: [...(before?.announcements ?? []), ...step.announcements],
    };
    this.#retries = { ...this.#retries, projectionAt: nextAt };
    if (step.announcements.length > 0) this.#retries.announceAt = nextAt;
    this.#stored.put(this.#value);
    this.joins.add(
      step.leaderIds.map((id) => ({ id })),
      nextAt,
    );
    this.merges.add(step.merges, nextAt);
  }

  #change(changes: Partial<Value>): void {
    if (this.#value !== null) this.#value = { ...this.#value, ...changes };
  }

  /** The request that created the alert, as rules match it; empty if none did. */
  request(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.#value?.request ?? "{}") as Record<string, unknown>;
  }

  /** When the next timer or delivery is due (epoch ms); null = none. */
  nextAt(): number | null {
    if (this.#value === null) return null;
    const { alert, outbox, announcements } = this.#value;
    return earliest(
      alert.deletedAt === null ? nextStepAt(alert) : null,
      ...outbox.map((row) => row.nextAt),
      this.unprojected() === null ? null : this.#retries.projectionAt,
      announcements.length === 0 ? null : this.#retries.announceAt,
      this.joins.nextAt(),
      this.merges.nextAt(),
    );
  }

  // ── Pages ──

  /** Whether notices of the latest answer are still to be sent. */
  hasWaitingNotices(): boolean {
    return this.#outbox().some(isWaiting);
  }

  #outbox(): readonly PageRow[] {
    return this.#value?.outbox ?? [];
  }

  #pagesDue(now: number): readonly PageRow[] {
    const isDue = (row: PageRow) => row.nextAt <= now || (row.attempts === 0 && !isWaiting(row));
    return this.#outbox().filter(isDue).slice(0, MAX_SENT);
  }

  /** Removes pages whose attempts are recorded. Returns whether they were the last. */
  confirm(effectIds: readonly string[]): boolean {
    if (this.#value === null) return false;
    const { outbox } = this.#value;
    const rest = outbox.filter(({ page }) => !effectIds.includes(page.effectId));
    if (rest.length === outbox.length) return false;
    this.#change({ outbox: rest });
    // An alert that stored nothing since it was read from D1 has no pages to confirm.
    this.#stored.put(this.#value);
    return rest.length === 0;
  }

  // ── Projection ──

  /** What D1 does not have yet; null if it has everything. */
  unprojected(): AlertSnapshot | null {
    if (this.#value === null) return null;
    const { alert, timeline, projectedVersion } = this.#value;
    return projectedVersion < alert.version ? { alert, timeline } : null;
  }

  /** Notes that D1 has the snapshot. */
  markProjected({ alert, timeline }: AlertSnapshot): void {
    if (this.#value === null) return;
    const dropped = timeline.length - splitTimeline(timeline).rest.length;
    this.#change({
      projectedVersion: Math.max(this.#value.projectedVersion, alert.version),
      timeline: this.#value.timeline.slice(dropped),
    });
    this.#retries.failures = 0;
  }

  /** Notes that D1 refused, and schedules the next attempt. */
  markProjectionFailed(now: number): void {
    const { failures } = this.#retries;
    const projectionAt = now + retryDelay(failures);
    this.#retries = { ...this.#retries, failures: failures + 1, projectionAt };
  }

  // ── Announcements ──

  /** All pending announcements, in order. */
  announcements(): readonly Announcement[] {
    return this.#value?.announcements ?? [];
  }

  /** Drops announcements that are queued or that nobody receives, and all before them. */
  dropAnnounced(announced: readonly Announcement[]): void {
    const last = announced.at(-1)?.sequence ?? -1;
    this.#change({ announcements: this.announcements().filter((it) => it.sequence > last) });
  }

  /** Postpones all pending announcements to `nextAt` (epoch ms). */
  postponeAnnouncements(nextAt: number): void {
    this.#retries = { ...this.#retries, announceAt: nextAt };
  }

  // ── The end ──

  /** Whether nothing is pending that only this object knows. */
  isDelivered(): boolean {
    const { outbox = [], announcements = [] } = this.#value ?? {};
    const isIdle = outbox.length === 0 && announcements.length === 0;
    const isKnown = this.joins.nextAt() === null && this.merges.nextAt() === null;
    return isIdle && isKnown && this.unprojected() === null;
  }

  /** Deletes everything, including the alarm. */
  async empty(): Promise<void> {
    this.#value = null;
    this.#retries = NOTHING;
    this.joins.reset();
    this.merges.reset();
    await this.#storage.deleteAll();
  }

  /** Removes an erased person's traces; returns how many values changed. */
  anonymize(without: Anonymizer): number {
    if (this.#value === null) return 0;
    const { alert, timeline, announcements, ...others } = this.#value;
    const { workflows, ...rest } = alert;
    const theirs = { others, rest };
    const ours = { workflows, timeline, announcements };
    const changed = {
      theirs: without.value(theirs, false) as typeof theirs,
      ours: without.value(ours, true) as typeof ours,
    };
    if (changed.theirs === theirs && changed.ours === ours) return 0;
    const { workflows: renamedWorkflows, ...lists } = changed.ours;
    const renamed = { ...changed.theirs.rest, workflows: renamedWorkflows };
    this.#value = { ...changed.theirs.others, ...lists, alert: renamed };
    this.#stored.put(this.#value);
    return 1;
  }
}
