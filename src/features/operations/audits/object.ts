// The object that watches the deployment: stores its counters, audits it every minute by its alarm,
// calls the heartbeat URL while every invariant holds, and sends canary events and SMS to itself. There is one. It does
// nothing by itself, and stores nothing, unless the deployment is to be watched.

import type {
  AuditedDeployment,
  Heartbeats,
} from "../../../domain/operations/audited-deployment.ts";
import { isCanaryDue } from "../../../domain/operations/canary.ts";
import { type Breach, INVARIANTS, mayBeat } from "../../../domain/operations/invariants.ts";
import type { ProbeMessage, ProbeResult } from "../../../domain/operations/probe.ts";
import {
  type ChannelProviders,
  dueProviders,
  nextHealths,
  type Proof,
} from "../../../domain/operations/provider-health.ts";
import type { PhoneProviderName } from "../../../domain/people/phone-provider.ts";
import { tagged } from "../../../domain/shared/message-versions.ts";
import { isMonitored } from "../../../domain/shared/metrics/monitored.ts";
import type { ProviderAnswers } from "../../../domain/shared/metrics/provider-answers.ts";
import type { SeriesValues } from "../../../domain/shared/metrics/series.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { answered, counted } from "../../../kernel/metrics/counted.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import type { OperationsStub } from "../../rpc.ts";
import { NightlyBackup } from "../backup/nightly-backup.ts";
import { isRestoring } from "../backup/restore-rows.ts";
import { audit, auditInterval } from "./audit.ts";
import { CanaryRun } from "./canary-run.ts";
import { OperationsStorage } from "./operations-state.ts";
import { ReadinessCheck } from "./readiness-check.ts";
import { SmsProofRun } from "./sms-proof-run.ts";

// Calls the outside heartbeat URL: whoever watches it notices when the calls stop.

const TIMEOUT_MS = 10 * SECOND;

/** Calls the URL by GET. Returns whether it answered with success. Never throws or logs the URL. */
async function callHeartbeat(url: string): Promise<boolean> {
  try {
    const response = await withTimeout(TIMEOUT_MS, fetch(url, { redirect: "manual" }));
    await response.body?.cancel();
    if (response.ok) return true;
    console.error({ message: "the heartbeat URL refused a call", status: response.status });
  } catch {
    console.error({ message: "the heartbeat URL could not be reached" });
  }
  return false;
}

/** The records that a line of the log names, at most. */
const MAX_NAMED = 5;

/** How long the database may take to say whether a restore is in progress (ms). */
const ANSWER_MS = 5 * SECOND;

/** An inbox that is late or refuses is remembered once it is known here; at most this many. */
const MAX_REPORTED = 1_000;

