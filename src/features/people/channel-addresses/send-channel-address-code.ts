import { randomBytes, randomInt } from "node:crypto";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { valueAt } from "../../../domain/shared/json.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { first } from "../../../kernel/db/select.ts";
import { callProvider } from "../../../products/call-provider.ts";
import type { Sent } from "../../../products/channel.ts";
import { codeContent } from "../../../products/content.ts";
import { botRequest, telegram, webhookRequest } from "../../../products/messengers/telegram.ts";
import type { Context } from "../../change/context.ts";
import { messengerOf } from "../channels/channels.ts";
import { deliver } from "../channels/deliver.ts";
import { CODE_INTERVAL_MS } from "../contacts/phone-code-rows.ts";
import { findUnconfirmed, hashOfCode } from "./channel-address-scope.ts";
import type { ChannelAddressProof } from "./contract.ts";
import { refusalOfSettings } from "./refusal-of-settings.ts";
import { storeAddressCode } from "./rows.ts";
import { sendingSettings } from "./sending-settings.ts";

const TOO_MANY = refuse(
  "too_many",
  `an address gets a code every ${CODE_INTERVAL_MS / 1000} seconds at most`,
);

const refusalOf = ({ kind, reason }: Exclude<Sent, { kind: "sent" }>): Refusal =>
  kind === "temporary"
    ? refuse("unavailable", `the code could not be sent (${reason}); try again`)
    : refuse("conflict", `the code could not be sent: ${reason}`);

/**
 * Sends a six-digit code to an address of the actor, or makes the link to follow at the provider.
 * Earlier codes and links become invalid.
 *
 * @returns whether a code was sent, or the link; 404; 409 if the address is confirmed or cannot be
 *   reached; 429 over the limit; 503 if a retry may help
 */
export async function sendChannelAddressCode(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<ChannelAddressProof | Refusal> {
  const { db, env, now } = context;
  const address = await findUnconfirmed(context, identifier);
  if (isRefusal(address)) return address;
  const { id, accountUserId, channel, settings } = address;
  const messenger = messengerOf(channel);
  if (!messenger.isSetUp(env)) {
    return refuse("conflict", `${messenger.title} is not set up on this deployment`);
  }
  const isLinked = messenger.proof === "link";
  const code = isLinked
    ? randomBytes(24).toString("base64url")
    : String(randomInt(1_000_000)).padStart(6, "0");
  // Stored before it is sent, so that a code that arrives is always valid.
  const stored = await first(db, storeAddressCode(id, hashOfCode(id, code), now));
  if (stored === null) return TOO_MANY;
  if (isLinked) {
    const link = await openBot(env, `${id}${code}`);
    return link.kind === "open" ? { sent: false, link_url: link.url } : refusalOf(link);
  }
  const content = codeContent(id, accountUserId, code, now);
  const all = await sendingSettings(messenger, env, db, context.actor, settings);
  if (all.kind !== "settings") return refusalOfSettings(all);
  const sent = await deliver(env, messenger, messenger.request(env, all.settings, content));
  return sent.kind === "sent" ? { sent: true, link_url: null } : refusalOf(sent);
}

// Telegram: a person links a private chat with the bot by `https://t.me/<bot>?start=<payload>`, where the payload is at most
// 64 characters of A–Z, a–z, 0–9, `_` and `-`. Making a link also registers our address for the bot's updates, so that a
// deployment needs only the bot's token.

type BotLink = { readonly kind: "open"; readonly url: string } | Exclude<Sent, { kind: "sent" }>;

const NO_NAME = { kind: "temporary", reason: "the bot's name could not be read" } as const;

/** The link that starts the bot with this payload. Never throws. */
async function openBot(env: Cloudflare.Env, payload: string): Promise<BotLink> {
  const registered = await deliver(env, telegram, webhookRequest(env));
  if (registered.kind !== "sent") return registered;
  const answer = await callProvider(env, botRequest(env, "getMe", {}));
  if (typeof answer === "string") return NO_NAME;
  const name = valueAt(answer.body, "result", "username");
  if (typeof name !== "string" || !/^\w{1,64}$/.test(name)) return NO_NAME;
  return { kind: "open", url: `https://t.me/${name}?start=${payload}` };
}
