// What an inbox has refused since it last accepted an event: stored, so that audits find it, and
// bounded in the log. A refusal that somebody decided on, or a stranger's, is only logged.
import { isMonitored } from "../../../domain/shared/metrics/monitored.ts";
import type { Refusal, RefusalReason } from "../../../domain/shared/refusal.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { FixedWindowLimit } from "../../../kernel/objects/fixed-window-limit.ts";
import { operationsObject } from "../../stubs.ts";
import { OUTDATED_CREDENTIAL, REPLACED } from "./request-refusal.ts";

/** Refused requests logged per minute and reason: they must not fill the database. */
const MAX_LOGGED = 60;

const KEY = "refusedSince";

export class Refusals {
  readonly #context: DurableObjectState;
  readonly #env: Cloudflare.Env;
  readonly #logged = new Map<RefusalReason, FixedWindowLimit>();
  readonly #reports = new FixedWindowLimit(1, MINUTE);
  #since: number | null;

  constructor(context: DurableObjectState, env: Cloudflare.Env) {
    this.#context = context;
    this.#env = env;
    this.#since = context.storage.kv.get<number>(KEY) ?? null;
  }

  /** Since when events are refused that nobody has looked at (epoch ms); null: none is. */
  get since(): number | null {
    return this.#since;
  }

  /** Whether the log takes another line for this reason. `now` in epoch ms. */
  mayLog({ reason }: Refusal, now: number): boolean {
    if (this.#env.RATE_LIMITS === "off") return true;
    const limit = this.#logged.get(reason) ?? new FixedWindowLimit(MAX_LOGGED, MINUTE);
    this.#logged.set(reason, limit);
    return limit.take(now);
  }

  /** Notes a refusal; reports it if the sender may have lost a page. `now` in epoch ms. */
  note(refusal: Refusal, method: string, now: number): void {
    if (!losesEvent(refusal, method)) return;
    if (this.#since === null) {
      this.#since = now;
      this.#context.storage.kv.put(KEY, now);
    }
    if (!isMonitored(this.#env) || !this.#reports.take(now)) return;
    const reported = operationsObject(this.#env)
      .reportRefusingInbox(this.#context.id.name ?? "", this.#since)
      .catch((error: unknown) => logFault("an inbox could not report a refused event", error));
    this.#context.waitUntil(reported);
  }

  /** An event was accepted, or somebody has changed the integration. */
  end(): void {
    if (this.#since === null) return;
    this.#since = null;
    this.#context.storage.kv.delete(KEY);
  }
}

/** Whether a refused request may have been an event of the integration's own sender. */
function losesEvent(refusal: Refusal, method: string): boolean {
  switch (refusal.reason) {
    case "unavailable":
    case "overloaded":
      return true;
    // Anybody may send a wrong token; one that was replaced is the sender's.
    case "unauthenticated":
      return refusal === OUTDATED_CREDENTIAL;
    case "not_found":
      return refusal === REPLACED;
    // A browser or a link checker calls a URL by GET.
    case "malformed":
    case "too_large":
    case "unsupported_media":
    case "invalid":
      return method !== "GET";
    // Somebody has disabled the integration.
    default:
      return false;
  }
}
