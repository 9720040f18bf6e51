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
  const { method, body, proof } = delivery;
  const url = new URL(delivery.url);
  const bytes = isRefusal(body) ? new Uint8Array() : body;
  const fields = () => fieldsOf(parseInbound(method, url, headers, bytes));
  const presented = { url, headers, body: bytes, fields };
  const isProven =
    proof === undefined
      ? isAuthentic(configuration, presented, now, type?.authentication)
      : proof === "caller" || isIntakeKey(proof.intakeKey, configuration, now);
  if (!isProven) return WRONG_TOKEN;
  if (!configuration.enabled) return INTEGRATION_DISABLED;
  return isRefusal(body) ? body : null;
}

/** Whether an event creates an alert or is for one. */
export const isActionable = (event: InboundEvent): event is ActionableEvent =>
  event.kind !== "ignored" && event.kind !== "invalid" && event.kind !== "note";
