// Delivers the alert object's outbox: pages to the queue, state and timeline to D1, announcements
// to outgoing integrations. Decides nothing. What is refused stays stored for the alarm to retry.

import { type Alert, isAwaitingAnswer } from "../../../domain/alerts/alert.ts";
import type { RemovedMember } from "../../../domain/alerts/commands.ts";
import { unansweredMemberIds } from "../../../domain/alerts/member-removal.ts";
import type { AnnouncementTarget } from "../../../domain/integrations/announcement.ts";
import {
  type CloseMessage,
  hasCalls,
  hasClosedMessengers,
} from "../../../domain/notifications/close-message.ts";
import type { PageReport } from "../../../domain/notifications/page.ts";
import { pageMessage } from "../../../domain/notifications/page-message.ts";
import { tagged } from "../../../domain/shared/message-versions.ts";
import { yieldsToPages } from "../../../kernel/db/daily-use.ts";
import { logFault, logMinorFault } from "../../../kernel/db/log-fault.ts";
import { batch } from "../../../kernel/db/select.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { reportIfFull } from "../../../kernel/metrics/report-full.ts";
import { sendDue } from "../../../kernel/objects/outbox.ts";
import { pagesQueue } from "../../../kernel/objects/pages-queue.ts";
import { retryDelay } from "../../../kernel/objects/retry.ts";
import { SerialQueue } from "../../../kernel/objects/serial-queue.ts";
import { selectRemoved } from "../../change/member-removal-rows.ts";
import {
  queueAnnouncements,
  readAnnouncementTargets,
  selectOutgoing,
} from "../../outgoing/queue-announcements.ts";
import { liveObject } from "../../stubs.ts";
import { type AlertSnapshot, projectionOf } from "../alerts/alert-rows.ts";
import { selectHasOpenMessages } from "../messages/open-message-rows.ts";
import { selectHasRinging } from "../messages/ringing-call-rows.ts";
import { endMerged, joinLeader } from "./alert-joins.ts";
import type { AlertStorage, PageRow } from "./alert-storage.ts";
import { selectWatched } from "./watched-account-rows.ts";

/** Timeout of a projection to D1 (ms). */
const PROJECTION_TIMEOUT_MS = 15_000;

type RemoveMembers = (accountId: string, members: readonly RemovedMember[]) => Promise<void>;

export class AlertOutbox {
  readonly #env: Cloudflare.Env;
  readonly #storage: AlertStorage;
  readonly #arm: () => void;
  readonly #removeMembers: RemoveMembers;
  #projecting: Promise<boolean> | null = null;
  /** Announcements are queued in order. */
  readonly #announcing = new SerialQueue();
  /** Consecutive failures to queue announcements. */
  #announceFailures = 0;

  /**
   * @param arm sets the object's alarm for what is stored
   * @param remove called with people who are asked but are no longer in the account
   */
  constructor(env: Cloudflare.Env, storage: AlertStorage, arm: () => void, remove: RemoveMembers) {
    this.#env = env;
    this.#storage = storage;
    this.#arm = arm;
    this.#removeMembers = remove;
  }

