// Sends messages and makes calls by the providers of this deployment, in the order of what they
// delivered lately.

import type { NotificationKey } from "../../../domain/notifications/page.ts";
import type { Sent } from "../../../products/channel.ts";
import { callbackUrl } from "../../../products/phone/callback-url.ts";
import type { CallScript } from "../../../products/phone/provider.ts";
import { blockNumber } from "../contacts/phone-rows.ts";
import { sendByFirst } from "./fail-over.ts";
import { phoneProviders } from "./phone-providers.ts";
import { orderByOutcomes } from "./recent-outcomes.ts";

/** Blocks a number that its provider refuses. One that is not blocked now is blocked by the next attempt. */
async function blockRefused(env: Cloudflare.Env, number: string, sent: Sent): Promise<Sent> {
  if (sent.kind === "permanent" && sent.isNumberBlocked) {
    await blockNumber(env.DB, number, true).catch(() => {});
  }
  return sent;
}

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
    const sent = await provider.sendSms(env, { ...sms, statusUrl, timeoutMs });
    return blockRefused(env, sms.to, sent);
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
    const made = await provider.call(env, { ...call, answerUrl, statusUrl, timeoutMs });
    return blockRefused(env, call.to, made);
  });
}
