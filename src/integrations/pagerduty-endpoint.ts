// The PagerDuty Events API v2, as its clients call it: `POST /v2/enqueue` with an integration's intake key as
// `routing_key`. Its own answers and error bodies; change events are accepted and change nothing.
import type { Context } from "hono";
import { isRefusal, type RefusalReason } from "../domain/refusal.ts";
import { readBytes } from "../http/body.ts";
import type { Environment } from "../http/serve.ts";
import { readInbound } from "./inbound.ts";
import { deliverByKey } from "./intake.ts";
import { isPayload, type Payload, textAt } from "./payload.ts";
import { asSent } from "./receive.ts";

const ACTIONS = ["trigger", "acknowledge", "resolve"];
const SEVERITIES = ["critical", "warning", "error", "info"];
const LONGEST_KEY = 255;

/** Takes one event: 202 once it is durable. */
export async function enqueue(context: Context<Environment>): Promise<Response> {
  const sent = asSent(context);
  const bytes = await readBytes(context.req.raw);
  if (isRefusal(bytes)) return refused(bytes.reason);
  const inbound = readInbound("POST", new URL(sent.url), context.req.raw.headers, bytes);
  if (!isPayload(inbound.body)) return invalid(["JSON parse error"]);
  const event = inbound.body;
  const errors = faultsOf(event);
  if (errors.length > 0) return invalid(errors);
  const dedupKey = textAt(event, "dedup_key") ?? crypto.randomUUID().replaceAll("-", "");
  const body = new TextEncoder().encode(JSON.stringify({ ...event, dedup_key: dedupKey }));
  const headers = sent.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  const delivered = await deliverByKey(context, textAt(event, "routing_key") ?? "", {
    ...sent,
    headers: [...headers, ["content-type", "application/json"]],
    body,
    readAs: "pagerduty_events",
  });
  if (isRefusal(delivered)) return refused(delivered.reason);
  const answer = { status: "success", message: "Event processed", dedup_key: dedupKey };
  return Response.json(answer, { status: 202 });
}

/** A change event: accepted like any other, and nothing comes of it. */
export async function enqueueChange(context: Context<Environment>): Promise<Response> {
  const sent = asSent(context);
  const body = await readBytes(context.req.raw);
  if (isRefusal(body)) return refused(body.reason);
  const inbound = readInbound("POST", new URL(sent.url), context.req.raw.headers, body);
  const summary = textAt(inbound.body, "payload", "summary");
  if (summary === null) return invalid(["'payload.summary' is missing or blank"]);
  const key = textAt(inbound.body, "routing_key") ?? "";
  const delivery = { ...sent, body, readAs: "pagerduty_events" };
  const delivered = await deliverByKey(context, key, delivery);
  if (isRefusal(delivered)) return refused(delivered.reason);
  const answer = { status: "success", message: "Change event processed" };
  return Response.json(answer, { status: 202 });
}

function faultsOf(event: Payload): readonly string[] {
  const missing = (...path: string[]) => textAt(event, ...path) === null;
  const blank = (...path: string[]) => `'${path.join(".")}' is missing or blank`;
  const action = textAt(event, "event_action");
  const severity = textAt(event, "payload", "severity");
  const key = textAt(event, "dedup_key") ?? "";
  const isTrigger = action === "trigger";
  return [
    ...(missing("routing_key") ? [blank("routing_key")] : []),
    ...(action === null ? [blank("event_action")] : []),
    ...(action !== null && !ACTIONS.includes(action)
      ? [
          "'event_action' is invalid (must be one of the following: 'trigger', 'acknowledge' or 'resolve')",
        ]
      : []),
    ...(isTrigger && missing("payload", "summary") ? [blank("payload", "summary")] : []),
    ...(isTrigger && missing("payload", "source") ? [blank("payload", "source")] : []),
    ...(isTrigger && !SEVERITIES.includes(severity ?? "")
      ? [
          "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')",
        ]
      : []),
    ...(!isTrigger && key === "" ? [blank("dedup_key")] : []),
    ...(key.length > LONGEST_KEY ? ["'dedup_key' is too long (maximum is 255 characters)"] : []),
  ];
}

function invalid(errors: readonly string[]): Response {
  const message = "Event object is invalid";
  return Response.json({ status: "invalid event", message, errors }, { status: 400 });
}

/** A refusal in the words of that API: its clients tell by the status whether to try again. */
function refused(reason: RefusalReason): Response {
  switch (reason) {
    case "too_many": {
      const message = "Requests for this service are arriving too quickly. Please retry later.";
      const headers = { "Retry-After": "10" };
      return Response.json({ status: "throttle exceeded", message }, { status: 429, headers });
    }
    case "unavailable": {
      const message = "The event could not be taken now. Please retry later.";
      return Response.json({ status: "unavailable", message }, { status: 503 });
    }
    case "too_large":
      return Response.json({ status: "invalid event", message: "Too large" }, { status: 413 });
    case "not_supported":
      return invalid(["the integration is disabled"]);
    case "not_found":
    case "unauthenticated":
      return invalid(["'routing_key' is invalid"]);
    default:
      return invalid(["the event cannot be read"]);
  }
}
