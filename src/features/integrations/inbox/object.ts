// An integration's inbox: accepts events, stores them and delivers them to their alerts' objects.
// The reply "accepted" means durable. Work that only readers or people need follows the reply.

import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import type { PersonTraces } from "../../../domain/shared/anonymize.ts";
import { isRefusal, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { yieldsToPages } from "../../../kernel/db/daily-use.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { anonymizeStorage } from "../../../kernel/objects/anonymize-storage.ts";
import { BackedUpObject } from "../../../kernel/objects/backed-up-object.ts";
import { OneTimer } from "../../../kernel/objects/one-timer.ts";
import { isIntakeKey } from "../../../products/authentication.ts";
import { minutesOf } from "../../../products/common-options.ts";
import { credentialHashes } from "../../../products/credential-hashes.ts";
import type {
  InboundEvent,
  InboundRequest,
  IntegrationType,
} from "../../../products/integration-type.ts";
import { interpretRequest } from "../../../products/interpret.ts";
import { applyTrail, parseTrail, TRAIL_HEADER } from "../../../products/outgoing/trail.ts";
import { markTest, type TestEvent } from "../../../products/test-event.ts";
import { heartbeat } from "../../../products/uptime/heartbeat.ts";
import type {
  ForwardedRequest,
  HeldEvent,
  InboxStub,
  ReceiveResult,
  RequestOutcome,
} from "../../rpc.ts";
import { assignOrderingKey, opensOnlyNew } from "./assign-ordering-key.ts";
import { Backlog } from "./backlog.ts";
import { ConfigurationReads } from "./configuration-reads.ts";
import { deliverEvents } from "./deliver-events.ts";
import { DeliveryFailures } from "./delivery-failures.ts";
import { DELIVERY_DELAY_MS, DeliverySchedule } from "./delivery-schedule.ts";
import { forgetEndedAlert } from "./forget-alert.ts";
import { Heartbeat } from "./heartbeat.ts";
import { InboxAlarm, RECOVERY_MS } from "./inbox-alarm.ts";
import { InboxLogs } from "./inbox-logs.ts";
import { type AcceptedRequest, InboxStorage } from "./inbox-storage.ts";
import { readIntegrationConfiguration } from "./integration-rows.ts";
import { type CommentedAlert, storeNotes } from "./notes.ts";
import { outcomeWithoutAlert, warningOf } from "./outcomes.ts";
import { Refusals } from "./refusals.ts";
import { awaitOutcome } from "./request-outcome.ts";
import { isActionable, OVERLOADED, readRequest } from "./request-refusal.ts";
import { settleHeld } from "./settle-held.ts";
import { admitRequest, recordSnsMessage } from "./sns-gate.ts";

export class IntegrationInbox extends BackedUpObject implements InboxStub {
  readonly #storage: InboxStorage;
  readonly #keys = new DeliverySchedule();
  readonly #heartbeat: Heartbeat;
  readonly #logs: InboxLogs;
  /** Fires after a reply and when an ordering key is due. */
  readonly #deliveryTimer = new OneTimer(() => this.#deliverDue());
  readonly #reads = new ConfigurationReads(() => this.#load());
  readonly #reloadTimer = new OneTimer(() => this.ctx.waitUntil(this.#reads.load()));
  readonly #backlog = new Backlog(this.env, () => this.#storage.size());
  readonly #refusals = new Refusals(this.ctx, this.env);
  readonly #failures = new DeliveryFailures(this.ctx, this.env, () => this.#storage);
  /** The `Id`s of which a standby's events were received since the object woke. */
  readonly #followed = new Set<string | null>();
  readonly #alarm: InboxAlarm;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#storage = new InboxStorage(ctx.storage);
    this.#alarm = new InboxAlarm(ctx.storage);
    this.#heartbeat = new Heartbeat(ctx.storage);
    this.#logs = new InboxLogs(env.DB, this.#storage, {
      waitUntil: (work) => ctx.waitUntil(work),
      wakeBefore: (at) => this.#alarm.before(at, Date.now()),
      reload: () => this.#reads.load(),
      isPaused: () => yieldsToPages(env, "logs"),
    });
    this.#scheduleStored();
    if (this.#storage.hasWork() || this.#heartbeat.isExpected) ctx.waitUntil(this.#alarm.restore());
  }

  /** Schedules the stored events of ordering keys that are not scheduled yet. */
  #scheduleStored(): void {
    const now = Date.now();
    for (const { id, urgent } of this.#storage.events.index.pendingKeys()) {
      if (!this.#keys.has(id)) this.#keys.add(id, urgent, now);
    }
    if (this.#storage.hasWork()) this.#deliveryTimer.within(0);
  }

  /**
   * Stores the configuration after a write to the integration. Ignores an older copy. `isSeen`:
   * somebody has changed the integration itself, and so has seen what it refused.
   */
  async configure(configuration: IntegrationConfiguration, isSeen = false): Promise<void> {
    if (isSeen) this.#refusals.end();
    const stored = this.#storage.configuration();
    if (stored && stored.body.updatedAt > configuration.updatedAt) return;
    this.#storage.storeConfiguration(configuration, Date.now());
    if (!configuration.enabled) this.#heartbeat.stop();
    this.#checkHeartbeat(Date.now());
    if (this.#storage.windows.isPending) this.#alarm.set(Date.now());
  }

  /** Removes an erased person's traces. Returns how many rows and values named them. */
  async anonymize(traces: PersonTraces): Promise<number> {
    const count = anonymizeStorage(this.ctx.storage, traces);
    // Ordering keys may have changed.
    this.#storage.reload();
    this.#scheduleStored();
    return count;
  }

  /**
   * Forgets an alert that has ended, and waits for its events to be logged: the alert must have
   * answered them before. Safe to repeat. `orderingKey`: its `thirdparty_id`.
   */
  async forgetAlert(alertId: string, orderingKey: string): Promise<boolean> {
    return forgetEndedAlert(this.#storage, alertId, orderingKey);
  }

  /** Assigns an `Id` to an alert that is being reopened; returns the alert that has it then. */
  async claimAlert(...claim: Parameters<InboxStub["claimAlert"]>): Promise<string> {
    return this.#storage.claimAlert(...claim);
  }

  /** A request's outcome, as soon as it is known; null if only its log has it. */
  async outcome(logId: string): Promise<RequestOutcome | null> {
    return awaitOutcome(this.#storage, logId);
  }

  /**
   * Receives a request: checks, translates, stores, replies. `accepted` means on disk: the platform
   * holds the reply until then.
   */
  async receive(delivery: ForwardedRequest): Promise<ReceiveResult> {
    const configuration = await this.#configuration(delivery);
    if (configuration === null) return { kind: "unknown" };
    if (isRefusal(configuration)) {
      const { addressVersion, method } = delivery;
      const exists = this.#hasIssuedKey(delivery) || addressVersion != null;
      if (exists) this.#refusals.note(configuration, method, Date.now());
      return configuration;
    }
    return {
      ...(await this.#process(delivery, configuration)),
      gate: credentialHashes(configuration),
    };
  }

  async #process(
    delivery: ForwardedRequest,
    configuration: IntegrationConfiguration,
  ): Promise<ReceiveResult> {
    const now = Date.now();
    const headers = new Headers(delivery.headers.map(([name, value]) => [name, value]));
    const read = readRequest(configuration, delivery, headers, now);
    const { accepted } = read;
    if (read.kind === "refused") return this.#refuse(accepted, delivery, read.refusal);
    const { type, inbound } = read;
    const bound = this.#backlog.reached(now);
    if (bound === "all") return this.#refuse(accepted, delivery, OVERLOADED);
    const checked = { type, inbound, configuration, delivery };
    const admission = await admitRequest(this.ctx.storage, checked, now);
    if (isRefusal(admission)) return this.#refuse(accepted, delivery, admission);
    const events =
      admission.kind === "ignored"
        ? [admission]
        : applyTrail(
            this.#interpret(type, inbound, configuration, now, delivery.test),
            parseTrail(headers.get(TRAIL_HEADER)),
            configuration.accountId,
          );
    const errors = events.flatMap((event) => (event.kind === "invalid" ? event.errors : []));
    // Valid events count even if others are invalid: a page must not be lost because of those.
    const handable = events.filter(isActionable);
    const windowMs = minutesOf(configuration.options.aggregate_window);
    if (errors.length > 0 && handable.length === 0)
      return this.#refuse(accepted, delivery, refuseFields(errors));
    if (bound === "new" && opensOnlyNew(this.#storage, handable, windowMs, now))
      return this.#refuse(accepted, delivery, OVERLOADED);
    const notes = events.filter((event) => event.kind === "note");
    const noted = await storeNotes(this.env, this.#storage, configuration, notes);
    if (isRefusal(noted)) return this.#refuse(accepted, delivery, noted);
    this.#accept(accepted, events, configuration, noted);
    this.#backlog.add(Math.max(handable.length, 1), now);
    this.#refusals.end();
    if (admission.kind === "admitted" && admission.messageId !== null) {
      recordSnsMessage(this.ctx.storage, admission.messageId, now);
    }
    return { kind: "accepted", logId: accepted.logId };
  }

  /** The events of a request. A heartbeat's call depends on stored state. */
  #interpret(
    type: IntegrationType,
    request: InboundRequest,
    configuration: IntegrationConfiguration,
    now: number,
    test: TestEvent | undefined,
  ): readonly InboundEvent[] {
    if (type !== heartbeat) {
      const events = interpretRequest(type, request, configuration.options, configuration);
      return test === undefined ? events : markTest(events, test);
    }
    const event = this.#heartbeat.recordCall(now);
    this.#checkHeartbeat(now);
    return [event];
  }

  /** Reports an overdue heartbeat; otherwise sets the alarm for when it is overdue. */
  #checkHeartbeat(now: number): void {
    const configuration = this.#storage.configuration();
    if (!configuration || configuration.gone || !this.#heartbeat.isExpected) return;
    const { name, options } = configuration.body;
    const due = this.#heartbeat.dueAt(options);
    if (due !== null && due > now) this.#alarm.before(due, now);
    if (due === null || due > now) return;
    const absence = this.#heartbeat.reportAbsence(name, options);
    const accepted = { logId: newDatedId(now), acceptedAt: now, request: {} };
    this.#accept(accepted, [absence], configuration.body);
  }

  #refuse(accepted: AcceptedRequest, { method }: ForwardedRequest, refusal: Refusal): Refusal {
    const { acceptedAt } = accepted;
    this.#refusals.note(refusal, method, acceptedAt);
    if (!this.#refusals.mayLog(refusal, acceptedAt)) return refusal;
    const message = `Refused: ${refusal.errors.map((error) => error.message).join("; ")}`;
    this.#storage.storeSettled(accepted, { level: "warn", message, alertId: null });
    this.#alarm.recover(acceptedAt);
    this.#deliveryTimer.within(0);
    return refusal;
  }

  #accept(
    accepted: AcceptedRequest,
    events: readonly InboundEvent[],
    { options, receivers }: IntegrationConfiguration,
    noted: readonly CommentedAlert[] = [],
  ): void {
    const now = accepted.acceptedAt;
    const windowMs = minutesOf(options.aggregate_window);
    const handable = events.filter(isActionable);
    if (handable.length === 0) {
      const outcome = outcomeWithoutAlert(events, noted);
      this.#storage.storeSettled(accepted, outcome, noted[0]?.orderingKey);
    } else {
      const keyed = handable.map((event) => ({
        orderingKey: assignOrderingKey(this.#storage, event, windowMs, now),
        event,
      }));
      const forRules = receivers.routerIds.length > 0;
      const stored = this.#storage.accept(accepted, keyed, forRules, warningOf(events));
      for (const { orderingKey, isUrgent } of stored) {
        if (orderingKey !== null) this.#keys.add(orderingKey, isUrgent ? 1 : 0, now);
      }
    }
    this.#alarm.recover(now);
    this.#deliveryTimer.within(DELIVERY_DELAY_MS);
  }

  /** Confirms the events that a standby holds for it, and receives those that it lacks. Returns the ids of both. */
  async settle(held: readonly HeldEvent[]): Promise<number[]> {
    const configuration = this.#storage.configuration()?.body ?? (await this.#reads.load());
    if (configuration === null) return held.map(({ id }) => id);
    if (isRefusal(configuration)) return [];
    const receive = (request: ForwardedRequest) => this.receive(request);
    return settleHeld(this.env.DB, configuration, held, this.#followed, receive);
  }

  /** Since when events are refused that nobody has looked at (epoch ms); null: none is. */
  async refusedSince(): Promise<number | null> {
    return this.#refusals.since;
  }

  /** When the oldest event was accepted that no alert has received (epoch ms); null if none waits. */
  async oldestUndelivered(): Promise<number | null> {
    return this.#storage.events.index.oldestPending();
  }

  // ── Configuration ──

  /** The configuration for a request. A copy that does not know its key may be outdated. */
  async #configuration(
    delivery: ForwardedRequest,
  ): Promise<IntegrationConfiguration | Refusal | null> {
    const stored = this.#storage.configuration();
    if (stored === null) return this.#reads.load();
    const now = Date.now();
    if (this.#reads.isDue(stored.loadedAt, now)) this.#reloadTimer.within(0);
    if (stored.gone) return null;
    const { proof } = delivery;
    const isKnown = typeof proof !== "object" || isIntakeKey(proof.intakeKey, stored.body, now);
    // Each caller caches for a while that a key was replaced, which bounds these reads.
    return isKnown || !this.#hasIssuedKey(delivery) ? stored.body : this.#reads.load();
  }

  /** Whether the request has a key that was issued: the Worker has checked its MAC. */
  #hasIssuedKey({ proof }: ForwardedRequest): boolean {
    return typeof proof === "object" && Boolean(this.env.LINK_SECRET);
  }

  /** Reads the configuration from D1. Stores nothing for an integration that does not exist. */
  async #load(): Promise<IntegrationConfiguration | null> {
    const read = await readIntegrationConfiguration(this.env.DB, this.ctx.id.name ?? "");
    if (read === null) this.#storage.markGone(Date.now());
    else await this.configure(read);
    // A newer one may have arrived meanwhile.
    return read && (this.#storage.configuration()?.body ?? read);
  }

  // ── Delivery ──

  /** Never throws: the platform drops an alarm that keeps failing. */
  override async alarm(): Promise<void> {
    this.#alarm.started();
    this.#checkHeartbeat(Date.now());
    this.#deliverDue();
    // Stays awake while deliveries are running.
    for (let waits = 0; this.#keys.busy > 0 && waits < 20; waits += 1) await scheduler.wait(50);
    await this.#logs.write();
    const isMore = await this.#storage.windows.pokeNext(this.env);
    this.#finish();
    this.#checkHeartbeat(Date.now());
    if (this.#storage.hasWork()) this.#rearm(isMore);
  }

  /** Sets the alarm for what is left, beside one for a heartbeat or a retry. `isMore`: at once. */
  #rearm(isMore: boolean): void {
    const now = Date.now();
    const delay = this.#keys.busy > 0 ? RECOVERY_MS : this.#logs.retryDelay;
    this.#alarm.before(isMore ? now : now + delay, now);
  }

  /** Starts delivering all due ordering keys. Runs in one turn: no key is taken twice. */
  #deliverDue(): void {
    for (let id = this.#keys.take(Date.now()); id !== null; id = this.#keys.take(Date.now())) {
      this.ctx.waitUntil(this.#deliver(id));
    }
    if (this.#keys.busy === 0) this.#finish();
  }

  /** When no delivery is running: writes logs and sets the timer for the next due ordering key. */
  #finish(): void {
    const now = Date.now();
    this.#logs.writeSoon(now);
    const due = this.#keys.nextDueAt(now);
    if (due === null) return;
    this.#alarm.before(Math.max(due, now) + RECOVERY_MS, now);
    this.#deliveryTimer.within(Math.max(0, due - now));
  }

  async #deliver(id: string): Promise<void> {
    try {
      const settled = await deliverEvents(this.env, this.#storage, id);
      const more = this.#storage.events.index.pending(id, 1).length > 0;
      const urgent = settled.filter((it) => it.isUrgent).length;
      this.#keys.done(id, { urgent, more }, Date.now());
    } catch (error) {
      this.#failures.report(error, Date.now());
      this.#keys.failed(id, Date.now());
    }
    this.#deliverDue();
  }
}
