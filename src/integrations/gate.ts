// What the worker may know of an integration's credentials, so that a wrong token can be recognised without asking the
// inbox. The inbox gives it with every answer; it decides nothing about who is let in: only the inbox does. It decides
// what a request is counted by, and which requests of a blocked address still reach the inbox.
import { createHash } from "node:crypto";
import type { IntegrationConfiguration, Previous } from "../domain/integration-configuration.ts";
import { isRefusal } from "../domain/refusal.ts";
import type { Delivery } from "../objects/rpc.ts";
import { isAuthentic, isHashedIntakeKey } from "./authentication.ts";
import { readInbound } from "./inbound.ts";
import { fieldsOf } from "./payload.ts";
import { integrationTypeNamed } from "./registry.ts";

export type Gate = {
  readonly integrationType: string;
  /** SHA-256 of the token, hexadecimal; null = none is asked for. */
  readonly tokenSha256: string | null;
  /** The token before a rotation, accepted for a while. */
  readonly previousToken?: Previous;
  /** SHA-256 of the intake key in lower case, hexadecimal. */
  readonly intakeKeySha256: string;
  /** The intake key before a rotation, accepted for a while. */
  readonly previousIntakeKey?: Previous;
  /** Whether requests are signed: with a secret that stays in the inbox. */
  readonly isSigned: boolean;
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The gate of an integration as its inbox knows it. */
export function gateOf(configuration: IntegrationConfiguration): Gate {
  const { integrationType, tokenSha256, intakeKey, secrets } = configuration;
  const { previousToken, previousIntakeKey } = configuration;
  const type = integrationTypeNamed(integrationType);
  const signature = type?.authentication?.signature;
  const hasSecret = signature !== undefined && secrets[signature.option] !== undefined;
  return {
    integrationType,
    tokenSha256,
    intakeKeySha256: sha256(intakeKey.toLowerCase()),
    ...(previousToken && { previousToken }),
    ...(previousIntakeKey && { previousIntakeKey }),
    isSigned: hasSecret || type?.sns === true,
  };
}

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
