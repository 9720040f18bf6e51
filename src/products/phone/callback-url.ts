// The URLs of our callbacks for providers of SMS and calls. Each carries a token of ours: what a provider signs
// does not always cover whom and which notification its request is about.

import type { NotificationKey } from "../../domain/notifications/page.ts";
import type { PhoneProviderName } from "../../domain/people/phone-provider.ts";
import { DAY, HOUR } from "../../domain/shared/time.ts";
import { readClaims, signedLink } from "../../kernel/links.ts";

/** `calls` gets the digits of a call, `status` the delivery reports. */
export type CallbackKind = "calls" | "status";

/** How long after its message a URL is valid (ms): a phone that is off may get an SMS days later. */
const LIFETIME_MS: Record<CallbackKind, number> = { calls: HOUR, status: 7 * DAY };

const purposeOf = (provider: PhoneProviderName, kind: CallbackKind) => `${provider}_${kind}`;

/**
 * The URL of a provider's callback about a notification; null if the deployment has no links.
 *
 * @param at when the message is sent (epoch ms): the URL's lifetime starts then
 */
export function callbackUrl(
  env: Cloudflare.Env,
  provider: PhoneProviderName,
  kind: CallbackKind,
  { accountId, accountUserId, id }: NotificationKey,
  at: number,
): Promise<string | null> {
  const aud = purposeOf(provider, kind);
  const claims = { aud, acc: accountId, sub: accountUserId, rec: id };
  return signedLink(env, `/callbacks/${provider}/${kind}/`, claims, at + LIFETIME_MS[kind]);
}

/** The notification that a callback's token is about; null for a token of anything else, or an old one. */
export async function readCallbackToken(
  env: Cloudflare.Env,
  provider: PhoneProviderName,
  kind: CallbackKind,
  token: string,
): Promise<NotificationKey | null> {
  const read = await readClaims(env, token, ["acc", "sub", "rec"]);
  if (read.kind !== "claims" || read.purpose !== purposeOf(provider, kind)) return null;
  const [accountId = "", accountUserId = "", id = ""] = read.claims;
  return { accountId, accountUserId, id };
}
