// Checks whether an integration accepts a request.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { isAuthentic, isIntakeKey } from "../../../integrations/credentials/authentication.ts";
import type { InboundEvent, IntegrationType } from "../../../integrations/integration-type.ts";
import { parseInbound } from "../../../integrations/reading/inbound.ts";
import { fieldsOf } from "../../../integrations/reading/payload.ts";
import type { ForwardedRequest } from "../../shared/rpc.ts";
import type { ActionableEvent } from "./storage/stored-events.ts";

export const UNREADABLE = refuse("unavailable", "the integration's configuration cannot be read");

const REPLACED = refuse("not_found", "this address or key of the integration was replaced");
const BARE_ID = refuse(
  "unauthenticated",
  "the integration's id is not enough: use its url, or send its token",
);
const POST_ONLY = {
  ...refuse("not_supported", "the integration does not accept GET; send a POST"),
  allow: "POST",
};
const WRONG_TOKEN = refuse("unauthenticated", "the integration's token is missing or wrong");
export const INVALID_JSON = refuse("malformed", "the body is not valid JSON");
export const INTEGRATION_DISABLED = refuse("not_supported", "the integration is disabled");

/** The refusal of a request at `now` (epoch ms); null if the integration accepts it. */
export function refuseRequest(
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
  if (proof === undefined) {
    if (!isCurrent(configuration, addressVersion, now)) return REPLACED;
    const needsProof = addressVersion === null && configuration.acceptsId === false;
    if (!isAuthentic(configuration, presented, now, type?.authentication, needsProof)) {
      return needsProof && configuration.tokenSha256 === null ? BARE_ID : WRONG_TOKEN;
    }
    const isRead = method === "GET" || method === "HEAD";
    if (isRead && configuration.acceptsGet === false) return POST_ONLY;
  } else if (proof !== "caller" && !isIntakeKey(proof.intakeKey, configuration, now)) {
    return REPLACED;
  }
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

/** Whether an event creates, acknowledges or resolves an alert. */
export const isActionable = (event: InboundEvent): event is ActionableEvent =>
  event.kind === "create" || event.kind === "acknowledge" || event.kind === "resolve";
