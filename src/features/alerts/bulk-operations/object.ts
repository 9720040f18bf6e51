// A bulk operation's object: commands the alerts of a snapshot, a bounded number per step, and writes
// the progress to D1 after each. A step that was interrupted runs again: alerts that it had already
// changed are recognized by what D1 shows of them. Once the person who started it has lost access, it refuses
// the remaining alerts. Stores nothing once the operation is finished.
import {
  addResults,
  BULK_STEP,
  type BulkCommand,
  type BulkProgress,
  type BulkResult,
  resultWithoutCommand,
  startProgress,
} from "../../../domain/alerts/bulk-operation.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { SlicedValue } from "../../../kernel/objects/sliced-value.ts";
import type { BulkOperationStub, CallerCommand, WatchedBulkOperation } from "../../rpc.ts";
import { alertObject } from "../../stubs.ts";
import { selectBulkAlerts, selectBulkOperation, selectStarter, writeBulkProgress } from "./rows.ts";

/** Alerts answered at the same time. */
const CONCURRENCY = 10;

/** Delay of the first check (ms): by then the operation is written, or about to be. */
const FIRST_CHECK_MS = 300;
const CHECK_AGAIN_MS = 10 * SECOND;

/** An operation that is not written by then never will be (ms). */
const MAX_UNWRITTEN_MS = 10 * MINUTE;

/** The longest pause before a step is repeated (ms). */
const MAX_PAUSE_MS = 10 * SECOND;

type State = BulkProgress & {
  /** Since when the operation is expected (epoch ms). */
  readonly since: number;
  /** Whether D1 is known to have it. */
  readonly isWritten: boolean;
  /** When the next step begins (epoch ms). */
  readonly nextAt: number;
};

const STATE = "state";
/** The format of `WatchedBulkOperation`. */
const OPERATION_VERSION = 1;

/** The version before the one with parameters stored the names of two commands. */
const commandOf = ({ action }: WatchedBulkOperation): BulkCommand =>
  typeof action === "string" ? { type: action } : action;

const NO_ACCESS = "the person who started the operation has no access any more";

