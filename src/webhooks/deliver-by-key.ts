// Delivers requests of senders that have an intake key instead of a URL. The first half of the key
// gives the inbox's name; the inbox verifies the whole key.
import type { Context } from "hono";
import { prefixIdOfRandomHex } from "../domain/shared/identifiers.ts";
import type { Environment } from "../http/serve.ts";
import type { ForwardedRequest } from "../objects/shared/rpc.ts";
import type { DeliveryResult } from "./deliver.ts";
import { deliverRequest } from "./receive.ts";

const KEY = /^[0-9a-f]{32}$/i;

/** The name of the inbox of an intake key; null if the text cannot be a key. */
export function inboxNameOfKey(key: string): string | null {
  return KEY.test(key) ? prefixIdOfRandomHex("integration", key.slice(0, 20)) : null;
}

/** Delivers a request with an intake key. A wrong key and an unknown one are refused alike. */
export function deliverByKey(
  context: Context<Environment>,
  intakeKey: string,
  delivery: ForwardedRequest,
): Promise<DeliveryResult> {
  const proof = { intakeKey };
  return deliverRequest(context, inboxNameOfKey(intakeKey), async () => ({ ...delivery, proof }));
}
