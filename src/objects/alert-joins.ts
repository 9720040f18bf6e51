// The alerts that this one was aggregated with and that do not know of it yet. Stored in the commit that decided it,
// so that a leader's log and count name every alert that joined, whatever fails in between.
import type { Alert } from "../domain/alert.ts";
import { prefixIdOf } from "../domain/identifiers.ts";
import { alertObject } from "./stubs.ts";

const KEY = "joins";

/** A leader that does not exist by then is not going to (ms). */
const LONGEST_MAKING_MS = 600_000;

type Waiting = {
  readonly leaderIds: readonly string[];
  readonly attempts: number;
  readonly nextAt: number;
};

export class AlertJoins {
  readonly #storage: DurableObjectStorage;
  #waiting: Waiting | null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#waiting = storage.kv.get<Waiting>(KEY) ?? null;
  }

  /** Stores whom to notify; part of a step's commit. */
  add(leaderIds: readonly string[], nextAt: number): void {
    if (leaderIds.length > 0)
      this.#put({ leaderIds: [...new Set(leaderIds)], attempts: 0, nextAt });
  }

  #put(waiting: Waiting): void {
    this.#waiting = waiting;
    this.#storage.kv.put(KEY, waiting);
  }

  /** When to try again (epoch ms); null when every leader knows. */
  nextAt(): number | null {
    return this.#waiting?.nextAt ?? null;
  }

  /** Notifies the leaders. Never throws: a leader that could not be reached is tried again. */
  async notify(env: Cloudflare.Env, alert: Alert, delay: (attempts: number) => number) {
    if (this.#waiting === null) return;
    const { leaderIds, attempts } = this.#waiting;
    const told = await Promise.all(leaderIds.map((id) => notifyLeader(env, id, alert)));
    const rest = leaderIds.filter((_, i) => !told[i]);
    if (this.#waiting === null) return;
    if (rest.length > 0) {
      const nextAt = Date.now() + delay(attempts);
      this.#put({ leaderIds: rest, attempts: attempts + 1, nextAt });
      return;
    }
    this.#waiting = null;
    this.#storage.kv.delete(KEY);
  }

  /** The storage was emptied. */
  gone(): void {
    this.#waiting = null;
  }
}

/** Whether the leader has counted the alert, or never will. */
async function notifyLeader(env: Cloudflare.Env, leaderId: string, alert: Alert): Promise<boolean> {
  const { id, title, accountId, createdAt } = alert;
  try {
    const leader = alertObject(env, prefixIdOf("alert", leaderId));
    const result = await leader.join(accountId, { id, title });
    return result !== "not_made" || Date.now() - createdAt > LONGEST_MAKING_MS;
  } catch (error) {
    const reason = String(error).slice(0, 200);
    console.error({ message: "an alert's leader could not be notified", error: reason });
    return false;
  }
}
