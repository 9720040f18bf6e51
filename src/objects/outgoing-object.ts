// The object of an outgoing integration: tells another service what is queued for it, what is said of one thing in its
// order, and tries again for a day. What is queued is in D1; here are the alarm, what came of attempts until D1 has it,
// and how long the receiver asked for quiet.
import type { RawRow } from "../db/attributes.ts";
import { statement } from "../db/database.ts";
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
  toOutgoingIntegration,
  toWaitingDelivery,
  type WaitingDelivery,
} from "../db/outgoing-rows.ts";
import { type AttemptOutcome, nextAttemptAt, quietOf } from "../domain/delivery-attempts.ts";
import { AlarmObject, type AlarmWork } from "./alarm-object.ts";
import { earliest } from "./earliest.ts";
import type { OutgoingStub } from "./rpc.ts";
import { tellOutside } from "./tell-outside.ts";

/** Told side by side: of different things. */
const MOST_AT_ONCE = 8;
/** Rounds of one alarm; what is left is the next one's. */
const MOST_ROUNDS = 20;

const DISABLED = "the integration is disabled";
const GONE = "the receiver has said that it is no more, and the integration was disabled";

/** Kept until D1 has it: what was told is not told again because a database was away. */
type Unrecorded = { readonly attempted: readonly AttemptedDelivery[]; readonly gone: boolean };

type Work = {
  readonly integration: OutgoingIntegration;
  readonly due: readonly WaitingDelivery[];
  /** When the next is due (epoch ms); null when none waits. */
  readonly nextAt: number | null;
};

export class OutgoingObject extends AlarmObject implements OutgoingStub {
  protected override readonly alarmWork: AlarmWork = {
    failure: "deliveries wait",
    nextAt: () => this.#nextAt,
    run: () => this.#run(),
  };
  /** When to look at D1 again (epoch ms), where that is known: what waits is stored there, and only the alarm here. */
  #nextAt: number | null = null;

  /** There may be something to tell, or the integration has changed: it looks at once. */
  async look(): Promise<void> {
    this.#nextAt = Date.now();
    this.arm();
  }

  /** Tells what is due. A word that comes meanwhile has it look again. */
  async #run(): Promise<void> {
    this.#nextAt = null;
    const next = await this.#tellAll();
    this.#nextAt = earliest(this.#nextAt, next);
  }

  /** Until nothing is due; returns when the next is (epoch ms), null when nothing waits. */
  async #tellAll(): Promise<number | null> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const work = await this.#work();
      if (work === null) return null;
      const { integration, due, nextAt } = work;
      const quietUntil = this.ctx.storage.kv.get<number>("quietUntil") ?? 0;
      if (quietUntil > Date.now()) return nextAt === null ? null : Math.max(quietUntil, nextAt);
      if (due.length === 0) return nextAt;
      await this.#tell(integration, due);
    }
    return Date.now();
  }

  /** What there is to do; null when there is nothing, and no integration that could do it. */
  async #work(): Promise<Work | null> {
    const { DB } = this.env;
    const name = this.ctx.id.name ?? "";
    const [found, due, next] = await DB.batch<RawRow>(
      [
        selectOutgoingIntegration(name),
        selectDue(name, Date.now(), MOST_AT_ONCE),
        selectNextDue(name),
      ].map((query) => statement(DB, query)),
    );
    const row = found?.results[0];
    if (!row) {
      await this.ctx.storage.deleteAll();
      return null;
    }
    const integration = toOutgoingIntegration(row);
    if (await this.#record(integration)) return this.#work();
    if (!integration.enabled) {
      await statement(DB, cancelDeliveries(integration.id, DISABLED, Date.now())).run();
      return null;
    }
    const at = next?.results[0]?.at;
    const nextAt = at == null ? null : Number(at);
    return { integration, due: (due?.results ?? []).map(toWaitingDelivery), nextAt };
  }

  async #tell(integration: OutgoingIntegration, due: readonly WaitingDelivery[]): Promise<void> {
    const outcomes = await Promise.all(
      due.map((delivery) => tellOutside(this.env, integration, delivery)),
    );
    const now = Date.now();
    const attempted = due.map((it, i) => attemptedOf(it, outcomes[i] as AttemptOutcome, now));
    const gone = outcomes.some((it) => it.kind === "gone");
    this.ctx.storage.kv.put("unrecorded", { attempted, gone } satisfies Unrecorded);
    const quiet = Math.max(0, ...outcomes.map((it) => quietOf(it) ?? 0));
    if (quiet > 0) this.ctx.storage.kv.put("quietUntil", now + quiet);
    await this.#record(integration);
  }

  /** Gives D1 what came of the last attempts; false when it has it already. */
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
  const made = { id, attempts: attempts + 1, tries: tries + 1, attemptedAt: now };
  const said = { ...made, responseCode, reason };
  if (kind === "delivered") return { ...said, status: "delivered", nextAt: null };
  const nextAt = kind === "again" ? nextAttemptAt(tries + 1, queuedAt, outcome, now) : null;
  return { ...said, status: nextAt === null ? "failed" : "queued", nextAt };
}
