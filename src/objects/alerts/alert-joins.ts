// The alerts that this one was aggregated into and that are not notified yet. Stored in the commit
// of the aggregation, so that each leader's timeline and count include this alert, whatever fails.
import type { Alert } from "../../domain/alerts/alert.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { alertObject } from "../shared/stubs.ts";

const KEY = "joins";

/** A leader that does not exist this long after this alert was never created (ms). */
const MAX_CREATION_MS = 600_000;

type PendingJoins = {
  readonly leaderIds: readonly string[];
  readonly attempts: number;
  readonly nextAt: number;
};

export class AlertJoins {
  readonly #storage: DurableObjectStorage;
  #pending: PendingJoins | null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#pending = storage.kv.get<PendingJoins>(KEY) ?? null;
  }

  /** Stores the leaders to notify, as part of a step's commit. */
  add(leaderIds: readonly string[], nextAt: number): void {
    if (leaderIds.length > 0)
      this.#put({ leaderIds: [...new Set(leaderIds)], attempts: 0, nextAt });
  }

  #put(pending: PendingJoins): void {
    this.#pending = pending;
    this.#storage.kv.put(KEY, pending);
  }

  /** When to try next (epoch ms); null if every leader is notified. */
  nextAt(): number | null {
    return this.#pending?.nextAt ?? null;
  }

  /** Notifies the leaders. Never throws: a leader that could not be reached is retried. */
  async notify(env: Cloudflare.Env, alert: Alert, delay: (attempts: number) => number) {
    if (this.#pending === null) return;
    const { leaderIds, attempts } = this.#pending;
    const notified = await Promise.all(leaderIds.map((id) => notifyLeader(env, id, alert)));
    const remaining = leaderIds.filter((_, i) => !notified[i]);
    if (this.#pending === null) return;
    if (remaining.length > 0) {
      const nextAt = Date.now() + delay(attempts);
      this.#put({ leaderIds: remaining, attempts: attempts + 1, nextAt });
      return;
    }
    this.#pending = null;
    this.#storage.kv.delete(KEY);
  }

  /** To be called when the object's storage is deleted. */
  reset(): void {
    this.#pending = null;
  }
}

/** Whether the leader has counted the alert or never will. */
async function notifyLeader(env: Cloudflare.Env, leaderId: string, alert: Alert): Promise<boolean> {
  const { id, title, accountId, createdAt } = alert;
  try {
    const leader = alertObject(env, prefixIdOf("alert", leaderId));
    const result = await leader.join(accountId, { id, title });
    return result !== "not_made" || Date.now() - createdAt > MAX_CREATION_MS;
  } catch (error) {
    const reason = String(error).slice(0, 200);
    console.error({ message: "an alert's leader could not be notified", error: reason });
    return false;
  }
}
