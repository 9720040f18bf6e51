// Sends messages and makes calls by the providers of this deployment, in the order of what they
// delivered lately.
import type { Sent } from "../../../products/channel.ts";
import { callbackUrl } from "../../../products/phone/callback-url.ts";
import type { CallScript } from "../../../products/phone/provider.ts";
import type { NotificationKey } from "../notifications/rows.ts";
import { sendByFirst } from "./fail-over.ts";
import { phoneProviders } from "./phone-providers.ts";
import { orderByOutcomes } from "./recent-outcomes.ts";

/**
 * Sends an SMS. Never throws.
 *
 * @param notification gets the delivery reports; null: none
 * @param tried providers that have not delivered it
 */
export async function sendSms(
  env: Cloudflare.Env,
  sms: { readonly to: string; readonly text: string },
  notification: NotificationKey | null,
  tried: readonly string[] = [],
): Promise<Sent> {
  const configured = phoneProviders(env, "sms");
  const accountId = notification?.accountId ?? null;
  const providers = await orderByOutcomes(env, "sms", configured, accountId, tried);
  return sendByFirst("sms", providers, async (provider, timeoutMs) => {
    const statusUrl =
      notification && (await callbackUrl(env, provider.name, "status", notification, Date.now()));
    return provider.sendSms(env, { ...sms, statusUrl, timeoutMs });
  });
}

/**
 * Makes a call. Never throws.
 *
 * @param notification gets the digit and the reports; null: none
 * @param tried providers that have not delivered it
 */
export async function makeCall(
  env: Cloudflare.Env,
  call: { readonly to: string; readonly script: CallScript },
  notification: NotificationKey | null,
  tried: readonly string[] = [],
): Promise<Sent> {
  const configured = phoneProviders(env, "voice");
  const accountId = notification?.accountId ?? null;
  const providers = await orderByOutcomes(env, "voice", configured, accountId, tried);
  return sendByFirst("voice", providers, async (provider, timeoutMs) => {
    const { name } = provider;
    const answerUrl =
      notification && (await callbackUrl(env, name, "calls", notification, Date.now()));
    const statusUrl =
      notification && (await callbackUrl(env, name, "status", notification, Date.now()));
    return provider.call(env, { ...call, answerUrl, statusUrl, timeoutMs });
  });
}
