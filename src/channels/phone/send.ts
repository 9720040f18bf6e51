// Sends messages and makes calls by the providers of this deployment.
import type { NotificationKey } from "../../db/alerts/notifications/notification-rows.ts";
import type { Sent } from "../channel.ts";
import { callbackUrl } from "./callback-url.ts";
import type { CallScript } from "./provider.ts";
import { phoneProviders } from "./providers.ts";

/** Shorter than the queue consumer's timeout. */
const TIMEOUT_MS = 8_000;

const NO_PROVIDER: Sent = { kind: "permanent", reason: "no provider is configured" };

/** Sends an SMS. Never throws. @param notification gets the delivery reports; null: none */
export async function sendSms(
  env: Cloudflare.Env,
  sms: { readonly to: string; readonly text: string },
  notification: NotificationKey | null,
): Promise<Sent> {
  const [provider] = phoneProviders(env, "sms");
  if (provider === undefined) return NO_PROVIDER;
  const statusUrl = notification && callbackUrl(env, provider.name, "status", notification);
  return provider.sendSms(env, { ...sms, statusUrl, timeoutMs: TIMEOUT_MS });
}

/** Makes a call. Never throws. @param notification gets the digit and the reports; null: none */
export async function makeCall(
  env: Cloudflare.Env,
  call: { readonly to: string; readonly script: CallScript },
  notification: NotificationKey | null,
): Promise<Sent> {
  const [provider] = phoneProviders(env, "voice");
  if (provider === undefined) return NO_PROVIDER;
  const { name } = provider;
  const answerUrl = notification && callbackUrl(env, name, "calls", notification);
  const statusUrl = notification && callbackUrl(env, name, "status", notification);
  return provider.call(env, { ...call, answerUrl, statusUrl, timeoutMs: TIMEOUT_MS });
}
