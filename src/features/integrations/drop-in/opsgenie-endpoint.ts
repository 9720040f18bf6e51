// Write endpoints of Opsgenie's Alert API, with an integration's intake key as `GenieKey`. The read
// endpoints are in `opsgenie-alerts.ts`.
import type { Context } from "hono";
import { uuidOfId } from "../../../domain/integrations/opsgenie-identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { deliverByKey } from "../receive/deliver-by-key.ts";
import { requestWithoutBody } from "../receive/receive.ts";
import { genieKeyOf, opsgenieRefusal, opsgenieResponse } from "./opsgenie-responses.ts";

/** Answers 202 once the request is durable; `requestId` leads to its result and its alert. */
export async function acceptOpsgenieRequest(context: Context<Environment>): Promise<Response> {
  const started = Date.now();
  const body = await readBytes(context.req.raw);
  const delivery = { ...requestWithoutBody(context), body, readAs: "opsgenie" };
  const delivered = await deliverByKey(context, genieKeyOf(context), delivery);
  if (isRefusal(delivered)) return opsgenieResponse(context, started, opsgenieRefusal(delivered));
  context.set("requestId", uuidOfId(delivered.logId));
  const answer = { result: "Request will be processed" };
  return opsgenieResponse(context, started, { status: 202, body: answer });
}
