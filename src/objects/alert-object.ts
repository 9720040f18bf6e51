// The alert's object: the only writer of its state. Every command is load → `transition` → one synchronous commit
// of state, story, pages and alarm → reply. It never calls a provider, and never decides anything itself.
import { DurableObject } from "cloudflare:workers";
import { projectionOf } from "../db/alert-rows.ts";
import { statement } from "../db/database.ts";
import { readDestinationFacts } from "../db/destination-facts.ts";
import { newId } from "../db/identifiers.ts";
import { readRouters } from "../db/router-rows.ts";
import { type Alert, type AskingPage, type LogEntry, stillAsks } from "../domain/alert.ts";
import type {
  AlertDraft,
  By,
  Command,
  ContentChanges,
  Facts,
  Outcome,
} from "../domain/commands.ts";
import { countedOf } from "../domain/creation.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import type { PageReport } from "../domain/page.ts";
import { pageMessage, requestForRules } from "../domain/page-message.ts";
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import type { Aggregate, Routers } from "../domain/routing.ts";
import { transition } from "../domain/transition.ts";
import { AlertStorage, retryDelay } from "./alert-storage.ts";
import { sendAll } from "./send-all.ts";
import { dedupKey } from "./shared-keys.ts";
import { alertObject } from "./stubs.ts";

/** `countedSequence`: the highest of the source's sequence numbers that it has counted. */
export type CreateResult =
  | {
      readonly kind: "created" | "counted";
      readonly alert: Alert;
      readonly countedSequence: number;
    }
  /** It has ended: an event of the same `Id` makes another alert. */
  | { readonly kind: "finished"; readonly countedSequence: number }
  | Refusal;

export type CommandResult = { readonly kind: "done"; readonly alert: Alert } | Refusal;

/** What callers may ask for beside a create. */
export type CallerCommand =
  | { readonly type: "acknowledge" | "resolve" | "delete"; readonly by: By }
  | { readonly type: "reject"; readonly by: By & { readonly accountUserId: string } }
  | { readonly type: "change"; readonly changes: ContentChanges; readonly by: By }
  | Extract<Command, { type: "handoff" }>;

const NOT_FOUND = refuse("not_found", "no such alert");

/** What is due is tried again at least this often (ms): a database that is back must not be noticed late. */
const LONGEST_WAIT_MS = 10_000;

/** Whoever is to be aggregated with an alert waits this long for it to be made (ms); then it goes on itself. */
const LONGEST_MAKING_MS = 10_000;

/** Whether the caller waits until readers can see what it did: an API call does, a webhook's drain does not. */
export type Waiting = "for_readers" | "for_nothing";

export class AlertObject extends DurableObject<Cloudflare.Env> {
  readonly #kept: AlertStorage;
  #projecting: Promise<boolean> | null = null;
  /** How often in a row what was due could not be decided. */
  #failures = 0;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#kept = new AlertStorage(ctx.storage);
    const alert = this.#kept.read();
    if (alert !== null) ctx.waitUntil(this.#rearm(alert));
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(alert: Alert): Promise<void> {
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at <= Date.now()) this.#kept.arm(this.#kept.read() ?? alert, Date.now());
  }

  /** Makes the alert, or counts what says the same (`sequences`: the inbox's numbers of the events). */
  async create(
    draft: AlertDraft,
    sequences: readonly number[],
    waiting: Waiting,
  ): Promise<CreateResult> {
    const outcome = await this.#run(draft.accountId, { type: "create", draft, sequences });
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === "refused") return outcome.refusal;
    const alert = this.#kept.read() as Alert;
    const countedSequence = countedOf(alert, draft);
    if (outcome.kind === "unchanged" && outcome.result === "finished") {
      return { kind: "finished", countedSequence };
    }
    if (waiting === "for_readers") await this.#projectNow();
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
    if (waiting === "for_readers") await this.#projectNow();
    return { kind: "done", alert: this.#kept.read() as Alert };
  }

  /** The consumer's word that attempts have been recorded: their pages leave the outbox. */
  async confirm(reports: readonly PageReport[]): Promise<void> {
    const alert = this.#kept.read();
    if (alert === null) return;
    this.#kept.confirm(reports.map((report) => report.effectId));
    const unreached = reports.filter((it) => it.lines.length > 0 || it.unreached);
    if (unreached.length > 0)
      await this.#run(alert.accountId, { type: "unreached", reports: unreached });
    this.#kept.arm(this.#kept.read() ?? alert, Date.now());
  }

  /** Whether it still waits for this person's answer: what was to reach them later asks first. */
  async asks(page: AskingPage): Promise<boolean> {
    const alert = this.#kept.read();
    return alert !== null && stillAsks(alert, page);
  }

  /** Does whatever is due. Called by the sweep for an object whose alarm did not fire. */
  async poke(): Promise<void> {
    await this.#work();
  }

