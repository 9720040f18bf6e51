// Delivers a sender's request to its integration's inbox. Unknown integrations and wrong tokens are
// limited by network address before the inbox is called: past the limit they wake no object. A
// sender with the right token is not blocked because of others at its address. How many events of
// an integration are accepted is decided by its inbox, which knows what can be refused.
import { counted } from "../db/operations/counted.ts";
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import { MINUTE } from "../domain/shared/time.ts";
import {
  countFailure,
  isKnownWrong,
  lookUpCredential,
  refuseIfBlocked,
} from "../http/access/failure-limit.ts";
import type { CredentialHashes } from "../integrations/credentials/credential-hashes.ts";
import type { ForwardedRequest } from "../objects/shared/rpc.ts";
import { integrationInbox } from "../objects/shared/stubs.ts";
import { checkCredentials } from "./credential-status.ts";

const UNKNOWN = refuse("not_found", "no such integration");
const UNREACHABLE = refuse("unavailable", "the integration cannot be reached; send it again");

/** The outcome of a delivery. */
export type DeliveryResult = { readonly kind: "accepted"; readonly logId: string } | Refusal;

/** The origin of a delivery. */
export type DeliverySource = {
  readonly env: Cloudflare.Env;
  /** The key of the sender's rate limit: a network address. */
  readonly address: string | null;
  readonly requestId: string | null;
};

/**
 * Lifetime of cached hashes (ms): a token that changed since must not block its sender for long.
 */
const GATE_LIFETIME_MS = MINUTE;
const MAX_GATES = 10_000;
const gates = new Map<string, { readonly gate: CredentialHashes; readonly until: number }>();

const credentialName = (name: string) => `integration ${name}`;

function cacheGate(name: string, gate: CredentialHashes): void {
  gates.delete(name);
  if (gates.size >= MAX_GATES) {
    const [oldest] = gates.keys();
    if (oldest !== undefined) gates.delete(oldest);
  }
  gates.set(name, { gate, until: Date.now() + GATE_LIFETIME_MS });
}

/**
 * Delivers to the inbox of this name; null = no integration can have that name. Counts it. Whatever
 * fails on the way, the sender is asked to repeat.
 */
export async function deliverTo(
  sender: DeliverySource,
  name: string | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const delivered = await deliver(sender, name, read).catch((error: unknown) => {
    const { requestId } = sender;
    console.error({ message: "an inbox failed", requestId, error: String(error).slice(0, 200) });
    return UNREACHABLE;
  });
  if (isRefusal(delivered)) {
    counted.count("tocsin_events_refused_total", { reason: delivered.reason });
  } else counted.count("tocsin_events_accepted_total", {});
  return delivered;
}

async function deliver(
  sender: DeliverySource,
  name: string | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const { env, address } = sender;
  const blocked = refuseIfBlocked(env, address);
  if (name === null || isKnownWrong(credentialName(name)))
    return blocked ?? (await countFailure(env, address)) ?? UNKNOWN;
  const cached = gates.get(name);
  const now = Date.now();
  const gate = cached && cached.until > now ? cached.gate : undefined;
  // A blocked address reaches only integrations known to exist.
  if (blocked && cached === undefined) return blocked;
  const delivery = await read();
  if (blocked && gate && checkCredentials(gate, delivery, now) === "wrong") return blocked;
  const received = await sendToInbox(sender, name, delivery);
  if (!isRefusal(received) || received.reason !== "unauthenticated") return received;
  return blocked ?? (await countFailure(env, address)) ?? received;
}

async function sendToInbox(
  { env, address }: DeliverySource,
  name: string,
  delivery: ForwardedRequest,
): Promise<DeliveryResult> {
  const received = await lookUpCredential(env, address, credentialName(name), async () => {
    const { gate, ...result } = await integrationInbox(env, name).receive(delivery);
    if (gate) cacheGate(name, gate);
    return result.kind === "unknown" ? null : result;
  });
  return received ?? UNKNOWN;
}
