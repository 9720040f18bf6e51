// Reads a sender's request, and checks whether its integration accepts it.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newDatedId } from "../../../kernel/db/identifiers.ts";
import { isAuthentic, isIntakeKey } from "../../../products/authentication.ts";
import type {
  InboundEvent,
  InboundRequest,
  IntegrationType,
} from "../../../products/integration-type.ts";
import { isMalformedJson, parseInbound } from "../../../products/reading/inbound.ts";
import { fieldsOf } from "../../../products/reading/payload.ts";
import { loggedRequest } from "../../../products/reading/redact.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import { heartbeat } from "../../../products/uptime/heartbeat.ts";
import type { ForwardedRequest } from "../../rpc.ts";
import type { AcceptedRequest } from "./inbox-storage.ts";
import type { ActionableEvent } from "./stored-events.ts";

export const UNREADABLE = refuse("unavailable", "the integration's configuration cannot be read");

/** Of a sender who was not given the new one. */
export const REPLACED = refuse("not_found", "this address or key of the integration was replaced");
const BARE_ID = refuse(
  "unauthenticated",
  "the integration's id is not enough: use its url, or send its token",
);
const POST_ONLY = {
  ...refuse("not_supported", "the integration does not accept GET; send a POST"),
  allow: "POST",
};
const WRONG_TOKEN = refuse("unauthenticated", "the integration's token is missing or wrong");
/** The same of a token. */
export const OUTDATED_CREDENTIAL = refuse(
  "unauthenticated",
  "the sender has the integration's previous token, which is no longer accepted",
);
export const OVERLOADED = refuse("overloaded", "too many events at once; send it again");
const INVALID_JSON = refuse("malformed", "the body is not valid JSON");
const INTEGRATION_DISABLED = refuse("not_supported", "the integration is disabled");

/** A request as it is logged, with what it says or why it is refused. */
type ReadRequest = { readonly accepted: AcceptedRequest } & (
  | { readonly kind: "read"; readonly type: IntegrationType; readonly inbound: InboundRequest }
  | { readonly kind: "refused"; readonly refusal: Refusal }
);

/** Reads a request that arrived at `now` (epoch ms). */
export function readRequest(
  configuration: IntegrationConfiguration,
  delivery: ForwardedRequest,
  headers: Headers,
  now: number,
): ReadRequest {
  const type = integrationTypeNamed(delivery.readAs ?? configuration.integrationType);
  const refusal = refuseRequest(configuration, type, delivery, headers, now);
  // The body of a refused request is not parsed: its log shows the rest of the request.
  const bytes = refusal === null && !isRefusal(delivery.body) ? delivery.body : new Uint8Array();
  const inbound = parseInbound(delivery.method, new URL(delivery.url), headers, bytes);
  const request = loggedRequest(inbound, delivery.remoteIp);
  const accepted = { logId: newDatedId(now), acceptedAt: now, request };
  if (refusal) return { kind: "refused", accepted, refusal };
  if (type === null) return { kind: "refused", accepted, refusal: INTEGRATION_DISABLED };
  return type !== heartbeat && isMalformedJson(inbound)
    ? { kind: "refused", accepted, refusal: INVALID_JSON }
    : { kind: "read", accepted, type, inbound };
}

/** The refusal of a request at `now` (epoch ms); null if the integration accepts it. */
function refuseRequest(
  configuration: IntegrationConfiguration,
  type: IntegrationType | null,
  delivery: ForwardedRequest,
  headers: Headers,
  now: number,
): Refusal | null {
  const { method, body, proof, addressVersion } = delivery;
  const url = new URL(delivery.url);
  const bytes = isRefusal(body) ? new Uint8Array() : body;
  const fields = () => fieldsOf(parseInbound(method, url, headers, bytes));
  const presented = { url, headers, body: bytes, fields };
  const isByAddress = proof === undefined;
  if (isByAddress && !isCurrent(configuration, addressVersion, now)) return REPLACED;
  const needsProof = isByAddress && addressVersion === null && configuration.acceptsId === false;
  const isProven = (at: number) =>
    isByAddress
      ? isAuthentic(configuration, presented, at, type?.authentication, needsProof)
      : proof === "caller" || isIntakeKey(proof.intakeKey, configuration, at);
  if (!isProven(now)) {
    if (!isByAddress) return REPLACED;
    const { previousToken } = configuration;
    if (previousToken && isProven(previousToken.until - 1)) return OUTDATED_CREDENTIAL;
    return needsProof && configuration.tokenSha256 === null ? BARE_ID : WRONG_TOKEN;
  }
  const isRead = method === "GET" || method === "HEAD";
  if (isByAddress && isRead && configuration.acceptsGet === false) return POST_ONLY;
  if (!configuration.enabled) return INTEGRATION_DISABLED;
  return isRefusal(body) ? body : null;
}

/**
 * Whether an address is the integration's, or the one before it while it is accepted. Nobody but
 * this deployment makes a newer one, which the stored configuration does not know yet.
 */
function isCurrent(
  { addressVersion: current, previousAddressUntil }: IntegrationConfiguration,
  version: number | null | undefined,
  now: number,
): boolean {
  if (version == null || current === undefined || version >= current) return true;
  return version === current - 1 && (previousAddressUntil ?? 0) > now;
}

/** Whether an event creates an alert or is for one. */
export const isActionable = (event: InboundEvent): event is ActionableEvent =>
  event.kind !== "ignored" && event.kind !== "invalid" && event.kind !== "note";
