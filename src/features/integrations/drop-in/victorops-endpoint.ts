// VictorOps' (Splunk On-Call's) REST endpoint, with an integration's intake key:
// `POST /integrations/generic/20131114/alert/<key>/<routing key>`. Responses and errors have
// VictorOps' format. The routing key is ignored: the integration defines its destinations.
import type { Context } from "hono";
import { isJsonObject } from "../../../domain/shared/json.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { parseInbound } from "../../../products/reading/inbound.ts";
import { type Payload, textAt } from "../../../products/reading/payload.ts";
import { deliverByKey } from "../receive/deliver-by-key.ts";
import { requestWithoutBody } from "../receive/receive.ts";

const MESSAGE_TYPES = ["CRITICAL", "WARNING", "INFO", "ACKNOWLEDGEMENT", "ACK", "RECOVERY", "OK"];

/**
 * Accepts one alert; 200 once it is durable. Generates a missing `entity_id`, as VictorOps does.
 */
export async function receiveVictoropsAlert(context: Context<Environment>): Promise<Response> {
  const sent = requestWithoutBody(context);
  const key = context.req.param("key") ?? "";
  const headers = sent.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  const alert = await readAlert(context);
  // An alert that is refused already is delivered too: its refusal must be logged.
  const delivered = await deliverByKey(context, key, {
    ...sent,
    // The log shows the URL, and the key in it is a secret.
    url: sent.url.replace(key, "***"),
    headers: [...headers, ["content-type", "application/json"]],
    body: isRefusal(alert) ? alert : new TextEncoder().encode(JSON.stringify(alert)),
    readAs: "victorops",
  });
  if (isRefusal(delivered)) return refusalResponse(delivered);
  return Response.json({ result: "success", entity_id: textAt(alert, "entity_id") });
}

/** The alert of a request, with an `entity_id`. */
async function readAlert({ req }: Context<Environment>): Promise<Payload | Refusal> {
  const bytes = await readBytes(req.raw);
  if (isRefusal(bytes)) return bytes;
  const { body } = parseInbound("POST", new URL(req.url), req.raw.headers, bytes);
  if (!isJsonObject(body)) return refuse("malformed", "the body is not a JSON object");
  const type = textAt(body, "message_type");
  if (!MESSAGE_TYPES.includes(type?.toUpperCase() ?? "")) {
    return refuse("malformed", `message_type must be one of ${MESSAGE_TYPES.join(", ")}`);
  }
  return { ...body, entity_id: textAt(body, "entity_id") ?? crypto.randomUUID() };
}

const failure = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ result: "failure", message }, { status, headers });

function refusalResponse({ reason, errors }: Refusal): Response {
  switch (reason) {
    case "not_found":
    case "unauthenticated":
      return failure(404, "the key in the address is not valid");
    case "not_supported":
      return failure(403, "the integration is disabled");
    // Its clients repeat 5xx only.
    case "too_many":
    case "overloaded":
    case "unavailable":
      return failure(503, "the alert cannot be accepted now; retry later", { "Retry-After": "10" });
    case "too_large":
      return failure(413, "the body is too large");
    default:
      return failure(400, errors.map(({ message }) => message).join("; "));
  }
}
