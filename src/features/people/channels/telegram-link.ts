// The link by which a person links a private chat with the bot: `https://t.me/<bot>?start=<payload>`,
// where the payload is at most 64 characters of A–Z, a–z, 0–9, `_` and `-`. Making one also registers
// our address for the bot's updates, so that a deployment needs only the bot's token.
import { valueAt } from "../../../domain/shared/json.ts";
import { callProvider } from "../../../products/call-provider.ts";
import type { Sent } from "../../../products/channel.ts";
import { botRequest, telegram, webhookRequest } from "../../../products/messengers/telegram.ts";
import { deliver } from "./deliver.ts";

type BotLink = { readonly kind: "open"; readonly url: string } | Exclude<Sent, { kind: "sent" }>;

const NO_NAME = { kind: "temporary", reason: "the bot's name could not be read" } as const;

/** The link that starts the bot with this payload. Never throws. */
export async function openBot(env: Cloudflare.Env, payload: string): Promise<BotLink> {
  const registered = await deliver(env, telegram, webhookRequest(env));
  if (registered.kind !== "sent") return registered;
  const answer = await callProvider(env, botRequest(env, "getMe", {}));
  if (typeof answer === "string") return NO_NAME;
  const name = valueAt(answer.body, "result", "username");
  if (typeof name !== "string" || !/^\w{1,64}$/.test(name)) return NO_NAME;
  return { kind: "open", url: `https://t.me/${name}?start=${payload}` };
}
