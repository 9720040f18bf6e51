// The receiver: names the integration's inbox from the path and makes one call. No D1, no queue, no second object on
// this path: a sender anywhere gets its answer after one hop (specification, Inbound webhook receiver).
import type { Context } from "hono";
import { objectNameOf, parseIdentifier } from "../domain/identifiers.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import { respond } from "../http/answers.ts";
import { readBytes } from "../http/body.ts";
import { withinRate } from "../http/rate.ts";
import type { Environment } from "../http/serve.ts";
import type { Delivery } from "../objects/delivery.ts";
import { integrationInbox } from "../objects/stubs.ts";

const UNKNOWN = refuse("not_found", "no such integration");
const UNREACHABLE = refuse("unavailable", "the integration cannot be reached; send it again");

/** Integrations that do not exist, remembered for a minute: a misspelt URL costs its inbox one question. */
const UNKNOWN_MS = 60_000;
const MOST_UNKNOWN = 10_000;
const unknown = new Map<string, number>();

export type Delivered = { readonly kind: "accepted"; readonly logId: string } | Refusal;

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
export async function deliver(
  { env, req, get }: Context<Environment>,
  name: string | null,
  read: () => Promise<Delivery>,
): Promise<Delivered> {
  const remoteIp = req.header("cf-connecting-ip") ?? null;
  const refused = name === null || (unknown.get(name) ?? 0) > Date.now();
  if (refused) return stranger(env, remoteIp, UNKNOWN);
  const over = await withinRate(env, env.INTEGRATION_RATE, name);
  if (over) return over;
  const received = await integrationInbox(env, name)
    .receive(await read())
    .catch((error: unknown) => {
      const requestId = get("requestId");
      console.error({ message: "an inbox failed", requestId, error: String(error).slice(0, 200) });
      return UNREACHABLE;
    });
  if (received.kind === "accepted") return received;
  if (received.kind === "unknown") {
    if (unknown.size >= MOST_UNKNOWN) unknown.clear();
    unknown.set(name, Date.now() + UNKNOWN_MS);
    return stranger(env, remoteIp, UNKNOWN);
  }
  return received.reason === "unauthenticated" ? stranger(env, remoteIp, received) : received;
}

/** Unknown integrations and wrong tokens are limited by address. */
export async function stranger(
  env: Cloudflare.Env,
  remoteIp: string | null,
  refusal: Refusal,
): Promise<Refusal> {
  return (await withinRate(env, env.STRANGER_RATE, remoteIp ?? "unknown")) ?? refusal;
}
