// Sends mails by the providers of this deployment.

import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { unmarkedId } from "../../../domain/notifications/provider-id.ts";
import type { Sent } from "../../../products/channel.ts";
import type { Letter } from "../../../products/mail/mail-provider.ts";
import { sendByFirst } from "./fail-over.ts";
import { mailProviders } from "./mail-providers.ts";
import { orderByOutcomes } from "./recent-outcomes.ts";

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
