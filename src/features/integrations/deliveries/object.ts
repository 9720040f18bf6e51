// The object of an outgoing integration: sends its queued deliveries, those of one ordering key in
// order, and retries for a day. The deliveries are stored in D1; the object stores its alarm, the
// results of attempts until D1 has them, and how long the receiver asked to pause.

import {
  type AttemptOutcome,
  nextAttemptAt,
  receiverPauseMs,
} from "../../../domain/integrations/delivery-attempts.ts";
import { statement } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { AlarmObject, type AlarmWork } from "../../../kernel/objects/alarm-object.ts";
import { earliest } from "../../../kernel/objects/earliest.ts";
import type { OutgoingStub } from "../../rpc.ts";
import {
  type AttemptedDelivery,
  cancelDeliveries,
  disableIntegration,
  logFailures,
  type OutgoingIntegration,
  recordDeliveries,
  selectDue,
  selectNextDue,
  selectOutgoingIntegration,
  type WaitingDelivery,
} from "./rows.ts";
import { chatProgress } from "./send-to-chat.ts";
import { sendDelivery } from "./verbs.ts";

/** Deliveries sent in parallel, each of a different ordering key. */
const MAX_PARALLEL = 8;
/** Rounds per alarm; the next alarm continues. */
const MAX_ROUNDS = 20;

const DISABLED = "the integration is disabled";
const GONE = "the receiver has said that it is no more, and the integration was disabled";

/** Stored until D1 has it, so that an outage of D1 does not cause a repeated delivery. */
type Unrecorded = { readonly attempted: readonly AttemptedDelivery[]; readonly gone: boolean };

type DueDeliveries = {
  readonly integration: OutgoingIntegration;
  readonly due: readonly WaitingDelivery[];
  /** When the next delivery is due (epoch ms); null = none is queued. */
  readonly nextAt: number | null;
};

export class OutgoingObject extends AlarmObject implements OutgoingStub {
  protected override readonly alarmWork: AlarmWork = {
    kind: "outgoing",
    failure: "deliveries are postponed",
    nextAt: () => this.#nextAt,
    run: () => this.#run(),
  };
  readonly #progress = chatProgress(this.ctx.storage.kv);
  /** When to read D1 again (epoch ms), if known. Not stored: only the alarm is. */
  #nextAt: number | null = null;

  /** Reads D1 at once, after a delivery was queued or the integration changed. */
  async refresh(): Promise<void> {
    this.#nextAt = Date.now();
    this.arm();
  }

  /** Sends what is due. A `refresh` meanwhile schedules another run. */
  async #run(): Promise<void> {
    this.#nextAt = null;
    const next = await this.#sendDue();
    this.#nextAt = earliest(this.#nextAt, next);
  }

  /** Sends until nothing is due. Returns when the next delivery is (epoch ms); null = none. */
  async #sendDue(): Promise<number | null> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const found = await this.#readDue();
      if (found === null) return null;
      const { integration, due, nextAt } = found;
      const quietUntil = this.ctx.storage.kv.get<number>("quietUntil") ?? 0;
      if (quietUntil > Date.now()) return nextAt === null ? null : Math.max(quietUntil, nextAt);
      if (due.length === 0) return nextAt;
      await this.#send(integration, due);
    }
    return Date.now();
  }

  /** Reads what is due; null if the integration is deleted or disabled. */
  async #readDue(): Promise<DueDeliveries | null> {
    const { DB } = this.env;
    const name = this.ctx.id.name ?? "";
    const [[integration], due, [next]] = await batch(DB, [
      selectOutgoingIntegration(name),
      selectDue(name, Date.now(), MAX_PARALLEL),
      selectNextDue(name),
    ]);
    if (!integration) {
      await this.ctx.storage.deleteAll();
      return null;
    }
    if (await this.#record(integration)) return this.#readDue();
    if (!integration.enabled) {
      await statement(DB, cancelDeliveries(integration.id, DISABLED, Date.now())).run();
      return null;
    }
    return { integration, due, nextAt: next?.at ?? null };
  }

  async #send(integration: OutgoingIntegration, due: readonly WaitingDelivery[]): Promise<void> {
    const outcomes = await Promise.all(
      due.map((delivery) => sendDelivery(this.env, integration, delivery, this.#progress)),
    );
    const now = Date.now();
    const attempted = due.map((it, i) => attemptedOf(it, outcomes[i] as AttemptOutcome, now));
    const gone = outcomes.some((it) => it.kind === "gone");
    this.ctx.storage.kv.put("unrecorded", { attempted, gone } satisfies Unrecorded);
    const quiet = Math.max(0, ...outcomes.map((it) => receiverPauseMs(it) ?? 0));
    if (quiet > 0) this.ctx.storage.kv.put("quietUntil", now + quiet);
    await this.#record(integration);
  }

  /** Records the stored results in D1; false if there are none. */
  async #record(integration: OutgoingIntegration): Promise<boolean> {
    const unrecorded = this.ctx.storage.kv.get<Unrecorded>("unrecorded");
    if (unrecorded === undefined) return false;
    const { attempted, gone } = unrecorded;
    const { id } = integration;
    const failed = attempted.filter((it) => it.status === "failed");
    const now = Date.now();
    const { DB } = this.env;
    await DB.batch(
      [
        recordDeliveries(attempted),
        ...(failed.length > 0 ? logFailures(integration, failed) : []),
        ...(gone ? [disableIntegration(id, now), cancelDeliveries(id, GONE, now)] : []),
      ].map((query) => statement(DB, query)),
    );
    for (const it of attempted) if (it.status !== "queued") this.#progress.clear(it.id);
    this.ctx.storage.kv.delete("unrecorded");
    return true;
  }
}

function attemptedOf(
  { id, attempts, tries, queuedAt }: WaitingDelivery,
  outcome: AttemptOutcome,
  now: number,
): AttemptedDelivery {
  const { kind, responseCode, reason } = outcome;
  const attempt = { id, attempts: attempts + 1, tries: tries + 1, attemptedAt: now };
  const answered = { ...attempt, responseCode, reason };
  if (kind === "delivered") return { ...answered, status: "delivered", nextAt: null };
  const nextAt = kind === "again" ? nextAttemptAt(tries + 1, queuedAt, outcome, now) : null;
  return { ...answered, status: nextAt === null ? "failed" : "queued", nextAt };
}
