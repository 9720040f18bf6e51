// What every channel is: whether this deployment has it, and how one message is sent on it.
import type { Channel, Contact } from "../domain/contact.ts";
import type { PageMessage } from "../domain/page.ts";

/** What became of an attempt. `reason` names no address and quotes no message. */
export type Sent =
  | { readonly kind: "sent"; readonly providerId: string | null }
  /** It may work later: tried again, with back-off. */
  | { readonly kind: "temporary"; readonly reason: string }
  /** It will not work: the next channel's turn. */
  | { readonly kind: "permanent"; readonly reason: string };

export type Transport = {
  readonly channel: Channel;
  readonly isSetUp: (env: Cloudflare.Env) => boolean;
  /** Sends one message; `id` is the notification's, for providers that know idempotency keys. Never throws. */
  readonly send: (
    env: Cloudflare.Env,
    contact: Contact,
    message: PageMessage,
    id: string,
  ) => Promise<Sent>;
};
