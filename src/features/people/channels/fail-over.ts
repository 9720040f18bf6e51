// Sends by the first provider that accepts the message. A provider that does not respond in time
// may have accepted it all the same: the next one then sends a second copy, which is better than
// none.
import { markedId } from "../../../domain/notifications/provider-id.ts";
import {
  isForNextProvider,
  outcomeOfRefusals,
  type ProviderRefusal,
} from "../../../domain/notifications/refusals.ts";
import { providerKey } from "../../../domain/operations/provider-health.ts";
import type { Channel } from "../../../domain/people/contact.ts";
import type { MessageOutcome } from "../../../domain/shared/metrics/provider-answers.ts";
import { answered, counted } from "../../../kernel/metrics/counted.ts";
import type { Sent } from "../../../products/channel.ts";
import { rememberRefusal } from "./recent-outcomes.ts";

/** The time for all providers of a message (ms); shorter than the consumer's timeout. */
const TOTAL_MS = 14_000;

/** Timeout of one provider, if it is the only one (ms). */
const MAX_TIMEOUT_MS = 8_000;

/** The timeout of each of several providers (ms). */
const timeoutOf = (providers: number): number =>
  Math.min(MAX_TIMEOUT_MS, Math.floor(TOTAL_MS / providers));

/** Channels whose providers say when a refusal is the recipient's fault. */
const SAYS_WHOSE_FAULT = new Set(["sms", "voice"]);

function outcomeOf(channel: string, sent: Sent): MessageOutcome {
  if (sent.kind !== "permanent") return sent.kind;
  if (sent.areCredentialsRefused) return "credentials";
  return SAYS_WHOSE_FAULT.has(channel) && !sent.isRecipientAtFault ? "refused" : "permanent";
}

/**
 * Counts what a provider answered to a message. `refused`: for a cause that is not the recipient's.
 *
 * @param givenAt when it was given the message (epoch ms)
 */
export function countAnswer(channel: string, provider: string, sent: Sent, givenAt: number): void {
  const outcome = outcomeOf(channel, sent);
  counted.count("tocsin_provider_attempts_total", { channel, provider, outcome });
  answered.add(providerKey(channel, provider), outcome, givenAt);
}

/**
 * Offers a message to the providers in order until one accepts it, or says that the recipient is at
 * fault. Never throws.
 */
export async function sendByFirst<Provider extends { readonly name: string }>(
  channel: Channel,
  providers: readonly Provider[],
  send: (provider: Provider, timeoutMs: number) => Promise<Sent>,
): Promise<Sent> {
  const refusals: ProviderRefusal[] = [];
  for (const provider of providers) {
    const givenAt = Date.now();
    const sent = await send(provider, timeoutOf(providers.length));
    countAnswer(channel, provider.name, sent, givenAt);
    if (sent.kind === "sent") {
      const { providerId } = sent;
      return { kind: "sent", providerId: providerId && markedId(provider.name, providerId) };
    }
    refusals.push(sent);
    if (!isForNextProvider(sent)) break;
    rememberRefusal(channel, provider.name, Date.now());
  }
  return outcomeOfRefusals(refusals);
}
