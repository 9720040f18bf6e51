// The alert's object: the only writer of its state. Every command is load → `transition` → one synchronous commit
// of state, story, pages and alarm → reply. It never calls a provider, and never decides anything itself.
import { readDestinationFacts } from "../db/destination-facts.ts";
import { newId } from "../db/identifiers.ts";
import { readRouters } from "../db/router-rows.ts";
import { within } from "../db/within.ts";
import { type Alert, type AskingPage, stillAsks } from "../domain/alert.ts";
import type { AlertDraft, Command, Facts, Outcome, RemovedMember } from "../domain/commands.ts";
import { countedOf } from "../domain/creation.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { PageReport } from "../domain/page.ts";
import { requestForRules } from "../domain/page-message.ts";
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import { firstIdentifierAt, isRetired, retiredBefore } from "../domain/retention.ts";
import type { Routers } from "../domain/routing.ts";
import { transition } from "../domain/transition.ts";
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { announcementsOf } from "./alert-announcements.ts";
import { AlertOutbox } from "./alert-outbox.ts";
import { AlertStorage } from "./alert-storage.ts";
import { OneTimer } from "./one-timer.ts";
import type { AlertStub, CallerCommand, CommandResult, CreateResult, Waiting } from "./rpc.ts";
import { findFirsts, releaseKeys } from "./shared-keys.ts";
import { integrationInbox } from "./stubs.ts";

type Joining = Extract<Command, { type: "join" }>;

const NOT_FOUND = refuse("not_found", "no such alert");

/** What is due is tried again at least this often (ms): a database that is back must not be noticed late. */
const LONGEST_PAUSE_MS = 10_000;

/** How long an alarm may take (ms): while one runs no other goes off, and timers are exact. */
const ALARM_MS = 30_000;

