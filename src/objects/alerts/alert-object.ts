// The alert's object: the only writer of its state. Each command is load, `transition` (which
// decides), one synchronous commit of state, timeline, pages and alarm, reply. Calls no provider.
import { readDestinationFacts } from "../../db/alerts/escalation/destination-facts.ts";
import { readRouters } from "../../db/routing/router-rows.ts";
import { newId } from "../../db/shared/identifiers.ts";
import { withTimeout } from "../../db/shared/timeout.ts";
import { type Alert, isAwaitingAnswer, type PageAssignment } from "../../domain/alerts/alert.ts";
import type {
  AlertDraft,
  Command,
  Facts,
  Outcome,
  RemovedMember,
} from "../../domain/alerts/commands.ts";
import { countedSequenceOf } from "../../domain/alerts/creation.ts";
import type { PageReport } from "../../domain/alerts/notifications/page.ts";
import { requestForRules } from "../../domain/alerts/notifications/page-message.ts";
import { transition } from "../../domain/alerts/transition.ts";
import type { Routers } from "../../domain/routing/routing.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { firstIdentifierAt, isRetired, retentionCutoff } from "../../domain/shared/retention.ts";
import { AlarmObject, type AlarmWork } from "../shared/alarm-object.ts";
import { OneTimer } from "../shared/one-timer.ts";
import type {
  AlertStub,
  CallerCommand,
  CommandResult,
  CreateResult,
  WaitFor,
} from "../shared/rpc.ts";
import { integrationInbox } from "../shared/stubs.ts";
import { announcementsOf } from "./alert-announcements.ts";
import { AlertOutbox } from "./alert-outbox.ts";
import { AlertStorage } from "./alert-storage.ts";
import { findFirstAlerts, releaseKeys } from "./shared-keys.ts";

type Join = Extract<Command, { type: "join" }>;

const NOT_FOUND = refuse("not_found", "no such alert");

/** Maximum back-off (ms): timers must resume promptly once the database is back. */
const MAX_PAUSE_MS = 10_000;

/** Timeout of an alarm (ms): no other alarm fires while one runs, and timers must be exact. */
const ALARM_TIMEOUT_MS = 30_000;

