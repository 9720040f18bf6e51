// Whether the database answers and the queue delivers a message, by trying both. At most one check in
// some seconds, whoever asks and how often.

import type { ProbeResult } from "../../../domain/operations/probe.ts";
import { tagged } from "../../../domain/shared/message-versions.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { resultWithin } from "../../../kernel/db/timeout.ts";
import { measureDatabase } from "./audit.ts";

/** How long a result counts (ms). */
const LIFETIME_MS = 10 * SECOND;
/** A message that takes longer (ms) is not delivered in time. */
const QUEUE_MS = 8 * SECOND;

type Checked = Pick<ProbeResult, "database" | "queue">;

export class ReadinessCheck {
  readonly #env: Cloudflare.Env;
  /** What notes the arrival of a probe, by the probe's id. */
  readonly #awaited = new Map<string, () => void>();
  #latest: { readonly at: number; readonly checked: Promise<Checked> } | null = null;

  constructor(env: Cloudflare.Env) {
    this.#env = env;
  }

  /** Never throws. */
  async check(): Promise<ProbeResult> {
    const now = Date.now();
    const isCurrent = this.#latest !== null && Math.abs(now - this.#latest.at) < LIFETIME_MS;
    if (this.#latest === null || !isCurrent) this.#latest = { at: now, checked: this.#run() };
    return { ...(await this.#latest.checked), object: 0 };
  }

  async #run(): Promise<Checked> {
    const [database, queue] = await Promise.all([measureDatabase(this.#env), this.#probeQueue()]);
    return { database, queue };
  }

  /** Sends a message to the queue; returns how long it took to arrive (ms), null if it did not. */
  async #probeQueue(): Promise<number | null> {
    const id = crypto.randomUUID();
    const startedAt = Date.now();
    const arrival = new Promise<void>((resolve) => this.#awaited.set(id, resolve));
    try {
      const sent = this.#env.PAGES.send(tagged({ probe: { id } }));
      const arrived = await resultWithin(QUEUE_MS, Promise.all([sent, arrival]));
      if (arrived !== null) return Math.max(0, Date.now() - startedAt);
      logFault("the queue does not deliver", "timeout");
      return null;
    } catch (error) {
      logFault("the queue does not deliver", error);
      return null;
    } finally {
      this.#awaited.delete(id);
    }
  }

  arrived(id: string): void {
    this.#awaited.get(id)?.();
  }
}