  /**
   * Sends due pages to the queue. They stay in the outbox until the consumer confirms them. Never
   * throws: what the queue refuses is sent again.
   */
  async sendPages(): Promise<void> {
    const messagesOf = (rows: readonly PageRow[]) => {
      const alert = this.#storage.read();
      const request = this.#storage.request();
      return alert === null ? [] : rows.map(({ page }) => pageMessage(alert, request, page));
    };
    const sending = { store: this.#storage.pages, queue: pagesQueue(this.#env), arm: this.#arm };
    await sendDue({ ...sending, messagesOf }).catch((error: unknown) => {
      logFault("pages could not be queued", error);
    });
  }

  /** Writes to D1 what it does not have yet; steps committed meanwhile go in one more write. */
  project(): Promise<boolean> {
    this.#projecting ??= this.#projectAll().finally(() => {
      this.#projecting = null;
    });
    return this.#projecting;
  }

  /** Projects until D1 has the current state or refuses it: for callers who wait. */
  async projectNow(): Promise<void> {
    while ((await this.project()) && this.#storage.unprojected() !== null);
  }

  async #projectAll(): Promise<boolean> {
    for (;;) {
      const pending = this.#storage.unprojected();
      if (pending === null) return true;
      const projected = await this.#projectOnce(pending);
      if (!projected) this.#storage.markProjectionFailed(Date.now());
      this.#arm();
      if (!projected) return false;
    }
  }

  async #projectOnce(snapshot: AlertSnapshot): Promise<boolean> {
    const { alert } = snapshot;
    try {
      const { DB } = this.#env;
      // Reads the outgoing integrations in the same round trip, and whether somebody watches: most
      // accounts have none, and then no row is read.
      const announces = this.#storage.announcements().length > 0;
      const askedIds = unansweredMemberIds(alert);
      // Somebody may have answered: messages that stay open at their providers are ended.
      const { accountId, id } = alert;
      const mayClose = hasClosedMessengers(this.#env) && alert.version > 1;
      const mayHangUp = hasCalls(this.#env) && alert.version > 1;
      const [removed, targets, watched, open, ringing] = await withTimeout(
        PROJECTION_TIMEOUT_MS,
        batch(DB, [
          askedIds.length > 0 ? selectRemoved(alert.accountId, askedIds) : null,
          announces ? selectOutgoing(alert.accountId) : null,
          selectWatched(alert.accountId, Date.now()),
          mayClose ? selectHasOpenMessages(accountId, id) : null,
          mayHangUp ? selectHasRinging(accountId, id, Date.now()) : null,
          ...projectionOf(snapshot),
        ]),
      );
      if (removed.length > 0) await this.#removeMembers(alert.accountId, removed);
      this.#storage.markProjected(snapshot);
      if (announces) void this.announce(targets);
      if (watched.length > 0) void this.#notifyWatchers(alert);
      if (open.length > 0 || ringing.length > 0) this.#closeMessages(alert);
      return true;
    } catch (error) {
      reportIfFull(error);
      logFault("an alert could not be projected", error);
      return false;
    }
  }

  /**
   * Removes confirmed pages. What was sent while somebody answered is ended at its provider: the
   * answer's projection may have been too early to see it. Returns whether these were the last pages.
   */
  confirm(reports: readonly PageReport[]): boolean {
    const wereLast = this.#storage.confirm(reports.map((report) => report.effectId));
    if (hasClosedMessengers(this.#env) || hasCalls(this.#env)) this.#closeLate(reports);
    return wereLast;
  }

  #closeLate(reports: readonly PageReport[]): void {
    const alert = this.#storage.read();
    const isLate = ({ event, accountUserId, workflowId }: PageReport["page"]) => {
      const workflow = alert?.workflows.find(({ id }) => id === workflowId);
      if (event !== "alert.open" || alert === null || workflow === undefined) return false;
      const { layer, pass } = workflow;
      return !isAwaitingAnswer(alert, { accountUserId, workflowId, layer, pass });
    };
    if (alert !== null && reports.some(({ page }) => isLate(page))) this.#closeMessages(alert);
  }

  /** Queues the end of answered messages. They end by themselves in any case: it is not retried. */
  #closeMessages({ accountId, id }: Alert): void {
    const message: CloseMessage = { accountId, close: { alertId: id } };
    void this.#env.PAGES.send(tagged(message)).catch((error: unknown) => {
      logMinorFault("answered messages could not be queued", error);
    });
  }

  /** Notifies open consoles of the step. They refresh in any case, later: it is not retried. */
  async #notifyWatchers({ accountId, id, version }: Alert): Promise<void> {
    try {
      if (await yieldsToPages(this.#env, "live")) return;
      await liveObject(this.#env, accountId).changed({ id, version });
    } catch (error) {
      logMinorFault("open consoles could not be notified", error);
    }
  }

  /**
   * Notifies the alerts that this one was aggregated into, and ends those that were merged into it.
   * Never throws.
   */
  async join(): Promise<void> {
    const alert = this.#storage.read();
    const { joins, merges } = this.#storage;
    if (alert === null || (joins.nextAt() === null && merges.nextAt() === null)) return;
    await Promise.all([
      joins.deliver((it) => joinLeader(this.#env, alert, it)),
      merges.deliver((it) => endMerged(this.#env, alert, it)),
    ]);
    this.#arm();
  }

  /**
   * Queues pending announcements for the account's outgoing integrations, in order; calls run one
   * at a time. Never throws: announcements that could not be queued stay stored and are retried.
   *
   * @param targets the outgoing integrations, if already read
   */
  announce(targets?: readonly AnnouncementTarget[]): Promise<void> {
    return this.#announcing.run(() => this.#announceAll(targets));
  }

  async #announceAll(known: readonly AnnouncementTarget[] | undefined): Promise<void> {
    const alert = this.#storage.read();
    const pending = this.#storage.announcements();
    if (alert === null || pending.length === 0) return;
    const { accountId } = alert;
    try {
      const targets = known ?? (await readAnnouncementTargets(this.#env.DB, accountId));
      await queueAnnouncements(this.#env, accountId, pending, targets);
      this.#storage.dropAnnounced(pending);
      this.#announceFailures = 0;
    } catch (error) {
      logFault("announcements could not be queued", error);
      this.#storage.postponeAnnouncements(Date.now() + retryDelay(this.#announceFailures));
      this.#announceFailures += 1;
    }
    this.#arm();
  }
}
