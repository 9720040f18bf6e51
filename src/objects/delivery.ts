// What comes to an integration's inbox, from its sender or for it, and whether the integration takes it.
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import { isAuthentic, isIntakeKey } from "../integrations/authentication.ts";
import type { Gate } from "../integrations/gate.ts";
import { readInbound } from "../integrations/inbound.ts";
import type { InboundEvent, IntegrationType } from "../integrations/integration-type.ts";
import { fieldsOf } from "../integrations/payload.ts";
import type { HandableEvent } from "./inbox-storage.ts";

/** A request as the worker hands it over. */
export type Delivery = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The body, unpacked; or why it could not be read. */
  readonly body: Uint8Array | Refusal;
  readonly remoteIp: string | null;
  /** What stands in for the integration's token; none = the token is asked for. */
  readonly proof?: Proof;
  /** The type to read it by, where that is not the integration's own: a drop-in endpoint's. */
  readonly readAs?: string;
};

/** A key that a sender has instead of the URL, or a caller of the API who may. */
export type Proof = { readonly intakeKey: string } | "caller";

/** The inbox's answer, with what the worker may know of the integration's credentials from now on. */
export type Received = (
  | { readonly kind: "accepted"; readonly logId: string }
  | { readonly kind: "unknown" }
  | Refusal
) & { readonly gate?: Gate };

const WRONG_TOKEN = refuse("unauthenticated", "the integration's token is missing or wrong");
export const NOT_JSON = refuse("malformed", "the body is not valid JSON");
export const DISABLED = refuse("not_supported", "the integration is disabled");

/**
 * Why the integration does not take this request, else null.
 *
 * @param now epoch ms
 */
export function refusalOf(
  configuration: IntegrationConfiguration,
  type: IntegrationType | null,
  delivery: Delivery,
  headers: Headers,
  now: number,
): Refusal | null {
  const { method, body, proof } = delivery;
  const url = new URL(delivery.url);
  const bytes = isRefusal(body) ? new Uint8Array() : body;
  const fields = () => fieldsOf(readInbound(method, url, headers, bytes));
  const presented = { url, headers, body: bytes, fields };
  const isProven =
    proof === undefined
      ? isAuthentic(configuration, presented, now, type?.authentication)
      : proof === "caller" || isIntakeKey(proof.intakeKey, configuration, now);
  if (!isProven) return WRONG_TOKEN;
  if (!configuration.enabled) return DISABLED;
  return isRefusal(body) ? body : null;
}

/** Whether an event is one for an alert. */
export const isHandable = (event: InboundEvent): event is HandableEvent =>
  event.kind === "create" || event.kind === "acknowledge" || event.kind === "resolve";
