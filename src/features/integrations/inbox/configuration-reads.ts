// When an inbox reads its integration's configuration from D1: one read at a time, however many
// requests wait for it, and in the background none for a while after one has failed.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { UNREADABLE } from "./request-refusal.ts";

/** Age of the stored configuration at which it is read again in the background (ms). */
const REFRESH_AFTER_MS = 60 * SECOND;
const PAUSE_MS = 5 * SECOND;
/** A read that takes longer has failed (ms). */
const TIMEOUT_MS = 10 * SECOND;

type Read = IntegrationConfiguration | null;

export class ConfigurationReads {
  readonly #read: () => Promise<Read>;
  #running: Promise<Read | Refusal> | null = null;
  #failedAt = 0;

  /** @param read reads the configuration and stores it; null: no such integration */
  constructor(read: () => Promise<Read>) {
    this.#read = read;
  }

  /** Whether a configuration of this age is to be read again now. Both in epoch ms. */
  isDue(loadedAt: number, now: number): boolean {
    const isPaused = now >= this.#failedAt && now < this.#failedAt + PAUSE_MS;
    return loadedAt + REFRESH_AFTER_MS < now && this.#running === null && !isPaused;
  }

  /** Reads the configuration, or waits for the read that is running. Never throws. */
  load(): Promise<Read | Refusal> {
    this.#running ??= this.#readOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #readOnce(): Promise<Read | Refusal> {
    try {
      return await withTimeout(TIMEOUT_MS, this.#read());
    } catch (error) {
      this.#failedAt = Date.now();
      logFault("an inbox could not read its configuration", error);
      return UNREADABLE;
    }
  }
}