export class AlertObject extends AlarmObject implements AlertStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "an alert's alarm failed",
    longestPauseMs: MAX_PAUSE_MS,
    nextAt: () => this.#storage.nextAt(),
    run: () => withTimeout(ALARM_TIMEOUT_MS, this.#tick()),
  };
  readonly #storage = new AlertStorage(this.ctx.storage);
  readonly #outbox = new AlertOutbox(this.env, this.#storage, this.arm, (accountId, members) =>
    this.removeMembers(accountId, members),
  );
  /** Delivers the outbox after the reply. */
  readonly #deliveryTimer = new OneTimer(() =>
    this.ctx.waitUntil(
      Promise.all([this.#outbox.sendPages(), this.#outbox.project(), this.#outbox.join()]),
    ),
  );

  /**
   * Creates the alert, or counts a repetition.
   *
   * @param sequences the inbox's numbers of the events
   */
  async create(
    draft: AlertDraft,
    sequences: readonly number[],
    waiting: WaitFor,
  ): Promise<CreateResult> {
    if (this.#wasRetired(draft.id)) return { kind: "finished", countedSequence: 0 };
    const outcome = await this.#run(draft.accountId, { type: "create", draft, sequences });
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === "refused") return outcome.refusal;
    const alert = this.#storage.read() as Alert;
    const countedSequence = countedSequenceOf(alert, draft);
    if (outcome.kind === "unchanged" && outcome.result === "finished") {
      return { kind: "finished", countedSequence };
    }
    if (waiting === "for_readers") await this.#outbox.projectNow();
    const created = outcome.kind === "changed" && outcome.result === "created";
    return { kind: created ? "created" : "counted", alert, countedSequence };
  }

  /** Whether other alerts may be aggregated into it; null if it does not exist yet. */
  async isRunning(): Promise<boolean | null> {
    const alert = this.#storage.read();
    if (alert === null) return null;
    const ended = ["resolved", "suppressed", "dropped"].includes(alert.status);
    return alert.deletedAt === null && !ended;
  }

  /** Counts an alert aggregated into this one; `not_made` if this one does not exist yet. */
  async join(accountId: string, member: Join["member"]): Promise<"done" | "gone" | "not_made"> {
    const alert = this.#storage.read();
    if (alert === null) return "not_made";
    if (alert.accountId !== accountId) return "gone";
    const outcome = await this.#run(accountId, { type: "join", member });
    return isRefusal(outcome) || outcome.kind === "refused" ? "gone" : "done";
  }

  /** Projects its state to D1. Returns whether D1 has it; null if there is no alert (any more). */
  async show(): Promise<boolean | null> {
    const alert = this.#storage.read();
    if (alert === null || alert.deletedAt !== null) return null;
    await this.#outbox.projectNow();
    return this.#storage.unprojected() === null;
  }

  /** Executes a caller's command; `not_found` for another account's alert. */
  async command(
    accountId: string,
    command: CallerCommand,
    waiting: WaitFor,
  ): Promise<CommandResult> {
    if (this.#storage.read()?.accountId !== accountId) return NOT_FOUND;
    const outcome = await this.#run(accountId, command);
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === "refused") return outcome.refusal;
    if (waiting === "for_readers") await this.#outbox.projectNow();
    return { kind: "done", alert: this.#storage.read() as Alert };
  }

  /** Applies removals from the account to the alert. Throws if that cannot be decided now. */
  async removeMembers(accountId: string, members: readonly RemovedMember[]): Promise<void> {
    if (this.#storage.read()?.accountId !== accountId) return;
    const outcome = await this.#run(accountId, { type: "members_removed", members });
    if (isRefusal(outcome)) throw new Error(outcome.errors[0]?.message);
  }

  /** Removes pages from the outbox once the consumer has recorded their attempts. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    const alert = this.#storage.read();
    if (alert === null) return;
    this.#storage.confirm(reports.map((report) => report.effectId));
    const unreached = reports.filter((it) => it.lines.length > 0 || it.unreached);
    if (unreached.length > 0)
      await this.#run(alert.accountId, { type: "unreached", reports: unreached });
    this.arm();
  }

  /** Whether it still waits for this person's answer; checked before a later stage is sent. */
  async asks(page: PageAssignment): Promise<boolean> {
    const alert = this.#storage.read();
    return alert !== null && isAwaitingAnswer(alert, page);
  }

  /** Runs what is due. The sweep calls it for an object whose alarm did not fire. */
  async poke(): Promise<void> {
    await this.alarm();
  }

  /**
   * Deletes the alert, its dedup keys and its ordering key in the inbox if it ended before the
   * instant and D1 has its final state.
   *
   * @param before epoch ms
   * @returns whether nothing is left
   */
  async retire(before: number): Promise<boolean> {
    const alert = this.#storage.read();
    if (alert === null) return true;
    if (!isRetired(alert, before) || this.#storage.unprojected() !== null) {
      await this.alarm();
      return false;
    }
    const { id, accountId, source, dedupKeys } = alert;
    await releaseKeys(this.env, accountId, id, dedupKeys);
    if (source.type === "Integration") {
      await integrationInbox(this.env, prefixIdOf("integration", source.id)).forgetAlert(id);
    }
    const latest = this.#storage.read();
    if (latest !== null && !isRetired(latest, before)) return false;
    await this.#storage.empty();
    return true;
  }

  /** Whether a retired alert had this id, which contains its age: it must not be created again. */
  #wasRetired(id: string): boolean {
    const before = retentionCutoff(this.env.RETENTION_DAYS, Date.now());
    return before !== null && id < firstIdentifierAt(before) && this.#storage.read() === null;
  }

  /** Runs due timers and delivers the outbox. Throws if the timers could not be processed. */
  async #tick(): Promise<void> {
    const alert = this.#storage.read();
    if (alert === null) return;
    const outcome = await this.#run(alert.accountId, { type: "tick" });
    await this.#outbox.sendPages();
    await this.#outbox.project();
    await this.#outbox.join();
    await this.#outbox.announce();
    if (isRefusal(outcome)) throw new Error(outcome.errors[0]?.message);
  }

  /**
   * Decides and commits. If the decision needs facts, reads them and decides again on the then
   * current state, so that concurrent changes are never overwritten.
   *
   * @returns 503 if D1 cannot be read; nothing is decided then
   */
  async #run(
    accountId: string,
    command: Command,
  ): Promise<Exclude<Outcome, { kind: "needs" }> | Refusal> {
    let facts: Facts = new Map();
    let routers: Routers | null = null;
    let firsts: ReadonlyMap<string, string> = new Map();
    for (;;) {
      const now = Date.now();
      const context = { now, newId: () => newId(now), facts, routers, firsts };
      const before = this.#storage.read();
      const outcome = transition(before, command, context);
      if (outcome.kind === "changed") {
        const log = command.type === "create" ? command.draft.log : null;
        const request = log && requestForRules(log);
        const announcements = announcementsOf(before, outcome.alert, command, now);
        this.#storage.commit({ ...outcome, announcements }, request, now);
        this.arm();
        this.#deliveryTimer.within(0);
      }
      if (outcome.kind !== "needs") return outcome;
      try {
        const { DB } = this.env;
        type Read = [Facts, Routers | null, ReadonlyMap<string, string>];
        const [read, found, first]: Read = await Promise.all([
          readDestinationFacts(DB, accountId, outcome.destinations, now),
          outcome.routers ? readRouters(DB, accountId, outcome.routers) : routers,
          outcome.aggregates
            ? findFirstAlerts(this.env, accountId, ownIdOf(command), outcome.aggregates)
            : firsts,
        ]);
        facts = new Map([...facts, ...read]);
        routers = found;
        firsts = first;
      } catch (error) {
        console.error({
          message: "an alert could not read its destinations",
          error: String(error),
        });
        return refuse("unavailable", "the database cannot be reached; nothing was changed");
      }
    }
  }
}

const ownIdOf = (command: Command) => (command.type === "create" ? command.draft.id : "");
