// Delivers requests of senders that have an intake key instead of a URL. The key names the inbox,
// which verifies that it is the current one.
import type { Context } from "hono";
import { hashOfSecret, inboxOfKey } from "../../../kernel/credentials.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import type { ForwardedRequest } from "../../rpc.ts";
import type { DeliveryResult, Entrance } from "./deliver.ts";
import { deliverRequest } from "./receive.ts";

/** The entrance of an intake key; null for a text that was not issued. */
export function entranceOfKey(env: Cloudflare.Env, intakeKey: string): Entrance | null {
  const inbox = inboxOfKey(env.LINK_SECRET, intakeKey);
  return inbox && { ...inbox, credential: `key ${hashOfSecret(intakeKey.toLowerCase())}` };
}

/** Delivers a request with an intake key. A wrong key and an unknown one are refused alike. */
export function deliverByKey(
  context: Context<Environment>,
  intakeKey: string,
  delivery: ForwardedRequest,
): Promise<DeliveryResult> {
  const proof = { intakeKey };
  const entrance = entranceOfKey(context.env, intakeKey);
  return deliverRequest(context, entrance, async () => ({ ...delivery, proof }));
}
