// Sends mails by the providers of this deployment.
import type { NotificationKey } from "../../db/alerts/notifications/notification-rows.ts";
import { unmarkedId } from "../../domain/alerts/providers/provider-id.ts";
import type { Sent } from "../channel.ts";
import { sendByFirst } from "../providers/fail-over.ts";
import { orderByOutcomes } from "../providers/recent-outcomes.ts";
import { mailProviders } from "./providers/list.ts";
import type { Letter } from "./providers/mail-provider.ts";

export const isMailSetUp = (env: Cloudflare.Env): boolean => mailProviders(env).length > 0;

/**
 * Sends a mail. Never throws.
 *
 * @param id the same for every attempt of the same mail
 * @param notification gets the delivery reports; null: none
 * @param tried providers that have not delivered it
 */
export async function sendMail(
  env: Cloudflare.Env,
  letter: Letter,
  id: string,
  notification: NotificationKey | null = null,
  tried: readonly string[] = [],
): Promise<Sent> {
  const configured = mailProviders(env);
  const accountId = notification?.accountId ?? null;
  const providers = await orderByOutcomes(env, "email", configured, accountId, tried);
  const sent = await sendByFirst("email", providers, (provider, timeoutMs) =>
    provider.send(env, { letter, id, notification, timeoutMs }),
  );
  // The id of the binding, if it is the only provider, is stored as it is.
  const isOnlyBinding = configured.length === 1 && configured[0]?.name === "binding";
  if (!isOnlyBinding || sent.kind !== "sent") return sent;
  return { ...sent, providerId: sent.providerId && unmarkedId(sent.providerId) };
}
