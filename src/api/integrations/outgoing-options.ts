// The options of an integration that tells others, beyond what each says for itself: the address may be called, what is
// signed has a secret to sign it with. And the word to its object that something has changed.
import { randomBytes } from "node:crypto";
import { allowedHosts, outboundUrlFault } from "../../domain/integrations/outbound-url.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";
import type { ApiRequest } from "../../http/route.ts";
import type { IntegrationType } from "../../integrations/integration-type.ts";
import { outgoingObject } from "../../objects/shared/stubs.ts";
import { watchAll } from "../oncall/handoff-watch.ts";
import type { KeptOptions } from "./integration-options.ts";

/** Standard Webhooks: 24 to 64 bytes. */
const LENGTH = { least: 24, most: 64 };

type Merged = KeptOptions & { readonly errors: readonly FieldError[] };

/** A secret to sign with, as receivers are given it. */
export const newSigningSecret = () => `whsec_${randomBytes(LENGTH.least).toString("base64")}`;

/** The options after a write as they are kept, or more that is wrong with them; others' types as they are. */
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
 * An integration was changed: what waits for it may be told now, or no more, and schedules look again when to tell of
 * their shifts. Never fails the caller.
 */
export async function tellOutgoing(
  request: ApiRequest<unknown>,
  type: IntegrationType | null,
  prefixId: string,
): Promise<void> {
  if (type?.outgoing === undefined) return;
  const failed = (error: unknown) => {
    const said = String(error).slice(0, 200);
    console.error({ message: "an outgoing integration was not told", prefixId, error: said });
  };
  await outgoingObject(request.env, prefixId).look().catch(failed);
  request.waitUntil(watchAll(request).catch(failed));
}
