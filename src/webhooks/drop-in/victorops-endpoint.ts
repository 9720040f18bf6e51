// VictorOps' (Splunk On-Call's) REST endpoint, with an integration's intake key:
// `POST /integrations/generic/20131114/alert/<key>/<routing key>`. Responses and errors have
// VictorOps' format. The routing key is ignored: the integration defines its destinations.
import type { Context } from "hono";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { readBytes } from "../../http/parameters/body.ts";
import type { Environment } from "../../http/serve.ts";
import { parseInbound } from "../../integrations/reading/inbound.ts";
import { isPayload, textAt } from "../../integrations/reading/payload.ts";
import { deliverByKey } from "../deliver-by-key.ts";
import { requestWithoutBody } from "../receive.ts";

const MESSAGE_TYPES = ["CRITICAL", "WARNING", "INFO", "ACKNOWLEDGEMENT", "ACK", "RECOVERY", "OK"];

/**
 * Accepts one alert; 200 once it is durable. Generates a missing `entity_id`, as VictorOps does.
 */
export async function receiveVictoropsAlert(context: Context<Environment>): Promise<Response> {
  const sent = requestWithoutBody(context);
  const bytes = await readBytes(context.req.raw);
  if (isRefusal(bytes)) return refusalResponse(bytes);
  const inbound = parseInbound("POST", new URL(sent.url), context.req.raw.headers, bytes);
  if (!isPayload(inbound.body)) return failure(400, "the body is not a JSON object");
  const type = textAt(inbound.body, "message_type");
  if (!MESSAGE_TYPES.includes(type?.toUpperCase() ?? "")) {
    return failure(400, `message_type must be one of ${MESSAGE_TYPES.join(", ")}`);
  }
  const entity = textAt(inbound.body, "entity_id") ?? crypto.randomUUID();
  const key = context.req.param("key") ?? "";
  const headers = sent.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  const delivered = await deliverByKey(context, key, {
    ...sent,
    // The log shows the URL, and the key in it is a secret.
    url: sent.url.replace(key, "***"),
    headers: [...headers, ["content-type", "application/json"]],
    body: new TextEncoder().encode(JSON.stringify({ ...inbound.body, entity_id: entity })),
    readAs: "victorops",
  });
  if (isRefusal(delivered)) return refusalResponse(delivered);
  return Response.json({ result: "success", entity_id: entity });
}

const failure = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ result: "failure", message }, { status, headers });

function refusalResponse({ reason }: Refusal): Response {
  switch (reason) {
    case "not_found":
    case "unauthenticated":
      return failure(404, "the key in the address is not valid");
    case "not_supported":
      return failure(403, "the integration is disabled");
    case "too_many":
      return failure(429, "too many requests; retry later", { "Retry-After": "10" });
    case "unavailable":
      return failure(503, "the alert cannot be accepted now; retry later", { "Retry-After": "10" });
    case "too_large":
      return failure(413, "the body is too large");
    default:
      return failure(400, "the body cannot be read");
  }
}
