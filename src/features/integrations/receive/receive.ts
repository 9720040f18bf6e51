// The receiver: reads the inbox's name from the address in the path and makes one call. No D1, queue
// or second object on this path, so a sender gets its response after one hop (contract 7, The
// receiver).
import type { Context } from "hono";
import { objectNameOf, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { inboxOfAddress } from "../../../kernel/credentials.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import type { ForwardedRequest } from "../../rpc.ts";
import { type DeliveryResult, deliverTo, type Entrance } from "./deliver.ts";

/**
 * The entrance that the path names: an address, or a bare id. Where there are no addresses, for
 * want of a `LINK_SECRET`, the id is the address.
 */
function entranceOf({ LINK_SECRET }: Cloudflare.Env, text: string): Entrance | null {
  const identifier = parseIdentifier("integration", text);
  if (identifier !== null) {
    const name = objectNameOf("integration", identifier);
    const named = { name, credential: `integration ${name}`, provenance: "unproven" } as const;
    return LINK_SECRET ? { ...named, addressVersion: null } : named;
  }
  const address = inboxOfAddress(LINK_SECRET, text);
  if (address === null) return null;
  const { name, version } = address;
  const credential = `address ${name} ${version}`;
  return { name, credential, provenance: "issued", addressVersion: version };
}

/** Answers a sender's request: 200 with the log's id once the event is durable. */
export async function receive(context: Context<Environment>): Promise<Response> {
  const named = context.req.param("id") ?? "";
  const entrance = entranceOf(context.env, named);
  const sent = requestWithoutBody(context);
  const delivered = await deliverRequest(context, entrance, async () => ({
    ...sent,
    // The log shows the URL, and the address in it is a secret.
    url: sent.url.replace(named, entrance?.name ?? ""),
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

/** Delivers to an inbox; null: the sender named none that can exist. */
export function deliverRequest(
  { env, req, get }: Context<Environment>,
  entrance: Entrance | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const address = req.header("cf-connecting-ip") ?? null;
  return deliverTo({ env, address, requestId: get("requestId") }, entrance, read);
}