  override async alarm(): Promise<void> {
    await this.#work();
  }

  /** Timers, pages, projection; then the alarm for what comes next. Never throws: a thrown alarm runs dry. */
  async #work(): Promise<void> {
    const alert = this.#kept.read();
    if (alert === null) return;
    let failed = false;
    try {
      const outcome = await this.#run(alert.accountId, { type: "tick" });
      failed = isRefusal(outcome);
      await this.#handOver();
      await this.#project();
    } catch (error) {
      failed = true;
      console.error({ message: "an alert's alarm failed", alert: alert.id, error: String(error) });
    }
    const now = Date.now();
    this.#kept.defer(failed ? now + Math.min(retryDelay(this.#failures), LONGEST_WAIT_MS) : 0);
    this.#failures = failed ? this.#failures + 1 : 0;
    this.#kept.arm(this.#kept.read() ?? alert, now);
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
      const outcome = transition(this.#kept.read(), command, context);
      if (outcome.kind === "changed") {
        const request = command.type === "create" ? command.draft.log : null;
        this.#kept.commit(outcome, request && requestForRules(request), now);
        setTimeout(() => this.#drain(), 0);
      }
      if (outcome.kind !== "needs") return outcome;
      try {
        const { DB } = this.env;
        type Read = [Facts, Routers | null, ReadonlyMap<string, string>];
        const [read, found, first]: Read = await Promise.all([
          readDestinationFacts(DB, accountId, outcome.destinations, now),
          outcome.routers ? readRouters(DB, accountId, outcome.routers) : routers,
          outcome.aggregates ? this.#firstsOf(accountId, command, outcome.aggregates) : firsts,
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

  /** Which alert comes first of each fingerprint: this one, unless another runs that came before it. */
  async #firstsOf(
    accountId: string,
    command: Command,
    aggregates: readonly Aggregate[],
  ): Promise<ReadonlyMap<string, string>> {
    const own = command.type === "create" ? command.draft.id : "";
    const firstOf = async ({ fingerprint, timeoutMs }: Aggregate) => {
      const key = dedupKey(this.env, accountId, `aggregate:${fingerprint}`);
      const first = await key.claim(own, null, timeoutMs);
      if (first === own) return first;
      const runs = await alertObject(this.env, prefixIdOf("alert", first)).isRunning();
      const beingMade = runs === null && (await key.age()) < LONGEST_MAKING_MS;
      return runs === true || beingMade ? first : key.claim(own, first, timeoutMs);
    };
    const found = aggregates.map(async (it) => [it.fingerprint, await firstOf(it)] as const);
    return new Map(await Promise.all(found));
  }

  #drain(): void {
    this.ctx.waitUntil(Promise.all([this.#handOver(), this.#project()]));
  }

  /**
   * Hands the outbox's pages to the queue. They stay in it until the consumer confirms them. Noted before the
   * sending, so that no second hand-over, and no alarm, takes what a slow queue has in hand.
   */
  async #handOver(): Promise<void> {
    for (;;) {
      const alert = this.#kept.read();
      const rows = this.#kept.pagesDue(Date.now());
      if (alert === null || rows.length === 0) return;
      this.#kept.handingOver(rows, Date.now());
      this.#kept.arm(alert, Date.now());
      const request = this.#kept.request();
      const messages = rows.map(({ page }) => pageMessage(alert, request, page));
      const taken = await sendAll(this.env.PAGES, messages).then(
        () => true,
        () => false,
      );
      if (taken) continue;
      this.#kept.notTaken(rows, Date.now());
      this.#kept.arm(this.#kept.read() ?? alert, Date.now());
      return;
    }
  }

  /** Writes to D1 what readers have not yet; steps taken meanwhile go in one more write. */
  #project(): Promise<boolean> {
    this.#projecting ??= this.#projectAll().finally(() => {
      this.#projecting = null;
    });
    return this.#projecting;
  }

  /** For callers who wait: a projection that was ending as the step was taken does not count. */
  async #projectNow(): Promise<void> {
    while ((await this.#project()) && this.#kept.unprojected() !== null);
  }

  async #projectAll(): Promise<boolean> {
    for (;;) {
      const pending = this.#kept.unprojected();
      if (pending === null) return true;
      const projected = await this.#projectOnce(pending.alert, pending.log);
      if (!projected) this.#kept.projectionFailed(Date.now());
      this.#kept.arm(this.#kept.read() ?? pending.alert, Date.now());
      if (!projected) return false;
    }
  }

  async #projectOnce(alert: Alert, log: readonly LogEntry[]): Promise<boolean> {
    try {
      const { DB } = this.env;
      await DB.batch(projectionOf(alert, log).map((query) => statement(DB, query)));
      this.#kept.projected(alert.version, log);
      return true;
    } catch (error) {
      console.error({
        message: "an alert could not be projected",
        error: String(error).slice(0, 200),
      });
      return false;
    }
  }
}
