// The list of all channels.
import type { Channel } from "../../../domain/people/contact.ts";
import type { MessengerChannel } from "../../../domain/people/messengers.ts";
import type { Transport } from "../../../products/channel.ts";
import type { Messenger } from "../../../products/messenger.ts";
import { gotify } from "../../../products/messengers/gotify.ts";
import { matrix } from "../../../products/messengers/matrix.ts";
import { ntfy } from "../../../products/messengers/ntfy.ts";
import { pushover } from "../../../products/messengers/pushover.ts";
import { telegram } from "../../../products/messengers/telegram.ts";
import { webhook } from "../../../products/messengers/webhook.ts";
import { whatsapp } from "../../../products/phone/twilio-whatsapp.ts";
import { slack } from "../../../products/slack/direct-message.ts";
import { teams } from "../../../products/teams/direct-message.ts";
import { email } from "./email.ts";
import { log } from "./log.ts";
import { push } from "./push.ts";
import { sms } from "./sms.ts";
import { messengerTransport } from "./transport.ts";
import { voice } from "./voice.ts";

/** One line for each messenger: a file of its own, and its name in the domain's list. */
const BY_CHANNEL: Readonly<Record<MessengerChannel, Messenger>> = {
  ntfy,
  pushover,
  telegram,
  whatsapp,
  slack,
  teams,
  gotify,
  matrix,
  webhook,
};

const MESSENGERS: readonly Messenger[] = Object.values(BY_CHANNEL);

const TRANSPORTS: readonly Transport[] = [
  email,
  push,
  sms,
  voice,
  ...MESSENGERS.map(messengerTransport),
  log,
];

/** The messengers that this deployment has configured. */
export const availableMessengers = (env: Cloudflare.Env): readonly Messenger[] =>
  MESSENGERS.filter((messenger) => messenger.isSetUp(env));

export const messengerOf = (channel: MessengerChannel): Messenger => BY_CHANNEL[channel];

/** The channels that this deployment has configured. */
export function availableChannels(env: Cloudflare.Env): Set<Channel> {
  const ready = TRANSPORTS.filter((transport) => transport.isSetUp(env));
  return new Set(ready.map((transport) => transport.channel));
}

export function transportOf(channel: Channel): Transport {
  return TRANSPORTS.find((transport) => transport.channel === channel) as Transport;
}
