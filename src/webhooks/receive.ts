// The receiver: names the integration's inbox from the path and makes one call. No D1, no queue, no second object on
// this path: a sender anywhere gets its answer after one hop (contract 7, The receiver).
import type { Context } from "hono";
import { objectNameOf, parseIdentifier } from "../domain/identifiers.ts";
import { respond } from "../http/answers.ts";
import { readBytes } from "../http/body.ts";
import type { Environment } from "../http/serve.ts";
import type { Delivery } from "../objects/rpc.ts";
import { type Delivered, deliverTo } from "./deliver.ts";

/** Answers one delivery of a sender: 200 with the log's id once the event is durable. */
export async function receive(context: Context<Environment>): Promise<Response> {
  const identifier = parseIdentifier("integration", context.req.param("id") ?? "");
  const name = identifier === null ? null : objectNameOf("integration", identifier);
  const delivered = await deliver(context, name, async () => ({
    ...asSent(context),
    // A body that cannot be read goes on too: its refusal leaves a log.
    body: await readBytes(context.req.raw),
  }));
  return delivered.kind === "accepted"
    ? Response.json({ log_id: delivered.logId })
    : respond(delivered, context.get("requestId"));
}

/** The request as its sender made it, but for the body. */
export function asSent({ req }: Context<Environment>): Omit<Delivery, "body"> {
  const headers = [...req.raw.headers];
  const remoteIp = req.header("cf-connecting-ip") ?? null;
  return { method: req.method, url: req.url, headers, remoteIp };
}

/** Hands a delivery to the inbox of this name; null = no integration can have it. */
export function deliver(
  { env, req, get }: Context<Environment>,
  name: string | null,
  read: () => Promise<Delivery>,
): Promise<Delivered> {
  const address = req.header("cf-connecting-ip") ?? null;
  return deliverTo({ env, address, requestId: get("requestId") }, name, read);
}
