// What the worker may know of an integration's credentials, so that a wrong token can be recognised without asking the
// inbox. The inbox gives it with every answer; it decides nothing about who is let in: only the inbox does.
import { createHash } from "node:crypto";
import type { IntegrationConfiguration, Previous } from "../domain/integration-configuration.ts";
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
