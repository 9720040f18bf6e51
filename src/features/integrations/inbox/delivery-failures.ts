// Reports failed deliveries of an inbox: in the log, in the metrics, and to the operations object once
// an event has waited for a while.
import { isMonitored } from "../../../domain/shared/metrics/monitored.ts";
import { MINUTE, SECOND } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { countFailure } from "../../../kernel/metrics/count-failure.ts";
import { FixedWindowLimit } from "../../../kernel/objects/fixed-window-limit.ts";
import { operationsObject } from "../../stubs.ts";
import type { InboxStorage } from "./inbox-storage.ts";

/** The age of an undelivered event at which the inbox reports itself (ms). */
const REPORTED_AFTER_MS = 15 * SECOND;

export class DeliveryFailures {
  readonly #context: DurableObjectState;
  readonly #env: Cloudflare.Env;
  readonly #storage: () => InboxStorage;
  readonly #reports = new FixedWindowLimit(1, MINUTE);

  constructor(context: DurableObjectState, env: Cloudflare.Env, storage: () => InboxStorage) {
    this.#context = context;
    this.#env = env;
    this.#storage = storage;
  }

  /** Reports that a delivery failed and is retried. `now` in epoch ms. */
  report(error: unknown, now: number): void {
    logFault("an event could not be delivered to its alert", error);
    countFailure(this.#context, this.#env, "inbox");
    const since = this.#storage().events.index.oldestPending();
    const isLate = since !== null && now - since > REPORTED_AFTER_MS;
    if (!isLate || !isMonitored(this.#env) || !this.#reports.take(now)) return;
    const reported = operationsObject(this.#env)
      .reportLateInbox(this.#context.id.name ?? "", since)
      .catch((reason: unknown) => logFault("an inbox could not report a late event", reason));
    this.#context.waitUntil(reported);
  }
}
