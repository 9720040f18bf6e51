// Hands a sender's request to its integration's inbox, within the rates. Whoever knows no integration, or no token, is
// limited by address, before the inbox is asked: a wrong token does not count against the integration's own rate, and past
// the limit a stranger wakes no object. A sender whose token is right is not held up by others at its
// address.
import { addressGroup } from "../domain/address-group.ts";
import { isRefusal, type Refusal, refuse } from "../domain/refusal.ts";
import { MINUTE } from "../domain/time.ts";
import { withinRate } from "../http/rate.ts";
import { blockOf, countFailure, isKnownWrong, lookUpCredential } from "../http/strangers.ts";
import type { Gate } from "../integrations/gate.ts";
import type { Delivery } from "../objects/rpc.ts";
import { integrationInbox } from "../objects/stubs.ts";
import { type Standing, standingOf } from "./standing.ts";

const UNKNOWN = refuse("not_found", "no such integration");
const UNREACHABLE = refuse("unavailable", "the integration cannot be reached; send it again");

export type Delivered = { readonly kind: "accepted"; readonly logId: string } | Refusal;

export type Sender = {
  readonly env: Cloudflare.Env;
  /** What the sender is limited by: a network address. */
  readonly address: string | null;
  readonly requestId: string | null;
};

/** How long a gate is believed: a token changed since is not held against its sender (ms). */
const BELIEVED_MS = MINUTE;
const MOST_GATES = 10_000;
const gates = new Map<string, { readonly gate: Gate; readonly until: number }>();

const credentialOf = (name: string) => `integration ${name}`;

function keepGate(name: string, gate: Gate): void {
  gates.delete(name);
  if (gates.size >= MOST_GATES) {
    const [oldest] = gates.keys();
    if (oldest !== undefined) gates.delete(oldest);
  }
  gates.set(name, { gate, until: Date.now() + BELIEVED_MS });
}

/** Hands a delivery to the inbox of this name; null = no integration can have it. */
export async function deliverTo(
  sender: Sender,
  name: string | null,
  read: () => Promise<Delivery>,
): Promise<Delivered> {
  const { env, address } = sender;
  const blocked = blockOf(env, address);
  if (name === null || isKnownWrong(credentialOf(name)))
    return blocked ?? (await countFailure(env, address)) ?? UNKNOWN;
  const known = gates.get(name);
  const now = Date.now();
  const gate = known && known.until > now ? known.gate : undefined;
  // A blocked address reaches only integrations that exist.
  if (blocked && known === undefined) return blocked;
  const delivery = await read();
  const standing = gate ? standingOf(gate, delivery, now) : "unsure";
  if (blocked && standing === "wrong") return blocked;
  const over = await overRate(sender, name, standing, gate);
  if (over) return over;
  const received = await ask(sender, name, delivery);
  if (!isRefusal(received) || received.reason !== "unauthenticated") return received;
  return blocked ?? (await countFailure(env, address)) ?? received;
}

/**
 * The refusal of a sender over the integration's rate, else null. A wrong token counts nothing; where only the inbox can
 * tell, because requests are signed, each address has a rate of its own.
 */
async function overRate(
  { env, address }: Sender,
  name: string,
  standing: Standing,
  gate: Gate | undefined,
): Promise<Refusal | null> {
  if (standing === "wrong") return null;
  const key = gate?.isSigned ? `${name} ${addressGroup(address)}` : name;
  return withinRate(env, env.INTEGRATION_RATE, key);
}

async function ask(
  { env, address, requestId }: Sender,
  name: string,
  delivery: Delivery,
): Promise<Delivered> {
  const answer = lookUpCredential(env, address, credentialOf(name), async () => {
    const { gate, ...received } = await integrationInbox(env, name).receive(delivery);
    if (gate) keepGate(name, gate);
    return received.kind === "unknown" ? null : received;
  });
  return answer.then(
    (received) => received ?? UNKNOWN,
    (error: unknown) => {
      console.error({ message: "an inbox failed", requestId, error: String(error).slice(0, 200) });
      return UNREACHABLE;
    },
  );
}
