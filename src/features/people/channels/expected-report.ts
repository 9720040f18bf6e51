// Whether and when a provider is expected to report what became of a message.
import {
  deliveryDeadline,
  type ReportedChannel,
} from "../../../domain/notifications/delivery-deadline.ts";
import { providerOf } from "../../../domain/notifications/provider-id.ts";
import type { Channel } from "../../../domain/people/contact.ts";
import { hasLinks } from "../../../kernel/links.ts";
import { mailProviders } from "./mail-providers.ts";
import { phoneProviders } from "./phone-providers.ts";

/** A provider of any channel, as far as its order and its reports concern. */
type Reporting = { readonly name: string; readonly reports: boolean };

/** The providers of a channel, in the configured order. */
export function reportingProviders(env: Cloudflare.Env, channel: Channel): readonly Reporting[] {
  if (channel === "email") {
    return mailProviders(env).map((it) => ({ name: it.name, reports: it.canVerify(env) }));
  }
  if (channel !== "sms" && channel !== "voice") return [];
  return phoneProviders(env, channel).map((it) => ({
    name: it.name,
    reports: hasLinks(env) && it.canVerify(env),
  }));
}

/** The names of a channel's providers, in the configured order. */
export const providerNames = (env: Cloudflare.Env, channel: Channel): readonly string[] =>
  reportingProviders(env, channel).map(({ name }) => name);

/**
 * How many seconds after sending a report is due, of the message with this stored id. Null if its
 * provider reports nothing to this deployment, or no other provider could send it instead.
 */
export function reportDeadline(
  env: Cloudflare.Env,
  channel: ReportedChannel,
  providerId: string | null,
): number | null {
  const providers = reportingProviders(env, channel);
  if (providers.length < 2) return null;
  const name = providerOf(channel, providerId);
  const isReported = providers.some((it) => it.name === name && it.reports);
  return isReported ? deliveryDeadline(env, channel) : null;
}
