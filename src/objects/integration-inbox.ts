// An integration's inbox: decides that an event counts, keeps it, and hands it on to its alert's object. A reply of
// "accepted" means durable. Nothing that only readers or people need happens before the reply.

import { DurableObject } from "cloudflare:workers";
import { newId } from "../db/identifiers.ts";
import { readIntegrationConfiguration } from "../db/integration-rows.ts";
import type { Traces } from "../domain/anonymize.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { isRefusal, type Refusal, refuse, refuseFields } from "../domain/refusal.ts";
import { MINUTE } from "../domain/time.ts";
import { minutesOf } from "../integrations/common-options.ts";
import { gateOf } from "../integrations/gate.ts";
import { isMalformedJson, readInbound } from "../integrations/inbound.ts";
import type {
  InboundEvent,
  InboundRequest,
  IntegrationType,
} from "../integrations/integration-type.ts";
import { interpret } from "../integrations/interpret.ts";
import { loggedRequest } from "../integrations/redact.ts";
import { integrationTypeNamed } from "../integrations/registry.ts";
import { snsEnvelope } from "../integrations/sns.ts";
import { followed, TRAIL_HEADER, trailIn } from "../integrations/trail.ts";
import { heartbeat } from "../integrations/types/heartbeat.ts";
import { Allowance } from "./allowance.ts";
import { anonymizeStorage } from "./anonymize-storage.ts";
import { DISABLED, isHandable, NOT_JSON, refusalOf } from "./delivery.ts";
import { handOver } from "./hand-over.ts";
import { Heartbeat } from "./heartbeat.ts";
import { InboxLogs } from "./inbox-logs.ts";
import { type AcceptedRequest, type HandableEvent, InboxStorage } from "./inbox-storage.ts";
import { Lanes } from "./lanes.ts";
import { keepNotes, type NotedAlert, uncounted } from "./notes.ts";
import { OneTimer } from "./one-timer.ts";
import { awaitOutcome } from "./request-outcome.ts";
import type { Delivery, InboxStub, Received, RequestOutcome } from "./rpc.ts";
import { admitSns, noteSns } from "./sns-gate.ts";

/** How old the kept configuration may be before it is read again, in the background (ms). */
const REFRESH_AFTER_MS = 60_000;
/** The net below a drain that dies: set in the same commit as what it is to drain (ms). */
const NET_MS = 1_000;

/** Requests with a wrong token that leave a log, in a minute: a stranger must not fill the database. */
const MOST_STRANGERS_LOGGED = 60;

const UNREADABLE = refuse("unavailable", "the integration's configuration cannot be read");

const ADMITTED = { kind: "admitted", messageId: null } as const;

