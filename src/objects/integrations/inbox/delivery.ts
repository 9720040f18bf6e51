// Checks whether an integration accepts a request.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { isAuthentic, isIntakeKey } from "../../../integrations/credentials/authentication.ts";
import type { InboundEvent, IntegrationType } from "../../../integrations/integration-type.ts";
import { readInbound } from "../../../integrations/reading/inbound.ts";
import { fieldsOf } from "../../../integrations/reading/payload.ts";
import type { Delivery } from "../../shared/rpc.ts";
import type { HandableEvent } from "./inbox-storage.ts";

const WRONG_TOKEN = refuse("unauthenticated", "the integration's token is missing or wrong");
export const NOT_JSON = refuse("malformed", "the body is not valid JSON");
export const DISABLED = refuse("not_supported", "the integration is disabled");

/** The refusal of a request at `now` (epoch ms); null if the integration accepts it. */
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

/** Whether an event creates, acknowledges or resolves an alert. */
export const isHandable = (event: InboundEvent): event is HandableEvent =>
  event.kind === "create" || event.kind === "acknowledge" || event.kind === "resolve";
