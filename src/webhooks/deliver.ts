// Delivers a sender's request to its integration's inbox, within the rate limits. Unknown
// integrations and wrong tokens are limited by network address before the inbox is called: they do
// not count against the integration's rate, and past the limit they wake no object. A sender with
// the right token is not blocked because of others at its address.
import { counted } from "../db/operations/counted.ts";
import { addressGroup } from "../domain/access/address-group.ts";
import { isRefusal, type Refusal, refuse } from "../domain/shared/refusal.ts";
import { MINUTE } from "../domain/shared/time.ts";
import {
  countFailure,
  isKnownWrong,
  lookUpCredential,
  refuseIfBlocked,
} from "../http/access/failure-limit.ts";
import { checkRateLimit } from "../http/access/rate-limit.ts";
import type { CredentialHashes } from "../integrations/credentials/credential-hashes.ts";
import type { ForwardedRequest } from "../objects/shared/rpc.ts";
import { integrationInbox } from "../objects/shared/stubs.ts";
import { type CredentialStatus, checkCredentials } from "./credential-status.ts";

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

/** Delivers to the inbox of this name; null = no integration can have that name. Counts it. */
export async function deliverTo(
  sender: DeliverySource,
  name: string | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const delivered = await deliver(sender, name, read);
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
  const standing = gate ? checkCredentials(gate, delivery, now) : "unsure";
  if (blocked && standing === "wrong") return blocked;
  const limited = await checkRate(sender, name, standing, gate);
  if (limited) return limited;
  const received = await sendToInbox(sender, name, delivery);
  if (!isRefusal(received) || received.reason !== "unauthenticated") return received;
  return blocked ?? (await countFailure(env, address)) ?? received;
}

/**
 * Refuses a sender over the integration's rate; else null. A wrong token is not counted. If
 * requests are signed only the inbox can verify them, so each address has its own rate.
 */
async function checkRate(
  { env, address }: DeliverySource,
  name: string,
  standing: CredentialStatus,
  gate: CredentialHashes | undefined,
): Promise<Refusal | null> {
  if (standing === "wrong") return null;
  const key = gate?.isSigned ? `${name} ${addressGroup(address)}` : name;
  return checkRateLimit(env, env.INTEGRATION_RATE, key);
}

async function sendToInbox(
  { env, address, requestId }: DeliverySource,
  name: string,
  delivery: ForwardedRequest,
): Promise<DeliveryResult> {
  const result = lookUpCredential(env, address, credentialName(name), async () => {
    const { gate, ...received } = await integrationInbox(env, name).receive(delivery);
    if (gate) cacheGate(name, gate);
    return received.kind === "unknown" ? null : received;
  });
  return result.then(
    (received) => received ?? UNKNOWN,
    (error: unknown) => {
      console.error({ message: "an inbox failed", requestId, error: String(error).slice(0, 200) });
      return UNREACHABLE;
    },
  );
}
