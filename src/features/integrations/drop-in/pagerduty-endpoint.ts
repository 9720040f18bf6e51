// PagerDuty's Events API v2: `POST /v2/enqueue` with an integration's intake key as `routing_key`,
// and change events. Responses and errors have PagerDuty's format.
import type { Context } from "hono";
import { isJsonObject } from "../../../domain/shared/json.ts";
import {
  isRefusal,
  type Refusal,
  type RefusalReason,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { parseInbound } from "../../../products/reading/inbound.ts";
import { type Payload, textAt } from "../../../products/reading/payload.ts";
import type { DeliveryResult } from "../receive/deliver.ts";
import { deliverByKey } from "../receive/deliver-by-key.ts";
import { requestWithoutBody } from "../receive/receive.ts";

const ACTIONS = ["trigger", "acknowledge", "resolve"];
const SEVERITIES = ["critical", "warning", "error", "info"];
export const MAX_KEY_LENGTH = 255;

/** `POST /v2/enqueue`: accepts one event; 202 once it is durable. */
export async function enqueueEvent(context: Context<Environment>): Promise<Response> {
  const event = await parseEvent(context);
  if (event instanceof Response) return event;
  const errors = faultsOf(event);
  const key = textAt(event, "routing_key") ?? "";
  if (errors.length > 0) return refuseEvent(context, key, errors);
  const dedupKey = textAt(event, "dedup_key") ?? crypto.randomUUID().replaceAll("-", "");
  const delivered = await deliverEvent(context, key, { ...event, dedup_key: dedupKey });
  if (isRefusal(delivered)) return refusedEventResponse(delivered.reason);
  const answer = { status: "success", message: "Event processed", dedup_key: dedupKey };
  return Response.json(answer, { status: 202 });
}

/** Accepts a change event: logged with its summary; creates no alert and notifies nobody. */
export async function enqueueChange(context: Context<Environment>): Promise<Response> {
  const event = await parseEvent(context);
  if (event instanceof Response) return event;
  const errors = [["routing_key"], ["payload", "summary"]].flatMap((path) =>
    textAt(event, ...path) === null ? [missingFieldMessage(...path)] : [],
  );
  const key = textAt(event, "routing_key") ?? "";
  if (errors.length > 0) return refuseEvent(context, key, errors);
  const delivered = await deliverEvent(context, key, event);
  if (isRefusal(delivered)) return refusedEventResponse(delivered.reason);
  const answer = { status: "success", message: "Change event processed" };
  return Response.json(answer, { status: 202 });
}

/** Parses the event of a request; returns an error response if there is none. */
export async function parseEvent({ req }: Context<Environment>): Promise<Payload | Response> {
  const bytes = await readBytes(req.raw);
  if (isRefusal(bytes)) return refusedEventResponse(bytes.reason);
  const { body } = parseInbound("POST", new URL(req.url), req.raw.headers, bytes);
  return isJsonObject(body) ? body : invalidEventResponse(["JSON parse error"]);
}

/** A 400 response with the validation errors, which the log of the key's integration has too. */
export async function refuseEvent(
  context: Context<Environment>,
  key: string,
  errors: readonly string[],
): Promise<Response> {
  const refusal = refuseFields(errors.map((message) => ({ message })));
  if (key !== "") await deliverEvent(context, key, refusal);
  return invalidEventResponse(errors);
}

/** Delivers an event to the inbox of its key, which logs it also if it is refused already. */
export function deliverEvent(
  context: Context<Environment>,
  key: string,
  event: Payload | Refusal,
): Promise<DeliveryResult> {
  const sent = requestWithoutBody(context);
  const replaced = ["content-type", "content-encoding", "content-length"];
  const headers = sent.headers.filter(([name]) => !replaced.includes(name.toLowerCase()));
  return deliverByKey(context, key, {
    ...sent,
    headers: [...headers, ["content-type", "application/json"]],
    body: isRefusal(event) ? event : new TextEncoder().encode(JSON.stringify(event)),
    readAs: "pagerduty_events",
  });
}

/** The error message for a missing field. */
export const missingFieldMessage = (...path: string[]) => `'${path.join(".")}' is missing or blank`;

function faultsOf(event: Payload): readonly string[] {
  const missing = (...path: string[]) => textAt(event, ...path) === null;
  const action = textAt(event, "event_action");
  const severity = textAt(event, "payload", "severity");
  const key = textAt(event, "dedup_key") ?? "";
  const isTrigger = action === "trigger";
  return [
    ...(missing("routing_key") ? [missingFieldMessage("routing_key")] : []),
    ...(action === null ? [missingFieldMessage("event_action")] : []),
    ...(action !== null && !ACTIONS.includes(action)
      ? [
          "'event_action' is invalid (must be one of the following: 'trigger', 'acknowledge' or 'resolve')",
        ]
      : []),
    ...(isTrigger && missing("payload", "summary")
      ? [missingFieldMessage("payload", "summary")]
      : []),
    ...(isTrigger && missing("payload", "source")
      ? [missingFieldMessage("payload", "source")]
      : []),
    ...(isTrigger && !SEVERITIES.includes(severity ?? "")
      ? [
          "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')",
        ]
      : []),
    ...(!isTrigger && key === "" ? [missingFieldMessage("dedup_key")] : []),
    ...(key.length > MAX_KEY_LENGTH ? ["'dedup_key' is too long (maximum is 255 characters)"] : []),
  ];
}

/** A 400 response with errors. */
function invalidEventResponse(errors: readonly string[]): Response {
  const message = "Event object is invalid";
  return Response.json({ status: "invalid event", message, errors }, { status: 400 });
}

/** Maps a refusal to PagerDuty's response; its clients decide by the status whether to retry. */
export function refusedEventResponse(
  reason: RefusalReason,
  keyName = "routing_key",
  tooMany = 429,
): Response {
  switch (reason) {
    case "too_many":
    case "overloaded": {
      const message = "Requests for this service are arriving too quickly. Please retry later.";
      const headers = { "Retry-After": "10" };
      return Response.json({ status: "throttle exceeded", message }, { status: tooMany, headers });
    }
    case "unavailable": {
      const message = "The event could not be taken now. Please retry later.";
      const headers = { "Retry-After": "5" };
      return Response.json({ status: "unavailable", message }, { status: 503, headers });
    }
    case "too_large":
      return Response.json({ status: "invalid event", message: "Too large" }, { status: 413 });
    case "not_supported":
      return invalidEventResponse(["the integration is disabled"]);
    case "not_found":
    case "unauthenticated":
      return invalidEventResponse([`'${keyName}' is invalid`]);
    default:
      return invalidEventResponse(["the event cannot be read"]);
  }
}
