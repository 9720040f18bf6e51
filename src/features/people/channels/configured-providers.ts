// The providers whose health the audit judges: those that the deployment's variables configure, by
// channel, and what each answers when it is asked whether it would accept messages. A server that a
// person has named is nobody's provider.
import { deliveryDeadline } from "../../../domain/notifications/delivery-deadline.ts";
import type { ChannelProviders, Proof } from "../../../domain/operations/provider-health.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { hasLinks } from "../../../kernel/links.ts";
import { availableChannels } from "./channels.ts";
import { reportingProviders } from "./expected-report.ts";
import { mailProviders } from "./mail-providers.ts";
import { allPhoneProviders } from "./phone-providers.ts";

const REPORTED = ["email", "sms", "voice"] as const;
const MESSENGERS = ["telegram", "pushover", "whatsapp", "slack", "teams"] as const;

/** How long a provider may take to answer (ms). */
const TIMEOUT_MS = 8 * SECOND;

/** The channels of this deployment with their providers. A messenger is its own provider. */
export function configuredProviders(env: Cloudflare.Env): readonly ChannelProviders[] {
  const available = availableChannels(env);
  const reported = REPORTED.filter((channel) => available.has(channel)).map((channel) => {
    const providers = reportingProviders(env, channel);
    return {
      channel,
      providers: providers.map(({ name }) => name),
      reporting: providers.filter(({ reports }) => reports).map(({ name }) => name),
      isSentAgain: deliveryDeadline(env, channel) !== null,
    };
  });
  const messengers = MESSENGERS.filter((channel) => available.has(channel)).map((channel) => {
    const reports = channel === "whatsapp" && hasLinks(env);
    return {
      channel,
      providers: [channel],
      reporting: reports ? [channel] : [],
      isSentAgain: false,
    };
  });
  return [...reported, ...messengers];
}

/** Asks providers, by name, for a proof. Those that have nothing to ask are left out. Never throws. */
export async function proveProviders(
  env: Cloudflare.Env,
  names: readonly string[],
): Promise<ReadonlyMap<string, Proof>> {
  const all = [...mailProviders(env), ...allPhoneProviders];
  const proofs = all.flatMap(({ name, prove }) =>
    prove !== undefined && names.includes(name)
      ? [prove(env, TIMEOUT_MS).then((proof) => [name, proof] as const)]
      : [],
  );
  return new Map(await Promise.all(proofs));
}
