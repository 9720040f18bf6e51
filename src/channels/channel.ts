// What every channel is: whether this deployment has it, and how one message is sent on it.

import type { ChannelMessage } from "../domain/alerts/notifications/page.ts";
import type { Channel, Contact } from "../domain/people/contact.ts";

/** What became of an attempt. `reason` names no address and quotes no message. */
export type Sent =
  | { readonly kind: "sent"; readonly providerId: string | null }
  /** It may work later: tried again, with back-off, and not sooner than the provider said (ms). */
  | { readonly kind: "temporary"; readonly reason: string; readonly retryAfterMs?: number }
  /** It will not work: the next channel's turn. */
  | { readonly kind: "permanent"; readonly reason: string };

export type Transport = {
  readonly channel: Channel;
  readonly isSetUp: (env: Cloudflare.Env) => boolean;
  /**
   * Sends one message. Never throws.
   *
   * @param id the notification's, of a bundle the first one's: for providers that know idempotency keys
   */
  readonly send: (
    env: Cloudflare.Env,
    contact: Contact,
    message: ChannelMessage,
    id: string,
  ) => Promise<Sent>;
};
