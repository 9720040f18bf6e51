// What an integration's gate says of a request, before the inbox is asked: what the request is counted by, and whether it
// still reaches the inbox from a blocked address. Who is let in, the inbox decides.
import { isRefusal } from "../domain/refusal.ts";
import { isAuthentic, isHashedIntakeKey } from "../integrations/authentication.ts";
import type { Gate } from "../integrations/gate.ts";
import { readInbound } from "../integrations/inbound.ts";
import { fieldsOf } from "../integrations/payload.ts";
import { integrationTypeNamed } from "../integrations/registry.ts";
import type { Delivery } from "../objects/rpc.ts";

/** What can be said of a request's credentials: `unsure` where only the inbox can check its signature. */
export type Standing = "right" | "wrong" | "unsure";

/**
 * What a gate says of a request.
 *
 * @param now epoch ms
 */
export function standingOf(gate: Gate, delivery: Delivery, now: number): Standing {
  const { method, body, proof } = delivery;
  if (proof === "caller") return "right";
  if (proof !== undefined) {
    const { intakeKeySha256, previousIntakeKey } = gate;
    return isHashedIntakeKey(proof.intakeKey, intakeKeySha256, previousIntakeKey, now)
      ? "right"
      : "wrong";
  }
  const url = new URL(delivery.url);
  const headers = new Headers(delivery.headers.map(([name, value]) => [name, value]));
  const bytes = isRefusal(body) ? new Uint8Array() : body;
  const fields = () => fieldsOf(readInbound(method, url, headers, bytes));
  const { tokenSha256, previousToken } = gate;
  const known = { tokenSha256, ...(previousToken && { previousToken }), secrets: {} };
  const type = integrationTypeNamed(gate.integrationType);
  const presented = { url, headers, body: bytes, fields };
  if (!isAuthentic(known, presented, now, type?.authentication)) return "wrong";
  return gate.isSigned ? "unsure" : "right";
}
