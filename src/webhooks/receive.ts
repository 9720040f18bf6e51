// The receiver: derives the inbox's name from the path and makes one call. No D1, queue or second
// object on this path, so a sender gets its response after one hop (contract 7, The receiver).
import type { Context } from "hono";
import { objectNameOf, parseIdentifier } from "../domain/shared/identifiers.ts";
import { respond } from "../http/answers.ts";
import { readBytes } from "../http/parameters/body.ts";
import type { Environment } from "../http/serve.ts";
import type { ForwardedRequest } from "../objects/shared/rpc.ts";
import { type DeliveryResult, deliverTo } from "./deliver.ts";

/** Answers a sender's request: 200 with the log's id once the event is durable. */
export async function receive(context: Context<Environment>): Promise<Response> {
  const identifier = parseIdentifier("integration", context.req.param("id") ?? "");
  const name = identifier === null ? null : objectNameOf("integration", identifier);
  const delivered = await deliverRequest(context, name, async () => ({
    ...requestWithoutBody(context),
    // A body that cannot be read is delivered too: its refusal must be logged.
    body: await readBytes(context.req.raw),
  }));
  return delivered.kind === "accepted"
    ? Response.json({ log_id: delivered.logId })
    : respond(delivered, context.get("requestId"));
}

/** The request's parts except the body. */
export function requestWithoutBody({ req }: Context<Environment>): Omit<ForwardedRequest, "body"> {
  const headers = [...req.raw.headers];
  const remoteIp = req.header("cf-connecting-ip") ?? null;
  return { method: req.method, url: req.url, headers, remoteIp };
}

/** Delivers to the inbox of this name; null = no integration can have that name. */
export function deliverRequest(
  { env, req, get }: Context<Environment>,
  name: string | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const address = req.header("cf-connecting-ip") ?? null;
  return deliverTo({ env, address, requestId: get("requestId") }, name, read);
}
