// Validates the options of outgoing integrations across options: the address must be allowed, and
// signed requests need a secret. Also wakes the integration's object after a change.
import { randomBytes } from "node:crypto";
import { allowedHosts, outboundUrlFault } from "../../domain/integrations/outbound-url.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";
import type { ApiRequest } from "../../http/route.ts";
import type { IntegrationType } from "../../integrations/integration-type.ts";
import { outgoingObject } from "../../objects/shared/stubs.ts";

import { watchSchedules } from "../../services/oncall/watch-schedules.ts";
import type { KeptOptions } from "./integration-options.ts";

/** The length of a secret in bytes, by Standard Webhooks. */
const LENGTH = { least: 24, most: 64 };

type Merged = KeptOptions & { readonly errors: readonly FieldError[] };

/** Generates a signing secret in the format that receivers use. */
export const newSigningSecret = () => `whsec_${randomBytes(LENGTH.least).toString("base64")}`;

/**
 * Completes the merged options of an outgoing integration: adds errors, and a signing secret where
 * one is missing. Other types are returned unchanged.
 */
export function withOutgoing(type: IntegrationType, merged: Merged, env: Cloudflare.Env): Merged {
  const { outgoing } = type;
  if (outgoing === undefined) return merged;
  const { options, secrets, errors } = merged;
  const key = outgoing.addressOption;
  const address = options[key] ?? secrets[key];
  const allowed = allowedHosts(env.ALLOWED_HOSTS);
  const faults = [
    faultAt(key, typeof address === "string" ? outboundUrlFault(address, allowed) : null),
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

/**
 * Wakes the integration's object after a change, to deliver or cancel its queue, and reschedules
 * the shift notifications of the account's schedules. Never throws.
 */
export async function tellOutgoing(
  request: ApiRequest<unknown>,
  type: IntegrationType | null,
  prefixId: string,
): Promise<void> {
  if (type?.outgoing === undefined) return;
  const failed = (error: unknown) => {
    const errorText = String(error).slice(0, 200);
    console.error({ message: "an outgoing integration was not told", prefixId, error: errorText });
  };
  await outgoingObject(request.env, prefixId).look().catch(failed);
  request.waitUntil(watchSchedules(request).catch(failed));
}
