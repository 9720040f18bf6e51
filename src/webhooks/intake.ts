// Senders that have no URL, only a key: their integration's inbox is found by the key's first half, and the inbox
// itself checks the whole of it.
import type { Context } from "hono";
import { prefixIdOfRandomHex } from "../domain/identifiers.ts";
import type { Environment } from "../http/serve.ts";
import type { Delivery } from "../objects/rpc.ts";
import type { Delivered } from "./deliver.ts";
import { deliver } from "./receive.ts";

const KEY = /^[0-9a-f]{32}$/i;

/** The inbox that a key belongs to, by name; null for what cannot be a key. */
export function inboxOfKey(key: string): string | null {
  return KEY.test(key) ? prefixIdOfRandomHex("integration", key.slice(0, 20)) : null;
}

/** Hands over what came with an intake key. A wrong key and one of nobody's are refused alike. */
export function deliverByKey(
  context: Context<Environment>,
  intakeKey: string,
  delivery: Delivery,
): Promise<Delivered> {
  const proof = { intakeKey };
  return deliver(context, inboxOfKey(intakeKey), async () => ({ ...delivery, proof }));
}
