// What an alert's object owes others, brought to them: its pages to the queue, its state and story to D1, what happened
// to the account's outgoing integrations. Decides nothing; whatever is refused stays in the object's storage, and its alarm tries again.
import { projectionOf } from "../db/alert-rows.ts";
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
import { selectRemoved, toRemoved } from "../db/member-removal-rows.ts";
import { within } from "../db/within.ts";
import type { Alert, LogEntry } from "../domain/alert.ts";
import type { Teller } from "../domain/announcement.ts";
import type { RemovedMember } from "../domain/commands.ts";
import { askedMembers } from "../domain/member-removal.ts";
import { pageMessage } from "../domain/page-message.ts";
import type { AlertStorage } from "./alert-storage.ts";
import { announce, readTellers, selectOutgoing, tellersIn } from "./announce.ts";
import { retryDelay } from "./retry.ts";
import { sendAll } from "./send-all.ts";

/** How long D1 may take for a projection (ms). */
const PATIENCE_MS = 15_000;

type Removed = (accountId: string, members: readonly RemovedMember[]) => Promise<void>;

export class AlertOutbox {
  readonly #env: Cloudflare.Env;
  readonly #kept: AlertStorage;
  readonly #arm: () => void;
  readonly #removed: Removed;
  #projecting: Promise<boolean> | null = null;
  #announcing: Promise<void> = Promise.resolve();
  /** How often in a row nobody could be told. */
  #untold = 0;

  /**
   * @param arm sets the object's alarm for what is stored
   * @param removed called with people who are asked and are not in the account any more
   */
  constructor(env: Cloudflare.Env, kept: AlertStorage, arm: () => void, removed: Removed) {
    this.#env = env;
    this.#kept = kept;
    this.#arm = arm;
    this.#removed = removed;
  }

  /**
   * Hands the outbox's pages to the queue. They stay in it until the consumer confirms them. Noted before the
   * sending, so that no second hand-over, and no alarm, takes what a slow queue has in hand.
   */
  async handOver(): Promise<void> {
    for (;;) {
      const alert = this.#kept.read();
      const rows = this.#kept.pagesDue(Date.now());
      if (alert === null || rows.length === 0) return;
      this.#kept.handingOver(rows, Date.now());
      this.#arm();
      const request = this.#kept.request();
      const messages = rows.map(({ page }) => pageMessage(alert, request, page));
      const taken = await sendAll(this.#env.PAGES, messages).then(
        () => true,
        () => false,
      );
      if (taken) continue;
      this.#kept.notTaken(rows, Date.now());
      this.#arm();
      return;
    }
  }

  /** Writes to D1 what readers have not yet; steps taken meanwhile go in one more write. */
  project(): Promise<boolean> {
    this.#projecting ??= this.#projectAll().finally(() => {
      this.#projecting = null;
    });
    return this.#projecting;
  }

  /** For callers who wait: a projection that was ending as the step was taken does not count. */
  async projectNow(): Promise<void> {
    while ((await this.project()) && this.#kept.unprojected() !== null);
  }

  async #projectAll(): Promise<boolean> {
    for (;;) {
      const pending = this.#kept.unprojected();
      if (pending === null) return true;
      const projected = await this.#projectOnce(pending.alert, pending.log);
      if (!projected) this.#kept.projectionFailed(Date.now());
      this.#arm();
      if (!projected) return false;
    }
  }

  async #projectOnce(alert: Alert, log: readonly LogEntry[]): Promise<boolean> {
    try {
      const { DB } = this.#env;
      // Who is to be told is asked in the same round trip: most accounts tell nobody.
      const asks = this.#kept.announcements.nextAt() !== null;
      const asked = askedMembers(alert);
      const queries = [
        selectRemoved(alert.accountId, asked),
        ...projectionOf(alert, log),
        ...(asks ? [selectOutgoing(alert.accountId)] : []),
      ];
      const statements = queries.slice(asked.length > 0 ? 0 : 1).map((it) => statement(DB, it));
      const results = await within(PATIENCE_MS, DB.batch<RawRow>(statements));
      const removed = asked.length > 0 ? toRemoved(results[0]?.results) : [];
      if (removed.length > 0) await this.#removed(alert.accountId, removed);
      this.#kept.projected(alert.version, log);
      if (asks) void this.announce(tellersIn(results.at(-1)?.results));
      return true;
    } catch (error) {
      console.error({
        message: "an alert could not be projected",
        error: String(error).slice(0, 200),
      });
      return false;
    }
  }

  /** Notifies the alerts that this one was aggregated with. Never throws. */
  async join(): Promise<void> {
    const alert = this.#kept.read();
    if (alert === null || this.#kept.joins.nextAt() === null) return;
    await this.#kept.joins.notify(this.#env, alert, retryDelay);
    this.#arm();
  }

  /**
   * Has the account's outgoing integrations told of what waits, in order, one hand-over after the other. Never throws:
   * what could not be queued stays, and is told again.
   *
   * @param tellers who there is to tell of it, where that is known
   */
  announce(tellers?: readonly Teller[]): Promise<void> {
    this.#announcing = this.#announcing.then(() => this.#announceAll(tellers));
    return this.#announcing;
  }

  async #announceAll(known: readonly Teller[] | undefined): Promise<void> {
    const alert = this.#kept.read();
    const waiting = this.#kept.announcements.waiting();
    if (alert === null || waiting.length === 0) return;
    const { accountId } = alert;
    try {
      const tellers = known ?? (await readTellers(this.#env.DB, accountId));
      await announce(this.#env, accountId, waiting, tellers);
      this.#kept.announcements.told(waiting);
      this.#untold = 0;
    } catch (error) {
      const said = String(error).slice(0, 200);
      console.error({ message: "what happened could not be told on", error: said });
      this.#kept.announcements.notTold(Date.now() + retryDelay(this.#untold));
      this.#untold += 1;
    }
    this.#arm();
  }
}