export class IntegrationInbox extends DurableObject<Cloudflare.Env> implements InboxStub {
  readonly #kept: InboxStorage;
  readonly #lanes = new Lanes();
  readonly #heartbeat: Heartbeat;
  readonly #logs: InboxLogs;
  /** When a lane is due that waits, or after the reply. */
  readonly #pumping = new OneTimer(() => this.#pump());
  readonly #reloading = new OneTimer(() => this.ctx.waitUntil(this.#load()));
  readonly #strangersLogged = new Allowance(MOST_STRANGERS_LOGGED, MINUTE);
  #alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#kept = new InboxStorage(ctx.storage);
    this.#heartbeat = new Heartbeat(ctx.storage);
    this.#logs = new InboxLogs(env.DB, this.#kept, {
      waitUntil: (work) => ctx.waitUntil(work),
      wakeBefore: (at) => this.#armBefore(at, Date.now()),
      reload: () => this.#load(),
    });
    const now = Date.now();
    for (const { id, urgent } of this.#kept.waitingLanes()) this.#lanes.add(id, urgent, now);
    const holds = this.#kept.holdsEvents();
    if (holds || this.#heartbeat.isAwaited) ctx.waitUntil(this.#rearm());
    if (holds) this.#pumping.within(0);
  }

  /** A past-due alarm cannot be trusted to fire: whatever wakes the object sets it again. */
  async #rearm(): Promise<void> {
    const at = await this.ctx.storage.getAlarm();
    if (at === null || at <= Date.now()) this.#armNet(Date.now());
  }

  /** A write to the integration, told to an inbox that lives. An older copy changes nothing. */
  async configure(configuration: IntegrationConfiguration): Promise<void> {
    const held = this.#kept.configuration();
    if (held && held.body.updatedAt > configuration.updatedAt) return;
    this.#kept.keepConfiguration(configuration, Date.now());
    if (!configuration.enabled) this.#heartbeat.forget();
    this.#watchHeartbeat(Date.now());
  }

  /** Takes a person who is erased out of what it holds; how much of it named them. */
  async anonymize(traces: Traces): Promise<number> {
    return anonymizeStorage(this.ctx.storage, traces);
  }

  /** An alert of this integration is over and gone. */
  async forgetAlert(alertId: string): Promise<void> {
    this.#kept.lanes.forgetAlert(alertId);
  }

  /** What became of a request of this integration, as soon as it is known; null when only its log tells. */
  async outcome(logId: string): Promise<RequestOutcome | null> {
    return awaitOutcome(this.#kept, logId);
  }

  /**
   * Takes a request in: checks, translates, keeps, replies. `accepted` is said only of what is on disk: the
   * platform holds the reply back until it is.
   */
  async receive(delivery: Delivery): Promise<Received> {
    const configuration = await this.#configuration();
    if (configuration === null) return { kind: "unknown" };
    if (isRefusal(configuration)) return configuration;
    return { ...(await this.#take(delivery, configuration)), gate: gateOf(configuration) };
  }

  async #take(delivery: Delivery, configuration: IntegrationConfiguration): Promise<Received> {
    const now = Date.now();
    const headers = new Headers(delivery.headers.map(([name, value]) => [name, value]));
    const type = integrationTypeNamed(delivery.readAs ?? configuration.integrationType);
    const refusal = refusalOf(configuration, type, delivery, headers, now);
    // A refused sender's body is not worth reading: its log shows the rest of the request.
    const bytes = refusal === null && !isRefusal(delivery.body) ? delivery.body : new Uint8Array();
    const url = new URL(delivery.url);
    const inbound = readInbound(delivery.method, url, headers, bytes);
    const request = loggedRequest(inbound, delivery.remoteIp);
    const accepted = { logId: newId(now), acceptedAt: now, request };
    if (refusal) return this.#refuse(accepted, refusal);
    if (type === null) return this.#refuse(accepted, DISABLED);
    if (type !== heartbeat && isMalformedJson(inbound)) return this.#refuse(accepted, NOT_JSON);
    const admission = type.sns
      ? await admitSns(
          this.ctx.storage,
          snsEnvelope(inbound),
          configuration.tokenSha256 !== null,
          now,
        )
      : ADMITTED;
    if (isRefusal(admission)) return this.#refuse(accepted, admission);
    const events =
      admission.kind === "ignored"
        ? [admission]
        : followed(
            this.#read(type, inbound, configuration, now),
            trailIn(headers.get(TRAIL_HEADER)),
            configuration.accountId,
          );
    const errors = events.flatMap((event) => (event.kind === "invalid" ? event.errors : []));
    // Of several events, those that can be read count: a page is not lost for what else was sent.
    if (errors.length > 0 && !events.some(isHandable))
      return this.#refuse(accepted, refuseFields(errors));
    const notes = events.filter((event) => event.kind === "note");
    const noted = await keepNotes(this.env, this.#kept, configuration, notes);
    if (isRefusal(noted)) return this.#refuse(accepted, noted);
    this.#accept(accepted, events, configuration, noted);
    if (admission.kind === "admitted" && admission.messageId !== null) {
      noteSns(this.ctx.storage, admission.messageId, now);
    }
    return { kind: "accepted", logId: accepted.logId };
  }

  /** What a request says. A heartbeat's call is counted here: what it means is not in the request. */
  #read(
    type: IntegrationType,
    request: InboundRequest,
    configuration: IntegrationConfiguration,
    now: number,
  ): readonly InboundEvent[] {
    if (type !== heartbeat) return interpret(type, request, configuration.options, configuration);
    const event = this.#heartbeat.beat(now);
    this.#watchHeartbeat(now);
    return [event];
  }

  /** Tells a heartbeat's silence once its time is over, and else wakes when it will be. */
  #watchHeartbeat(now: number): void {
    const configuration = this.#kept.configuration();
    if (!configuration || configuration.gone || !this.#heartbeat.isAwaited) return;
    const { name, options } = configuration.body;
    const due = this.#heartbeat.dueAt(options);
    if (due === null) return;
    if (due > now) {
      this.#armBefore(due, now);
      return;
    }
    const silence = this.#heartbeat.fallSilent(name, options);
    const accepted = { logId: newId(now), acceptedAt: now, request: {} };
    this.#accept(accepted, [silence], configuration.body);
  }

  #refuse(accepted: AcceptedRequest, refusal: Refusal): Refusal {
    const isStranger = refusal.reason === "unauthenticated" && this.env.RATE_LIMITS !== "off";
    if (isStranger && !this.#strangersLogged.take(accepted.acceptedAt)) return refusal;
    const message = `Refused: ${refusal.errors.map((error) => error.message).join("; ")}`;
    this.#kept.note(accepted, { level: "warn", message });
    this.#armNet(accepted.acceptedAt);
    this.#pumping.within(0);
    return refusal;
  }

  #accept(
    accepted: AcceptedRequest,
    events: readonly InboundEvent[],
    { options, receivers }: IntegrationConfiguration,
    noted: readonly NotedAlert[] = [],
  ): void {
    const now = accepted.acceptedAt;
    const windowMs = minutesOf(options.aggregate_window);
    const counting = events.filter(isHandable);
    if (counting.length === 0) {
      this.#kept.note(accepted, uncounted(events, noted), noted[0]?.lane);
    } else {
      const inLanes = counting.map((event) => ({
        lane: this.#laneOf(event, windowMs, now),
        event,
      }));
      this.#kept.accept(accepted, inLanes, receivers.routerIds.length > 0);
      for (const { lane, event } of inLanes) {
        this.#lanes.add(lane, event.kind === "create" ? 0 : 1, now);
      }
    }
    this.#armNet(now);
    this.#pumping.within(0);
  }

  /**
   * Events without an `Id` go where the last create with one of their keys went: behind it. Creates of one title go
   * where the first went, for as long as the integration's window says, or until that is resolved.
   */
  #laneOf(event: HandableEvent, windowMs: number | null, now: number): string {
    const named =
      event.kind !== "create" && event.reference
        ? this.#kept.laneOfReference(event.reference)
        : null;
    const known = named ?? event.thirdpartyId ?? this.#kept.lanes.ofKeys(event.dedupKeys);
    const own = known ?? newId(now);
    if (event.kind === "resolve") this.#kept.lanes.endTitle(own);
    if (event.kind !== "create") return own;
    const lane =
      windowMs === null ? own : this.#kept.lanes.ofTitle(event.title, own, windowMs, now);
    this.#kept.lanes.keepKeys(event.dedupKeys, lane);
    return lane;
  }

  // ── Configuration ──

  async #configuration(): Promise<IntegrationConfiguration | Refusal | null> {
    const held = this.#kept.configuration();
    if (held === null) return this.#load();
    if (held.loadedAt + REFRESH_AFTER_MS < Date.now()) this.#reloading.within(0);
    return held.gone ? null : held.body;
  }

  /** Reads the configuration from D1. Nothing is kept for an integration that does not exist. */
  async #load(): Promise<IntegrationConfiguration | Refusal | null> {
    try {
      const read = await readIntegrationConfiguration(this.env.DB, this.ctx.id.name ?? "");
      if (read === null) this.#kept.noteGone(Date.now());
      else await this.configure(read);
      return read;
    } catch (error) {
      console.error({
        message: "an inbox could not read its configuration",
        error: String(error).slice(0, 200),
      });
      return UNREADABLE;
    }
  }

  // ── The drain ──

  // While anything is held an alarm is set, or its handler runs and sets the next one: whatever instant the
  // object dies at, it is woken, and begins with what it holds.

  #armNet(now: number): void {
    this.#armBefore(now + NET_MS, now);
  }

  /** An alarm at `at` at the latest. One that comes sooner will do: setting it costs a write. */
  #armBefore(at: number, now: number): void {
    if (this.#alarmAt === null || this.#alarmAt <= now || this.#alarmAt > at) this.#arm(at);
  }

  #arm(at: number): void {
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }

  /** Never throws: a thrown alarm runs dry. */
  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    this.#watchHeartbeat(Date.now());
    this.#pump();
    // The object stays awake for what it has in hand.
    for (let waits = 0; this.#lanes.busy > 0 && waits < 20; waits += 1) await scheduler.wait(50);
    await this.#logs.write();
    this.#rest();
    if (this.#alarmAt === null && this.#kept.holdsEvents()) this.#arm(Date.now() + this.#logs.wait);
    this.#watchHeartbeat(Date.now());
  }

  /** Takes in hand every lane whose time has come. Runs in one turn: two pumps cannot take the same lane. */
  #pump(): void {
    for (let id = this.#lanes.take(Date.now()); id !== null; id = this.#lanes.take(Date.now())) {
      this.ctx.waitUntil(this.#handOn(id));
    }
    if (this.#lanes.busy === 0) this.#rest();
  }

  /** Nothing is in hand: writes logs, and says when to look again. */
  #rest(): void {
    const now = Date.now();
    this.#logs.writeSoon(now);
    const due = this.#lanes.nextDueAt(now);
    if (due === null) return;
    this.#armBefore(Math.max(due, now) + NET_MS, now);
    this.#pumping.within(Math.max(0, due - now));
  }

  async #handOn(id: string): Promise<void> {
    try {
      const settled = await handOver(this.env, this.#kept, id);
      const more = this.#kept.waiting(id, 1).length > 0;
      const urgent = settled.filter((it) => it.kind !== "create").length;
      this.#lanes.done(id, { urgent, more }, Date.now());
    } catch (error) {
      console.error({
        message: "an event could not be handed on",
        error: String(error).slice(0, 200),
      });
      this.#lanes.failed(id, Date.now());
    }
    this.#pump();
  }
}
