// The list of all channels.
import type { Channel } from "../domain/people/contact.ts";
import type { Transport } from "./channel.ts";
import { email } from "./email.ts";
import { log } from "./log.ts";
import { push } from "./push.ts";
import { sms } from "./sms.ts";
import { voice } from "./voice.ts";

const TRANSPORTS: readonly Transport[] = [email, push, sms, voice, log];

/** The channels that this deployment has configured. */
export function availableChannels(env: Cloudflare.Env): Set<Channel> {
  const ready = TRANSPORTS.filter((transport) => transport.isSetUp(env));
  return new Set(ready.map((transport) => transport.channel));
}

export function transportOf(channel: Channel): Transport {
  return TRANSPORTS.find((transport) => transport.channel === channel) as Transport;
}
