// The interface of a channel: whether this deployment has it, and how it sends a message.

import type { ChannelMessage } from "../domain/notifications/page.ts";
import type { ProviderRefusal } from "../domain/notifications/refusals.ts";
import type { Channel, Contact } from "../domain/people/contact.ts";

/**
 * The outcome of an attempt. `reason` contains no address and no text of the message. A temporary
 * failure is retried with back-off, not before the provider's `retryAfterMs`; after a permanent one
 * the next channel is used.
 */
export type Sent = { readonly kind: "sent"; readonly providerId: string | null } | ProviderRefusal;

export type Transport = {
  readonly channel: Channel;
  readonly isSetUp: (env: Cloudflare.Env) => boolean;
  /**
   * Sends one message. Never throws.
   *
   * @param id the id of the notification (of the first one in a bundle), as the idempotency key
   * @param tried providers that accepted this message before and have not delivered it
   */
  readonly send: (
    env: Cloudflare.Env,
    contact: Contact,
    message: ChannelMessage,
    id: string,
    tried?: readonly string[],
  ) => Promise<Sent>;
};
