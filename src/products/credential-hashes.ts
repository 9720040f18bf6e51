// The credential hashes of an integration that the worker may cache to recognize a wrong token
// without a call to the inbox. The inbox returns them with every response. They authorize nothing:
// only the inbox accepts requests.
import { createHash } from "node:crypto";
import type {
  IntegrationConfiguration,
  PreviousSecret,
} from "../domain/integrations/integration-configuration.ts";
import { integrationTypeNamed } from "./registry.ts";

/** Hashes of an integration's credentials. */
export type CredentialHashes = {
  readonly integrationType: string;
  /** SHA-256 of the token, hexadecimal; null = no token is required. */
  readonly tokenSha256: string | null;
  /** The token before a rotation, accepted until its `until`. */
  readonly previousToken?: PreviousSecret;
  /** SHA-256 of the intake key in lower case, hexadecimal. */
  readonly intakeKeySha256: string;
  /** The intake key before a rotation, accepted until its `until`. */
  readonly previousIntakeKey?: PreviousSecret;
  /** Whether its id is enough to post to it, without a token. */
  readonly acceptsId?: boolean;
  /** Whether requests must be signed; the signing secret stays in the inbox. */
  readonly isSigned: boolean;
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What was derived from configurations that are still in use: an inbox answers each request with the hashes of its own. */
const derived = new WeakMap<IntegrationConfiguration, CredentialHashes>();

/** The hashes of the configuration that the inbox stores. */
export function credentialHashes(configuration: IntegrationConfiguration): CredentialHashes {
  const known = derived.get(configuration);
  if (known !== undefined) return known;
  const hashes = deriveHashes(configuration);
  derived.set(configuration, hashes);
  return hashes;
}

function deriveHashes(configuration: IntegrationConfiguration): CredentialHashes {
  const { integrationType, tokenSha256, intakeKey, secrets } = configuration;
  const { previousToken, previousIntakeKey, acceptsId } = configuration;
  const type = integrationTypeNamed(integrationType);
  const signature = type?.authentication?.signature;
  const hasSecret = signature !== undefined && secrets[signature.option] !== undefined;
  return {
    integrationType,
    tokenSha256,
    intakeKeySha256: sha256(intakeKey.toLowerCase()),
    ...(previousToken && { previousToken }),
    ...(previousIntakeKey && { previousIntakeKey }),
    ...(acceptsId !== undefined && { acceptsId }),
    isSigned: hasSecret || type?.sns === true,
  };
}
