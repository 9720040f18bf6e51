// PagerDuty's Events API v1, for senders without v2: `POST /generic/2010-04-15/create_event.json`
// with an integration's intake key as `service_key`. Answers 200 with an `incident_key` instead of
// a `dedup_key`.
import type { Context } from "hono";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { type Payload, textAt } from "../../../products/reading/payload.ts";
import {
  deliverEvent,
  MAX_KEY_LENGTH,
  missingFieldMessage,
  parseEvent,
  refusedEventResponse,
  refuseEvent,
} from "./pagerduty-endpoint.ts";

const TYPES = ["trigger", "acknowledge", "resolve"];

/** Accepts one event; 200 once it is durable. */
export async function createEventV1(context: Context<Environment>): Promise<Response> {
  const event = await parseEvent(context);
  if (event instanceof Response) return event;
  const errors = faultsOf(event);
  const key = textAt(event, "service_key") ?? "";
  if (errors.length > 0) return refuseEvent(context, key, errors);
  const incidentKey = textAt(event, "incident_key") ?? crypto.randomUUID().replaceAll("-", "");
  const delivered = await deliverEvent(context, key, { ...event, incident_key: incidentKey });
  if (isRefusal(delivered)) {
    // v1 reports an exceeded rate as 403, and its clients back off on it.
    return refusedEventResponse(delivered.reason, "service_key", 403);
  }
  return Response.json({
    status: "success",
    message: "Event processed",
    incident_key: incidentKey,
  });
}

function faultsOf(event: Payload): readonly string[] {
  const missing = (name: string) => textAt(event, name) === null;
  const type = textAt(event, "event_type");
  const key = textAt(event, "incident_key") ?? "";
  return [
    ...(missing("service_key") ? [missingFieldMessage("service_key")] : []),
    ...(type === null ? [missingFieldMessage("event_type")] : []),
    ...(type !== null && !TYPES.includes(type)
      ? [`'event_type' is invalid (must be one of the following: ${TYPES.join(", ")})`]
      : []),
    ...(type === "trigger" && missing("description") ? [missingFieldMessage("description")] : []),
    ...(type !== "trigger" && key === "" ? [missingFieldMessage("incident_key")] : []),
    ...(key.length > MAX_KEY_LENGTH
      ? ["'incident_key' is too long (maximum is 255 characters)"]
      : []),
  ];
}
