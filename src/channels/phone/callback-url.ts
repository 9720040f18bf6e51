// The URLs of our callbacks for providers of SMS and calls.
import type { NotificationKey } from "../../db/alerts/notifications/notification-rows.ts";
import type { PhoneProviderName } from "../../domain/people/phone-provider.ts";

/** The URL of a provider's callback about a notification; null without `PUBLIC_URL`. */
export function callbackUrl(
  { PUBLIC_URL }: Cloudflare.Env,
  provider: PhoneProviderName,
  kind: "calls" | "status",
  { accountId, accountUserId, id }: NotificationKey,
): string | null {
  const path = `callbacks/${provider}/${kind}/${accountId}/${accountUserId}/${id}`;
  return PUBLIC_URL ? `${PUBLIC_URL.replace(/\/+$/, "")}/${path}` : null;
}
