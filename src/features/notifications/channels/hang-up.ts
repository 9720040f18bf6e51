// Ends a call at the provider that makes it.
import { providerOf, unmarkedId } from "../../../domain/notifications/provider-id.ts";
import type { Sent } from "../../../products/channel.ts";
import { allPhoneProviders } from "./phone-providers.ts";

/** Shorter than the queue consumer's timeout. */
const TIMEOUT_MS = 8_000;

/**
 * Ends a call, ringing or not. Never throws.
 *
 * @param storedId the id as notifications store it, which names the provider
 */
export async function hangUp(env: Cloudflare.Env, storedId: string): Promise<Sent> {
  const name = providerOf("voice", storedId);
  const provider = allPhoneProviders.find((it) => it.name === name);
  if (provider === undefined) return { kind: "permanent", reason: "its provider is not known" };
  return provider.hangUp(env, unmarkedId(storedId), TIMEOUT_MS);
}