export class OperationsObject extends AlarmObject implements OperationsStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "operations",
    failure: "an audit failed",
    longestPauseMs: 10 * SECOND,
    nextAt: () => earliest(this.#nextAuditAt(), this.#backup.nextAt()),
    run: () => this.#run(),
  };
  readonly #storage = new OperationsStorage(this.ctx.storage);
  readonly #readiness = new ReadinessCheck(this.env);
  readonly #backup = new NightlyBackup(this.env, this.ctx.storage);
  readonly #canary = new CanaryRun(this.env, this.#storage, (request) =>
    this.ctx.exports.default.fetch(request),
  );
  readonly #smsProof = new SmsProofRun(this.env, this.#storage);

  /** A time in the future is of a clock that was set back. */
  #nextAuditAt(): number | null {
    const { auditedAt } = this.#storage.audit;
    if (!isMonitored(this.env)) return null;
    return auditedAt === null
      ? Date.now()
      : Math.min(auditedAt, Date.now()) + auditInterval(this.env);
  }

  /** Adds what an isolate has counted, and what providers answered it. */
  async record(values: SeriesValues, answers?: ProviderAnswers): Promise<void> {
    this.#storage.record(values, answers);
    this.arm();
  }

  /** Ensures that the next audit takes place. */
  async wake(): Promise<void> {
    this.arm();
  }

  /** The values of all metrics: the counters, and what the last audit measured. */
  async read(): Promise<SeriesValues> {
    this.arm();
    return { ...this.#storage.counts.values, ...this.#storage.audit.measured };
  }

  /** What the last audit found to be broken. For the version before, which asks for no more. */
  async breaches(): Promise<readonly Breach[]> {
    return this.#storage.audit.breaches;
  }

  /** What the last audits found. */
  async audited(): Promise<AuditedDeployment> {
    const { auditedAt, breaches, heartbeats, providers, channels, measured } = this.#storage.audit;
    const { tocsin_database_bytes: bytes, tocsin_database_used_ratio: usedShare = 0 } = measured;
    const database = bytes === undefined ? null : { bytes, usedShare };
    return { auditedAt, breaches, heartbeats, providers, channels, database };
  }

  /** Checks the database and the queue, at most once in some seconds. */
  async ready(): Promise<ProbeResult> {
    return this.#readiness.check();
  }

  /** Notes what providers answered to the question whether they would accept messages. */
  async providersProven(proofs: ReadonlyMap<string, Proof>): Promise<void> {
    const { providers, channels } = this.#storage.audit;
    this.#storage.change({ providers: nextHealths(providers, channels, {}, proofs, Date.now()) });
  }

  /** Notes that the queue has delivered a probe. `channels`: those of this deployment. */
  async probeArrived(id: string, channels?: readonly ChannelProviders[]): Promise<void> {
    this.#readiness.arrived(id);
    const { probe } = this.#storage.audit;
    if (probe?.id !== id || probe.arrivedAt !== null) return;
    this.#storage.change({
      probe: { ...probe, arrivedAt: Date.now() },
      ...(channels !== undefined && { channels }),
    });
  }

  /** Notes that an event of an inbox has waited for a while. `since`: its acceptance, epoch ms. */
  async reportLateInbox(name: string, since: number): Promise<void> {
    this.#noteInbox("lateInboxes", name, since);
  }

  /** Notes that an inbox refuses events. `since`: the first that nobody has looked at, epoch ms. */
  async reportRefusingInbox(name: string, since: number): Promise<void> {
    this.#noteInbox("refusingInboxes", name, since);
  }

  #noteInbox(of: "lateInboxes" | "refusingInboxes", name: string, since: number): void {
    const known = this.#storage.audit[of];
    const isNew = known[name] === undefined;
    if (!isNew || Object.keys(known).length >= MAX_REPORTED) return;
    this.#storage.change({ [of]: { ...known, [name]: since } });
    this.arm();
  }

  /** Notes that a canary event's message has arrived, and ends its alert. */
  async canaryArrived(id: string): Promise<void> {
    await this.#canary.arrived(id);
  }

  /** Notes that a provider did not take an SMS to it. */
  async smsProofRefused(provider: PhoneProviderName, code: string): Promise<void> {
    this.#smsProof.refused(provider, code);
  }

  /** Notes the arrival of an SMS at the deployment's second number. */
  async smsProofArrived(text: string): Promise<void> {
    this.#smsProof.arrived(text);
  }

  /** Handles messages, as JSON, that the queue does not take. They go on after the answer, as in a queue. */
  async consume(bodies: string): Promise<void> {
    const work = async () => {
      const { consumeDirectly } = await import("../messages/consume-messages.ts");
      await consumeDirectly(JSON.parse(bodies), this.env, this.ctx);
    };
    this.ctx.waitUntil(
      work().catch((error) => logFault("messages could not be handled without the queue", error)),
    );
  }

  /** Audits, unless only the nightly backup goes on, and reads parts of the backup. */
  async #run(): Promise<void> {
    const now = Date.now();
    if (await withTimeout(ANSWER_MS, isRestoring(this.env.DB)).catch(() => false)) {
      // What it would write is no part of the backup that is being restored.
      this.#storage.change({ auditedAt: now });
      this.#backup.rest(now + auditInterval(this.env));
      return;
    }
    const [auditAt, backupAt] = [this.#nextAuditAt(), this.#backup.nextAt()];
    const isForBackup = backupAt !== null && backupAt <= now;
    if (auditAt !== null && (auditAt <= now || !isForBackup)) await this.#audit();
    await this.#backup.run();
  }

  async #audit(): Promise<void> {
    const now = Date.now();
    this.#storage.record(counted.take(), answered.take());
    this.#canary.countLoss(now);
    this.#smsProof.countLosses(now);
    const current = () => {
      const { audit: state, counts, answers } = this.#storage;
      return { audit: state, counts: counts.values, answers };
    };
    const audited = await audit(this.env, current, now);
    this.#storage.conclude(audited);
    const heartbeats = await this.#beat(audited.breaches);
    this.#storage.record({});
    await this.#sendProbe(heartbeats);
    // Not `now`: an event that was sent during this audit is not of a clock that was set back.
    const after = Date.now();
    const { CANARY, STANDBY_OF } = this.env;
    // A standby delivers no event while it is silent.
    if (CANARY === "on" && !STANDBY_OF && isCanaryDue(this.#storage.audit.canary, after)) {
      await this.#canary.send(after);
    }
    await this.#smsProof.send(after);
  }

  /** Calls the heartbeat URL unless an invariant is broken, which is logged. Returns when it was last called, or not. */
  async #beat(breaches: readonly Breach[]): Promise<Heartbeats> {
    for (const { invariant, count, examples } of breaches) {
      const expected = INVARIANTS[invariant];
      const named = examples.slice(0, MAX_NAMED);
      const message = "an invariant is broken";
      console.error({ message, invariant, expected, count, examples: named });
    }
    const url = this.env.HEARTBEAT_URL;
    const { heartbeats } = this.#storage.audit;
    if (!url) return heartbeats;
    const isBeating = mayBeat(breaches, this.env.HEARTBEAT_STOPS_ON_GAPS === "on");
    const outcome = !isBeating ? "withheld" : (await callHeartbeat(url)) ? "sent" : "failed";
    this.#storage.counts.count("tocsin_heartbeats_total", { outcome });
    return { ...heartbeats, [outcome]: Date.now() };
  }

  /**
   * Sends the message whose arrival the next audit checks. Its consumer asks the providers that are due.
   *
   * @param heartbeats are stored with it
   */
  async #sendProbe(heartbeats: Heartbeats): Promise<void> {
    const [id, now] = [crypto.randomUUID(), Date.now()];
    const { providers: healths, channels } = this.#storage.audit;
    this.#storage.change({ heartbeats, probe: { id, sentAt: now, arrivedAt: null } });
    const providers = dueProviders(healths, channels ?? [], now);
    try {
      await this.env.PAGES.send(tagged<ProbeMessage>({ probe: { id, providers } }));
    } catch (error) {
      logFault("the queue takes no message", error);
    }
  }
}
