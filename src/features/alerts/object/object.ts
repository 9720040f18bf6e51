// The alert's object: the only writer of its state. Each command is load, `transition` (which decides), one
// synchronous commit of state, timeline, pages and alarm, reply. Calls no provider. Once the alert has ended and
// D1 has everything, the object empties itself; a later command reads the state back from D1.
import { type Alert, isAwaitingAnswer, type PageAssignment } from "../../../domain/alerts/alert.ts";
import type {
  AlertDraft,
  Command,
  CommandAuthor,
  RemovedMember,
} from "../../../domain/alerts/commands.ts";
import { countedSequenceOf } from "../../../domain/alerts/creation.ts";
import { explainAnswer } from "../../../domain/alerts/earlier-answer.ts";
import type { PageReport } from "../../../domain/notifications/page.ts";
import { requestForRules } from "../../../domain/notifications/page-message.ts";
import { createAnonymizer, type PersonTraces } from "../../../domain/shared/anonymize.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { isRetired, retentionCutoff, wasRetired } from "../../../domain/shared/retention.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { OneTimer } from "../../../kernel/objects/one-timer.ts";
import type { AlertStub, CallerCommand, CommandResult, CreateResult, WaitFor } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import { stepOf } from "./alert-announcements.ts";
import { AlertOutbox } from "./alert-outbox.ts";
import { AlertStorage } from "./alert-storage.ts";
import { claimIdentifiers } from "./claim-identifiers.ts";
import { type DecidedStep, decide, loadAlert } from "./decide.ts";
import { emptiesAt, hasEnded, keepsIdentifiers, releaseAlert } from "./release-alert.ts";
import { Reopening } from "./reopening.ts";
import type { StoredAlert } from "./stored-alert-rows.ts";

type Join = Extract<Command, { type: "join" }>;

const NOT_FOUND = refuse("not_found", "no such alert");

/** Maximum back-off (ms): timers must resume promptly once the database is back. */
const MAX_PAUSE_MS = 10_000;

/** Timeout of an alarm (ms): no other alarm fires while one runs, and timers must be exact. */
const ALARM_TIMEOUT_MS = 30_000;

/** How long after a step the alarm empties the object of an ended alert, if it is not empty (ms). */
const EMPTY_AFTER_MS = 1_000;

/** How long after a failed attempt the object tries to empty itself again (ms). */
const EMPTY_RETRY_MS = 30_000;

