// Opsgenie's Alert API, as its clients call it: create, acknowledge, close and note by alias, with an integration's
// intake key as `GenieKey`. Its own answers and error bodies.
import type { Context } from "hono";
import { isRefusal, type Refusal } from "../domain/refusal.ts";
import { readBytes } from "../http/body.ts";
import type { Environment } from "../http/serve.ts";
import { deliverByKey } from "./intake.ts";
import { asSent } from "./receive.ts";

/** Answers 202 once what was asked is durable, as that API does whatever it was. */
export async function opsgenieAlerts(context: Context<Environment>): Promise<Response> {
  const requestId = context.get("requestId");
  const started = Date.now();
  const took = () => (Date.now() - started) / 1_000;
  const [, key = ""] =
    /^GenieKey\s+(\S+)\s*$/i.exec(context.req.header("authorization") ?? "") ?? [];
  const body = await readBytes(context.req.raw);
  const delivery = { ...asSent(context), body, readAs: "opsgenie" };
  const delivered = await deliverByKey(context, key, delivery);
  if (isRefusal(delivered)) return refused(delivered, took(), requestId);
  const answer = { result: "Request will be processed", took: took(), requestId };
  return Response.json(answer, { status: 202 });
}

function refused(refusal: Refusal, took: number, requestId: string): Response {
  const answer = (status: number, message: string, more: object = {}) =>
    Response.json({ message, ...more, took, requestId }, { status });
  switch (refusal.reason) {
    case "not_found":
    case "unauthenticated":
      return answer(401, "Could not authenticate");
    case "not_supported":
      return answer(403, "The integration is disabled");
    case "too_many":
      return answer(429, "You are making too many requests! Please slow down.");
    case "unavailable":
      return answer(503, "The request could not be taken now. Please try again.");
    case "too_large":
      return answer(413, "The request is too large.");
    case "malformed":
    case "unsupported_media":
      return answer(400, "The request body could not be read.");
    default: {
      const errors = Object.fromEntries(
        refusal.errors.map(({ field, message }) => [field ?? "body", message]),
      );
      const message = "Request body is not processable. Please check the errors.";
      return answer(422, message, { errors });
    }
  }
}
