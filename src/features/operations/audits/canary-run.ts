// Sends canary events through the worker's own entrance, notes their arrival, and counts losses.
import { isCanaryLate, isCanaryMissing } from "../../../domain/operations/canary.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { baseUrl } from "../../../domain/shared/urls.ts";
import { addressOf } from "../../../kernel/credentials.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { withTimeout } from "../../../kernel/db/timeout.ts";
import { deleteOldCanaries, findCanaryAccount } from "./canary-rows.ts";
import type { OperationsStorage } from "./operations-state.ts";

const TIMEOUT_MS = 10 * SECOND;

type Send = (request: Request) => Promise<Response>;

export class CanaryRun {
  readonly #env: Cloudflare.Env;
  readonly #storage: OperationsStorage;
  readonly #fetch: Send;

  /** @param fetch the worker's own `fetch`: the event takes the path of any sender's */
  constructor(env: Cloudflare.Env, storage: OperationsStorage, fetch: Send) {
    this.#env = env;
    this.#storage = storage;
    this.#fetch = fetch;
  }

  /** Sends an event. Never throws: one that could not be sent is lost. `now` in epoch ms. */
  async send(now: number): Promise<void> {
    const earlier = this.#storage.audit.canary;
    const id = `canary ${new Date(now).toISOString()}`;
    const isAfterLoss = earlier !== null && isCanaryMissing(earlier, now);
    const canary = { id, sentAt: Date.now(), arrivedAt: null, isLost: false, isAfterLoss };
    this.#storage.change({ canary });
    this.#count("sent");
    try {
      const { DB } = this.#env;
      const { accountId } = await withTimeout(TIMEOUT_MS, this.#post("create", id));
      // A lost event's alert, if there is one, is nobody's.
      if (earlier?.isLost) await withTimeout(TIMEOUT_MS, this.#post("resolve", earlier.id));
      await withTimeout(TIMEOUT_MS, deleteOldCanaries(DB, accountId, now));
    } catch (error) {
      logFault("a canary event failed", error);
    }
  }

  /** Posts an event to the canary's integration. */
  async #post(type: "create" | "resolve", id: string) {
    const account = await findCanaryAccount(this.#env.DB, Date.now());
    const { LINK_SECRET, PUBLIC_URL } = this.#env;
    const host = baseUrl(PUBLIC_URL) || "https://canary.invalid";
    const address = addressOf(LINK_SECRET, account.integration, account.addressVersion);
    const request = new Request(`${host}/integration/${address}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ event_type: type, Id: id, Title: id }),
    });
    const response = await this.#fetch(request);
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the event was answered ${response.status}`);
    return account;
  }

  /** Notes the arrival of an event's message, and resolves its alert. */
  async arrived(id: string): Promise<void> {
    const { canary } = this.#storage.audit;
    const now = Date.now();
    if (canary?.id === id && canary.arrivedAt === null) {
      this.#storage.change({ canary: { ...canary, arrivedAt: now } });
      this.#storage.counts.observe(
        "tocsin_canary_seconds",
        {},
        Math.max(0, now - canary.sentAt) / SECOND,
      );
      this.#count("arrived");
    }
    await withTimeout(TIMEOUT_MS, this.#post("resolve", id));
  }

  /** Counts the latest event as lost, once, if it should have arrived. */
  countLoss(now: number): void {
    const { canary } = this.#storage.audit;
    if (canary === null || canary.isLost || !isCanaryLate(canary, now)) return;
    this.#storage.change({ canary: { ...canary, isLost: true } });
    this.#count("lost");
  }

  #count(outcome: "sent" | "arrived" | "lost"): void {
    this.#storage.counts.count("tocsin_canary_total", { outcome });
    this.#storage.record({});
  }
}
