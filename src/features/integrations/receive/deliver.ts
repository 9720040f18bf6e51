// Delivers a sender's request to its integration's inbox. Wrong addresses, keys, ids and tokens are
// limited by network address before the inbox is called: past the limit they wake no object. A sender
// with the right address or key is not refused because of others at its network address. How many
// events of an integration are accepted is decided by its inbox, which knows what can be refused.
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import type { NamedInbox } from "../../../kernel/credentials.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { refuseIfUsedUp } from "../../../kernel/db/used-up.ts";
import {
  countFailure,
  isKnownWrong,
  lookUpCredential,
  refuseIfBlocked,
} from "../../../kernel/http/failure-limit.ts";
import { counted } from "../../../kernel/metrics/counted.ts";
import type { CredentialHashes } from "../../../products/credential-hashes.ts";
import type { ForwardedRequest } from "../../rpc.ts";
import { integrationInbox, standbyObject } from "../../stubs.ts";

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

/** The inbox that a request is for, and the credential that names it. */
export type Entrance = NamedInbox & {
  /** Identifies the credential; never the secret itself. */
  readonly credential: string;
  /** The version of the address; null: named by the bare id. Unset for an intake key. */
  readonly addressVersion?: number | null;
};

/** How long cached hashes refuse a token from a blocked address (ms): it may be a new one. */
const GATE_LIFETIME_MS = 10 * SECOND;
const MAX_GATES = 10_000;
const gates = new Map<string, { readonly gate: CredentialHashes; readonly until: number }>();

function cacheGate(name: string, gate: CredentialHashes): void {
  gates.delete(name);
  if (gates.size >= MAX_GATES) {
    const [oldest] = gates.keys();
    if (oldest !== undefined) gates.delete(oldest);
  }
  gates.set(name, { gate, until: Date.now() + GATE_LIFETIME_MS });
}

/**
 * Delivers to an inbox; null: the sender named none that can exist. Counts the outcome. Whatever fails
 * on the way, the sender is asked to repeat.
 */
export async function deliverTo(
  sender: DeliverySource,
  entrance: Entrance | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const delivered = await deliver(sender, entrance, read).catch(async (error: unknown) => {
    const { env, requestId } = sender;
    logFault("an inbox failed", error, { requestId });
    return (await refuseIfUsedUp(env, error)) ?? UNREACHABLE;
  });
  if (isRefusal(delivered)) {
    counted.count("tocsin_events_refused_total", { reason: delivered.reason });
  } else counted.count("tocsin_events_accepted_total", {});
  return delivered;
}

async function deliver(
  sender: DeliverySource,
  entrance: Entrance | null,
  read: () => Promise<ForwardedRequest>,
): Promise<DeliveryResult> {
  const { env, address } = sender;
  if (entrance === null) return (await countFailure(env, address)) ?? UNKNOWN;
  const { name, credential, provenance, addressVersion } = entrance;
  if (isKnownWrong(credential)) {
    // Whoever has an address or key that was replaced is no stranger, and uses up nobody's rate.
    const over = provenance === "issued" ? null : await countFailure(env, address);
    return over ?? UNKNOWN;
  }
  const delivery = { ...(await read()), ...(addressVersion !== undefined && { addressVersion }) };
  // A key that was issued is not judged by a copy: it may be newer.
  const isIssuedKey = provenance === "issued" && addressVersion === undefined;
  const blocked = isIssuedKey ? null : refuseIfBlocked(env, address);
  if (blocked && (await hasWrongCredentials(name, delivery, Date.now()))) return blocked;
  const received = await sendToInbox(sender, entrance, delivery);
  if (!isRefusal(received) || received.reason !== "unauthenticated") return received;
  return (await countFailure(env, address)) ?? received;
}

/**
 * Whether cached hashes that are fresh say so. Only a copy needs the code of every integration type here, and a cold isolate
 * has none.
 */
async function hasWrongCredentials(
  name: string,
  delivery: ForwardedRequest,
  now: number,
): Promise<boolean> {
  const cached = gates.get(name);
  if (cached === undefined || cached.until <= now) return false;
  const { checkCredentials } = await import("./credential-status.ts");
  return checkCredentials(cached.gate, delivery, now) === "wrong";
}

async function sendToInbox(
  { env, address }: DeliverySource,
  { name, credential, provenance }: Entrance,
  delivery: ForwardedRequest,
): Promise<DeliveryResult> {
  const presented = { env, address, credential, provenance };
  const received = await lookUpCredential(presented, async () => {
    // A standby holds it, whoever takes it over.
    const receiving = env.STANDBY_OF
      ? standbyObject(env).hold(name, delivery)
      : integrationInbox(env, name).receive(delivery);
    const { gate, ...result } = await receiving;
    if (gate) cacheGate(name, gate);
    if (result.kind === "unknown") return null;
    // An address or a key that was replaced.
    return isRefusal(result) && result.reason === "not_found" ? null : result;
  });
  return received ?? UNKNOWN;
}