export class BulkOperationObject extends AlarmObject implements BulkOperationStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "bulk_operation",
    failure: "a step of a bulk operation is repeated",
    longestPauseMs: MAX_PAUSE_MS,
    nextAt: () => this.#read()?.nextAt ?? null,
    run: () => this.#runStep(),
  };
  readonly #operation = new SlicedValue<WatchedBulkOperation>(
    this.ctx.storage.kv,
    "operation",
    OPERATION_VERSION,
  );
  #running: Promise<void> | null = null;
  /** Whether the current step may have run in part before the object was restarted. */
  #isResumed = true;

  /** Expects an operation, before it is written: it is processed even if its writer dies. */
  async expect(operation: WatchedBulkOperation): Promise<void> {
    if (this.#read() !== null) return;
    const now = Date.now();
    this.#isResumed = false;
    this.#operation.put(operation);
    this.#put({
      ...startProgress(now),
      since: now,
      isWritten: false,
      nextAt: now + FIRST_CHECK_MS,
    });
    this.arm();
  }

  /** Starts the operation at once; it is written. */
  async start(): Promise<void> {
    const state = this.#read();
    if (state === null || state.isWritten) return;
    this.#put({ ...state, isWritten: true, nextAt: Date.now() });
    this.arm();
  }

  #read(): State | null {
    return this.ctx.storage.kv.get<State>(STATE) ?? null;
  }

  #put(state: State): void {
    this.ctx.storage.kv.put<State>(STATE, state);
  }

  /** Runs one step at a time, each in an alarm of its own: its limits count for one step. */
  #runStep(): Promise<void> {
    this.#running ??= this.#step().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #step(): Promise<void> {
    const state = this.#read();
    const operation = state && this.#operation.get();
    if (state === null || operation === null || state.nextAt > Date.now()) return;
    if (!state.isWritten) {
      const { accountId, id } = operation;
      const isWritten = (await first(this.env.DB, selectBulkOperation(accountId, id))) !== null;
      if (!isWritten) return this.#handleUnwritten(state, Date.now());
    }
    const results = await this.#answerAll(operation, state);
    const latest = { ...state, isWritten: true };
    // An alert that was changed before the restart refuses until D1 shows it as changed.
    const isUnclear = this.#isResumed && results.some(([, { kind }]) => kind === "refused");
    this.#isResumed = false;
    const progress = isUnclear ? null : addResults(latest, results, Date.now());
    if (progress === null) {
      this.#put({ ...latest, attempts: latest.attempts + 1 });
      throw new Error("alerts could not be reached");
    }
    await this.#finishStep(operation, { ...latest, ...progress });
  }

  /** The operation's writer has died, or is about to write it. */
  #handleUnwritten(state: State, now: number): void {
    if (state.since + MAX_UNWRITTEN_MS < now) this.#deleteAll();
    else this.#put({ ...state, nextAt: now + CHECK_AGAIN_MS });
  }

  /** Stores the progress, then shows it to readers. */
  async #finishStep(operation: WatchedBulkOperation, state: State): Promise<void> {
    const { id, accountId, alertIds } = operation;
    const now = Date.now();
    this.#put({ ...state, nextAt: now });
    const isFinished = state.position >= alertIds.length;
    await statement(this.env.DB, writeBulkProgress(accountId, id, state, isFinished, now)).run();
    if (isFinished) this.#deleteAll();
  }

  /** Answers the alerts of a step, a few at the same time; all that are left without access. */
  async #answerAll(
    operation: WatchedBulkOperation,
    { position, stepAt }: State,
  ): Promise<(readonly [string, BulkResult])[]> {
    const { accountId, by, apiKeyId, alertIds } = operation;
    const command = commandOf(operation);
    const ids = alertIds.slice(position, position + BULK_STEP);
    const [[starter], stored] = await batch(this.env.DB, [
      selectStarter(accountId, by.accountUserId, apiKeyId),
      selectBulkAlerts(accountId, ids, by.name),
    ]);
    if (starter === undefined)
      return alertIds.slice(position).map((id) => [id, { kind: "refused", message: NO_ACCESS }]);
    const byId = new Map(stored.map((alert) => [alert.id, alert]));
    const known = new Map(
      ids.map((id) => [id, resultWithoutCommand(command, byId.get(id), stepAt)]),
    );
    if (command.type === "merge") {
      // One command to the leader, which brings the others along.
      const merged = stored.filter(({ id }) => known.get(id) === null);
      const alerts = merged.map(({ id, title }) => ({ id, title }));
      const merge: CallerCommand = { type: "merge", alerts, by };
      const result =
        alerts.length === 0 ? null : await this.#send(accountId, command.leaderId, merge);
      return ids.map((id) => [id, known.get(id) ?? result ?? { kind: "unchanged" }]);
    }
    const authored: CallerCommand = { ...command, by };
    const results: (readonly [string, BulkResult])[] = [];
    const waiting = ids.entries();
    const answerNext = async () => {
      for (const [at, id] of waiting) {
        results[at] = [id, known.get(id) ?? (await this.#send(accountId, id, authored))];
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, answerNext));
    return results;
  }

  async #send(accountId: string, id: string, command: CallerCommand): Promise<BulkResult> {
    const alert = alertObject(this.env, prefixIdOf("alert", id));
    try {
      const result = await alert.command(accountId, command, "for_readers");
      if (!isRefusal(result)) return { kind: "changed" };
      const message = result.errors.map((error) => error.message).join("; ");
      return { kind: result.reason === "unavailable" ? "unavailable" : "refused", message };
    } catch (error) {
      logFault("a bulk operation could not reach an alert", error);
      return {
        kind: "unavailable",
        message: "the alert could not be reached; nothing was changed",
      };
    }
  }

  #deleteAll(): void {
    this.ctx.storage.kv.delete(STATE);
    this.forgetAlarm();
    void this.ctx.storage.deleteAlarm();
    void this.ctx.storage.deleteAll();
  }
}