export class AlertObject extends AlarmObject implements AlertStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "alert",
    failure: "an alert's alarm failed",
    longestPauseMs: MAX_PAUSE_MS,
    nextAt: () => this.#storage.nextAt() ?? this.#emptiesAt(),
    run: () => withTimeout(ALARM_TIMEOUT_MS, this.#tick()),
  };
  readonly #storage = new AlertStorage(this.ctx.storage);
  readonly #outbox = new AlertOutbox(this.env, this.#storage, this.arm, (accountId, members) =>
    this.removeMembers(accountId, members),
  );
  /** Delivers the outbox after the reply. */
  readonly #deliveryTimer = new OneTimer(() => this.ctx.waitUntil(this.#deliver()));
  readonly #state = {
    read: () => this.#storage.read(),
    restore: (stored: StoredAlert) => this.#storage.restore(stored),
    timesEmptied: () => this.#timesEmptied,
  };
  #emptying: Promise<void> | null = null;
  readonly #reopening = new Reopening(() => {
    this.#emptiesFrom = Date.now() + EMPTY_AFTER_MS;
    this.arm();
  });
  /** When the alarm is to empty it (epoch ms), if nothing did before: after a step, or a failure. */
  #emptiesFrom = 0;
  /** How often the object has emptied itself since it woke: what was read before is outdated. */
  #timesEmptied = 0;

  /**
   * Creates the alert, or counts a repetition.
   *
   * @param sequences the inbox's numbers of the events
   * @param isNew nothing can be known of it: D1 is not asked
   */
  async create(
    draft: AlertDraft,
    sequences: readonly number[],
    waiting: WaitFor,
    isNew = false,
  ): Promise<CreateResult> {
    await this.#reopening.ended();
    const decided = await this.#run(draft.accountId, { type: "create", draft, sequences, isNew });
    if (isRefusal(decided)) return decided;
    const { outcome, alert } = decided;
    if (outcome.kind === "refused") return outcome.refusal;
    if (alert === null) return { kind: "finished", countedSequence: 0, mergedIntoId: null };
    const countedSequence = countedSequenceOf(alert, draft);
    if (outcome.kind === "unchanged" && outcome.result === "finished") {
      return { kind: "finished", countedSequence, mergedIntoId: alert.mergedIntoId ?? null };
    }
    if (waiting === "for_readers") await this.#outbox.projectNow();
    const created = outcome.kind === "changed" && outcome.result === "created";
    return { kind: created ? "created" : "counted", alert, countedSequence };
  }

  /** Whether others may be aggregated into it: it has notified somebody. Null if it does not exist yet. */
  async isRunning(accountId: string): Promise<boolean | null> {
    const alert = await this.#find(accountId);
    if (alert === null) return null;
    const isAsking = ["open", "acknowledged"].includes(alert.status);
    return alert.deletedAt === null && isAsking;
  }

  /** Whether it is resolved or deleted, and so is the alert it was merged into; null without one. */
  async hasEnded(accountId: string): Promise<boolean | null> {
    await this.#reopening.ended();
    const alert = await this.#find(accountId);
    return alert && hasEnded(this.env, alert);
  }

  #leader(id: string): AlertStub {
    return alertObject(this.env, prefixIdOf("alert", id));
  }

  /** Ends it as a part of its leader. Safe to repeat. Throws if that cannot be decided now. */
  async mergeInto(accountId: string, leaderId: string, by: CommandAuthor): Promise<void> {
    await this.#reopening.ended();
    const decided = await this.#run(accountId, { type: "merge_into", leaderId, by });
    if (isRefusal(decided) && decided.reason === "unavailable")
      throw new Error(decided.errors[0]?.message);
    await this.#outbox.projectNow();
  }

  /** Counts an alert aggregated into this one; `not_made` if this one does not exist yet. */
  async join(accountId: string, member: Join["member"]): Promise<"done" | "gone" | "not_made"> {
    const known = this.#storage.read();
    if (known !== null && known.accountId !== accountId) return "gone";
    if ((await this.#find(accountId)) === null) return "not_made";
    const decided = await this.#run(accountId, { type: "join", member });
    return isRefusal(decided) || decided.outcome.kind === "refused" ? "gone" : "done";
  }

  /** Projects its state to D1. Returns whether D1 has it; null if there is no alert (any more). */
  async show(accountId: string): Promise<boolean | null> {
    const alert = await this.#find(accountId);
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
    const isReopening = command.type === "reopen" || command.type === "undo";
    const decided = isReopening
      ? await this.#reopen(accountId, command)
      : await this.#run(accountId, command);
    if (isRefusal(decided)) return decided;
    const { outcome, alert } = decided;
    const isRefused = outcome.kind === "refused";
    if (isRefused && alert?.mergedIntoId != null && command.by.integrationId !== undefined) {
      // The alert's events are its leader's.
      return this.#leader(alert.mergedIntoId).command(accountId, command, waiting);
    }
    if (isRefused) return explainAnswer(outcome.refusal, command, alert, this.#storage.timeline());
    if (alert === null) return NOT_FOUND;
    if (waiting === "for_readers") {
      if (command.type === "merge") await this.#outbox.join();
      await this.#outbox.projectNow();
    }
    return { kind: "done", alert };
  }

  /**
   * Reopens the alert, or undoes an answer, which may be a resolution. What it has claimed in vain
   * is released as an ended alert's.
   */
  #reopen(
    accountId: string,
    { type, by }: Extract<CallerCommand, { type: "reopen" | "undo" }>,
  ): Promise<DecidedStep | Refusal> {
    const command = (): Command =>
      type === "undo"
        ? { type, by, areOthersNotified: !this.#storage.hasWaitingNotices() }
        : { type, by, retiredBefore: retentionCutoff(this.env.RETENTION_DAYS, Date.now()) };
    // An alert that is being released must not let go of what it claims.
    return this.#reopening.run(
      () => this.#run(accountId, command()),
      () => this.#emptying,
    );
  }

  /** Applies removals from the account to the alert. Throws if that cannot be decided now. */
  async removeMembers(accountId: string, members: readonly RemovedMember[]): Promise<void> {
    // Nobody is asked by an alert that has ended.
    if (this.#storage.read()?.accountId !== accountId) return;
    const decided = await this.#run(accountId, { type: "members_removed", members });
    if (isRefusal(decided)) throw new Error(decided.errors[0]?.message);
  }

  /** Removes pages from the outbox once the consumer has recorded their attempts. */
  async confirm(reports: readonly PageReport[], accountId: string): Promise<void> {
    // The alarm that would have sent them again has nothing left to do.
    if (this.#outbox.confirm(reports)) this.putOff();
    const unreached = reports.filter((it) => it.lines.length > 0 || it.unreached);
    if (unreached.length > 0) {
      const decided = await this.#run(accountId, { type: "unreached", reports: unreached });
      if (isRefusal(decided) && decided.reason === "unavailable")
        throw new Error(decided.errors[0]?.message);
    }
    this.arm();
    this.#deliveryTimer.within(0);
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
   * Lets go of the alert, its dedup keys and its ordering key in the inbox if it ended before the
   * instant and D1 has its final state.
   *
   * @param before epoch ms
   * @param holdsKeys whether it holds its keys although the object is empty: it was dropped
   * @returns whether nothing is left
   */
  async retire(accountId: string, before: number, holdsKeys: boolean): Promise<boolean> {
    const alert = holdsKeys ? await this.#find(accountId) : this.#storage.read();
    if (alert === null) return true;
    if (!isRetired(alert, before) || !this.#storage.isDelivered()) {
      await this.alarm();
      return false;
    }
    if (!(await releaseAlert(this.env, alert))) return false;
    const latest = this.#storage.read();
    if (latest !== null && !isRetired(latest, before)) return false;
    await this.#empty();
    return true;
  }

  /** Removes an erased person's traces. Returns how many values named them. */
  override async anonymize(traces: PersonTraces): Promise<number> {
    const changes = this.#storage.anonymize(createAnonymizer(traces));
    // What was only in memory is stored now: an ended alert's object is to be empty again.
    if (changes > 0) this.arm();
    return changes;
  }

  // ── Decisions ──

  /** Decides a command and commits the result; 503 if D1 cannot be read: nothing is decided then. */
  #run(accountId: string, command: Command): Promise<DecidedStep | Refusal> {
    return decide(this.env, this.#name, accountId, command, {
      ...this.#state,
      wasRetired: (id) => wasRetired(id, this.env.RETENTION_DAYS, Date.now()),
      claim: (alert) => claimIdentifiers(this.env, alert),
      commit: (before, outcome, now) => {
        const log = command.type === "create" ? command.draft.log : null;
        const request = log && requestForRules(log);
        this.#storage.commit(stepOf(this.env, before, outcome, command, now), request, now);
        this.#emptiesFrom = now + EMPTY_AFTER_MS;
        this.arm();
        this.#deliveryTimer.within(0);
      },
    });
  }

  get #name(): string {
    return this.ctx.id.name ?? "";
  }

  /** The alert, read back from D1 if necessary; null if there is none. Throws if D1 does. */
  #find(accountId: string): Promise<Alert | null> {
    return loadAlert(this.env, this.#name, accountId, this.#state);
  }

  // ── Deliveries, and the end ──

  /** Runs due timers and delivers the outbox. Throws if the timers could not be processed. */
  async #tick(): Promise<void> {
    const alert = this.#storage.read();
    if (alert === null) return;
    const decided = await this.#run(alert.accountId, { type: "tick" });
    await this.#outbox.sendPages();
    await this.#outbox.project();
    await this.#outbox.join();
    await this.#outbox.announce();
    await this.#emptyIfEnded();
    if (isRefusal(decided)) throw new Error(decided.errors[0]?.message);
  }

  async #deliver(): Promise<void> {
    await Promise.all([this.#outbox.sendPages(), this.#outbox.project(), this.#outbox.join()]);
    await this.#outbox.announce();
    await this.#emptyIfEnded();
  }

  /** When the object is to empty itself (epoch ms); null while the alert has not ended. */
  #emptiesAt(): number | null {
    // It is doing it, and sets the alarm if that fails. The alarm that is set wakes it if it dies.
    const isIdle = this.#emptying === null && !this.#reopening.isRunning;
    const alert = isIdle ? this.#storage.read() : null;
    const at = alert && emptiesAt(alert);
    return at === null ? null : Math.max(at, this.#emptiesFrom);
  }

  /** Empties the object once the alert has ended and D1 has everything. Never throws. */
  #emptyIfEnded(): Promise<void> {
    this.#emptying ??= this.#releaseAndEmpty().finally(() => {
      this.#emptying = null;
      this.arm();
    });
    return this.#emptying;
  }

  async #releaseAndEmpty(): Promise<void> {
    const alert = this.#storage.read();
    if (alert === null || this.#reopening.isRunning || !this.#storage.isDelivered()) return;
    const at = emptiesAt(alert);
    if (at === null || at > Date.now()) return;
    try {
      const isReleased = keepsIdentifiers(alert) || (await releaseAlert(this.env, alert));
      const latest = this.#storage.read();
      const isCurrent = latest?.version === alert.version && this.#storage.isDelivered();
      if (isReleased && isCurrent) return await this.#empty();
    } catch (error) {
      logFault("an ended alert could not be released", error);
    }
    this.#emptiesFrom = Date.now() + EMPTY_RETRY_MS;
  }

  #empty(): Promise<void> {
    this.#timesEmptied += 1;
    this.forgetAlarm();
    return this.#storage.empty();
  }
}
