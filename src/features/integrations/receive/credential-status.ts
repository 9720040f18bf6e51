// Checks a request's credentials against an integration's cached hashes before the inbox is called.
// The result decides whether it passes from a blocked address; only the inbox accepts requests.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { isAuthentic, isHashedIntakeKey } from "../../../products/authentication.ts";
import type { CredentialHashes } from "../../../products/credential-hashes.ts";
import { parseInbound } from "../../../products/reading/inbound.ts";
import { fieldsOf } from "../../../products/reading/payload.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { ForwardedRequest } from "../../rpc.ts";

/** The result of the check; `unsure` if only the inbox can verify the signature. */
type CredentialStatus = "right" | "wrong" | "unsure";

/**
 * Checks a request's credentials against cached hashes.
 *
 * @param now epoch ms
 */
export function checkCredentials(
  gate: CredentialHashes,
  delivery: ForwardedRequest,
  now: number,
): CredentialStatus {
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
  const fields = () => fieldsOf(parseInbound(method, url, headers, bytes));
  const { tokenSha256, previousToken } = gate;
  const known = { tokenSha256, ...(previousToken && { previousToken }), secrets: {} };
  const type = integrationTypeNamed(gate.integrationType);
  const presented = { url, headers, body: bytes, fields };
  const isBareId = delivery.addressVersion === null && gate.acceptsId === false;
  // Only the inbox has the secret of signatures.
  const needsProof = isBareId && !gate.isSigned;
  if (!isAuthentic(known, presented, now, type?.authentication, needsProof)) return "wrong";
  return gate.isSigned ? "unsure" : "right";
}