export class AlertObject extends AlarmObject implements AlertStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "an alert's alarm failed",
    longestPauseMs: LONGEST_PAUSE_MS,
    nextAt: () => this.#kept.nextAt(),
    run: () => within(ALARM_MS, this.#tick()),
  };
  readonly #kept = new AlertStorage(this.ctx.storage);
  readonly #outbox = new AlertOutbox(this.env, this.#kept, this.arm, (accountId, members) =>
    this.removeMembers(accountId, members),
  );
  /** After the reply. */
  readonly #draining = new OneTimer(() =>
    this.ctx.waitUntil(
      Promise.all([this.#outbox.handOver(), this.#outbox.project(), this.#outbox.join()]),
    ),
  );

  /** Makes the alert, or counts what says the same (`sequences`: the inbox's numbers of the events). */
  async create(
    draft: AlertDraft,
    sequences: readonly number[],
    waiting: Waiting,
  ): Promise<CreateResult> {
    if (this.#isGone(draft.id)) return { kind: "finished", countedSequence: 0 };
    const outcome = await this.#run(draft.accountId, { type: "create", draft, sequences });
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === "refused") return outcome.refusal;
    const alert = this.#kept.read() as Alert;
    const countedSequence = countedOf(alert, draft);
    if (outcome.kind === "unchanged" && outcome.result === "finished") {
      return { kind: "finished", countedSequence };
    }
    if (waiting === "for_readers") await this.#outbox.projectNow();
    const created = outcome.kind === "changed" && outcome.result === "created";
    return { kind: created ? "created" : "counted", alert, countedSequence };
  }

  /** Whether what belongs together is to be aggregated with it; null while it is not made. */
  async isRunning(): Promise<boolean | null> {
    const alert = this.#kept.read();
    if (alert === null) return null;
    const ended = ["resolved", "suppressed", "dropped"].includes(alert.status);
    return alert.deletedAt === null && !ended;
  }

  /** Counts an alert that was aggregated with this one; `not_made` while this one does not exist. */
  async join(accountId: string, member: Joining["member"]): Promise<"done" | "gone" | "not_made"> {
    const alert = this.#kept.read();
    if (alert === null) return "not_made";
    if (alert.accountId !== accountId) return "gone";
    const outcome = await this.#run(accountId, { type: "join", member });
    return isRefusal(outcome) || outcome.kind === "refused" ? "gone" : "done";
  }

  /** Makes sure that readers see it as it is now: whether they do; null while it is not made, or once it is deleted. */
  async show(): Promise<boolean | null> {
    const alert = this.#kept.read();
    if (alert === null || alert.deletedAt !== null) return null;
    await this.#outbox.projectNow();
    return this.#kept.unprojected() === null;
  }

  /** Carries out a caller's command; another account's alert is one that does not exist. */
  async command(
    accountId: string,
    command: CallerCommand,
    waiting: Waiting,
  ): Promise<CommandResult> {
    if (this.#kept.read()?.accountId !== accountId) return NOT_FOUND;
    const outcome = await this.#run(accountId, command);
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === "refused") return outcome.refusal;
    if (waiting === "for_readers") await this.#outbox.projectNow();
    return { kind: "done", alert: this.#kept.read() as Alert };
  }

  /** People whom it may be asking were removed from the account. Throws when that cannot be decided now. */
  async removeMembers(accountId: string, members: readonly RemovedMember[]): Promise<void> {
    if (this.#kept.read()?.accountId !== accountId) return;
    const outcome = await this.#run(accountId, { type: "members_removed", members });
    if (isRefusal(outcome)) throw new Error(outcome.errors[0]?.message);
  }

  /** The consumer's word that attempts have been recorded: their pages leave the outbox. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    const alert = this.#kept.read();
    if (alert === null) return;
    this.#kept.confirm(reports.map((report) => report.effectId));
    const unreached = reports.filter((it) => it.lines.length > 0 || it.unreached);
    if (unreached.length > 0)
      await this.#run(alert.accountId, { type: "unreached", reports: unreached });
    this.arm();
  }

  /** Whether it still waits for this person's answer: what was to reach them later asks first. */
  async asks(page: AskingPage): Promise<boolean> {
    const alert = this.#kept.read();
    return alert !== null && stillAsks(alert, page);
  }

  /** Does whatever is due. Called by the sweep for an object whose alarm did not fire. */
  async poke(): Promise<void> {
    await this.alarm();
  }

  /**
   * Forgets the alert if it ended before the instant (epoch ms) and readers have seen that it did; with it go what
   * led to it: its lane in the inbox, its keys.
   *
   * @returns whether nothing is left
   */
  async retire(before: number): Promise<boolean> {
    const alert = this.#kept.read();
    if (alert === null) return true;
    if (!isRetired(alert, before) || this.#kept.unprojected() !== null) {
      await this.alarm();
      return false;
    }
    const { id, accountId, source, dedupKeys } = alert;
    await releaseKeys(this.env, accountId, id, dedupKeys);
    if (source.type === "Integration") {
      await integrationInbox(this.env, prefixIdOf("integration", source.id)).forgetAlert(id);
    }
    const still = this.#kept.read();
    if (still !== null && !isRetired(still, before)) return false;
    await this.#kept.empty();
    return true;
  }

  /** What was retired does not come back, however late a message asks for it: its id tells how old it is. */
  #isGone(id: string): boolean {
    const before = retiredBefore(this.env.RETENTION_DAYS, Date.now());
    return before !== null && id < firstIdentifierAt(before) && this.#kept.read() === null;
  }

  /** Timers, pages, projection, whoever else is to know. Throws when the timers could not be seen to. */
  async #tick(): Promise<void> {
    const alert = this.#kept.read();
    if (alert === null) return;
    const outcome = await this.#run(alert.accountId, { type: "tick" });
    await this.#outbox.handOver();
    await this.#outbox.project();
    await this.#outbox.join();
    await this.#outbox.announce();
    if (isRefusal(outcome)) throw new Error(outcome.errors[0]?.message);
  }

  /**
   * Decides and commits. Facts are read when the decision asks for them; the decision is then taken anew on the
   * state as it is after the reading, so what happened meanwhile is never overwritten.
   *
   * @returns 503 when D1 cannot be read and nothing was decided
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
      const before = this.#kept.read();
      const outcome = transition(before, command, context);
      if (outcome.kind === "changed") {
        const request = command.type === "create" ? command.draft.log : null;
        const announcements = announcementsOf(before, outcome.alert, command, now);
        this.#kept.commit({ ...outcome, announcements }, request && requestForRules(request), now);
        this.arm();
        this.#draining.within(0);
      }
      if (outcome.kind !== "needs") return outcome;
      try {
        const { DB } = this.env;
        type Read = [Facts, Routers | null, ReadonlyMap<string, string>];
        const [read, found, first]: Read = await Promise.all([
          readDestinationFacts(DB, accountId, outcome.destinations, now),
          outcome.routers ? readRouters(DB, accountId, outcome.routers) : routers,
          outcome.aggregates
            ? findFirsts(this.env, accountId, ownIdOf(command), outcome.aggregates)
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
