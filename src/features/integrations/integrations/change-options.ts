// Validates the options of outgoing integrations across options: the address must be allowed, and
// signed requests need a secret.
import { randomBytes } from "node:crypto";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { IntegrationType } from "../../../products/integration-type.ts";
import { mergeOptions, type StoredOptions } from "./integration-options.ts";

/** The length of a secret in bytes, by Standard Webhooks. */
const LENGTH = { least: 24, most: 64 };

type Merged = StoredOptions & { readonly errors: readonly FieldError[] };

/** Generates a signing secret in the format that receivers use. */
export const newSigningSecret = () => `whsec_${randomBytes(LENGTH.least).toString("base64")}`;

const NO_OPTIONS: StoredOptions = { options: {}, secrets: {} };

/** The options of a new integration with these parameters. */
export const newOptions = (
  type: IntegrationType,
  sent: Readonly<Record<string, unknown>>,
  env: Cloudflare.Env,
): Merged => changeOptions(type, NO_OPTIONS, sent, env);

/**
 * The options to store after the parameters are applied, with an error for every invalid one. An
 * outgoing integration that signs its requests gets a signing secret if it has none.
 */
export const changeOptions = (
  type: IntegrationType,
  stored: StoredOptions,
  sent: Readonly<Record<string, unknown>>,
  env: Cloudflare.Env,
): Merged => withOutgoing(type, mergeOptions(type, stored, sent), env);

/**
 * Completes the merged options of an outgoing integration: adds errors, and a signing secret where
 * one is missing. Other types are returned unchanged.
 */
function withOutgoing(type: IntegrationType, merged: Merged, env: Cloudflare.Env): Merged {
  const { outgoing } = type;
  if (outgoing === undefined) return merged;
  const { options, secrets, errors } = merged;
  const key = outgoing.addressOption;
  const address = key === null ? null : (options[key] ?? secrets[key]);
  const allowed = allowedHosts(env.ALLOWED_HOSTS);
  const faults = [
    key !== null && typeof address === "string"
      ? faultAt(key, outboundUrlFault(address, allowed))
      : null,
    ...(outgoing.signs ? [faultAt("secret", secretFault(secrets.secret))] : []),
  ].filter((it) => it !== null);
  const signed =
    outgoing.signs && secrets.secret === undefined
      ? { ...secrets, secret: newSigningSecret() }
      : secrets;
  return { options, secrets: signed, errors: [...errors, ...faults] };
}

const faultAt = (key: string, fault: string | null): FieldError | null =>
  fault === null ? null : { field: `option_${key}`, message: `option_${key} ${fault}` };

function secretFault(secret: unknown): string | null {
  if (typeof secret !== "string") return null;
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "";
  const { length } = Buffer.from(encoded, "base64");
  const isFine = length >= LENGTH.least && length <= LENGTH.most;
  return isFine ? null : "must be whsec_ and 24 to 64 bytes in base64";
}
