// The messengers: channels whose addresses people add themselves, each proven by a code or a link.

import { CHANNEL_WORDS } from "../shared/words.ts";

export const MESSENGERS = [
  "ntfy",
  "pushover",
  "telegram",
  "whatsapp",
  "slack",
  "teams",
  "gotify",
  "matrix",
  "webhook",
] as const;
export type MessengerChannel = (typeof MESSENGERS)[number];

/** The products' names. */
export const MESSENGER_TITLES: Readonly<Record<MessengerChannel, string>> = {
  ntfy: "ntfy",
  pushover: "Pushover",
  telegram: "Telegram",
  whatsapp: "WhatsApp",
  slack: "Slack",
  teams: "Microsoft Teams",
  gotify: "Gotify",
  matrix: "Matrix",
  webhook: "Webhook",
};

/** What people read for a channel. */
export const channelWord = (channel: string): string =>
  MESSENGER_TITLES[channel as MessengerChannel] ?? CHANNEL_WORDS[channel] ?? channel;

/** The values of an address's fields, by key, secrets included. */
export type AddressSettings = Readonly<Record<string, string>>;

/** The keys of fields that are never shown again. A field of any of these names is secret. */
export const secretFieldKeys: readonly string[] = ["token", "secret", "user_key", "chat_id"];
