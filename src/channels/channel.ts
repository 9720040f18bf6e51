// The interface of a channel: whether this deployment has it, and how it sends a message.

import type { ChannelMessage } from "../domain/alerts/notifications/page.ts";
import type { Channel, Contact } from "../domain/people/contact.ts";

/** The outcome of an attempt. `reason` contains no address and no text of the message. */
export type Sent =
  | { readonly kind: "sent"; readonly providerId: string | null }
  /** Retried with back-off, not before the provider's `retryAfterMs`. */
  | { readonly kind: "temporary"; readonly reason: string; readonly retryAfterMs?: number }
  /** Not retried; the next channel is used. */
  | {
      readonly kind: "permanent";
      readonly reason: string;
      /** The provider refused our credentials, not the message. */
      readonly areCredentialsRefused?: boolean;
    };

export type Transport = {
  readonly channel: Channel;
  readonly isSetUp: (env: Cloudflare.Env) => boolean;
  /**
   * Sends one message. Never throws.
   *
   * @param id the id of the notification (of the first one in a bundle), as the idempotency key
   */
  readonly send: (
    env: Cloudflare.Env,
    contact: Contact,
    message: ChannelMessage,
    id: string,
  ) => Promise<Sent>;
};
