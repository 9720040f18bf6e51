// Write endpoints of Opsgenie's Alert API, with an integration's intake key as `GenieKey`. The read
// endpoints are in `opsgenie-alerts.ts`.
import type { Context } from "hono";
import { uuidOfId } from "../../domain/integrations/opsgenie-identifiers.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { readBytes } from "../../http/parameters/body.ts";
import type { Environment } from "../../http/serve.ts";
import { deliverByKey } from "../intake.ts";
import { asSent } from "../receive.ts";
import { genieKeyOf, opsgenieAnswer, opsgenieRefusal } from "./opsgenie-answers.ts";

/** Answers 202 once the request is durable; `requestId` leads to its result and its alert. */
export async function opsgenieAlerts(context: Context<Environment>): Promise<Response> {
  const started = Date.now();
  const body = await readBytes(context.req.raw);
  const delivery = { ...asSent(context), body, readAs: "opsgenie" };
  const delivered = await deliverByKey(context, genieKeyOf(context), delivery);
  if (isRefusal(delivered)) return opsgenieAnswer(context, started, opsgenieRefusal(delivered));
  context.set("requestId", uuidOfId(delivered.logId));
  const answer = { result: "Request will be processed" };
  return opsgenieAnswer(context, started, { status: 202, body: answer });
}
