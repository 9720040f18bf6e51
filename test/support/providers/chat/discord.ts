// A fake Discord. It checks calls of the HTTP API against its documentation, keeps the messages of its
// channels and threads, signs interactions, and can fail:
// - https://docs.discord.com/developers/reference: `Authorization: Bot …`, a user agent `DiscordBot (<url>, <version>)`,
//   errors `{code, message}`; …/topics/rate-limits: 429 with `Retry-After`
// - …/resources/message: POST /channels/{id}/messages (content ≤ 2,000, embeds, components), PATCH …/{message}; embeds:
//   title ≤ 256, description ≤ 4,096, at most 25 fields, values ≤ 1,024
// - …/resources/channel: POST …/messages/{message}/threads (name ≤ 100); the thread has the message's id; 160004 if
//   there is one
// - …/components/reference: at most five rows; a row has at most five buttons or one menu of at most 25 options
// - …/interactions/receiving-and-responding: types 1, 2, 3, 5; answers 1, 4, 6, 9; …/interactions/overview: the signature
//   (Ed25519) over timestamp and body
import { type Account, call, type Reply } from "../../api/api.ts";
import { serveAt } from "../outbound.ts";
import { isMessage } from "./discord-message.ts";

export const CHANNEL = "1234567890123456789";
const GUILD = "9876543210987654321";
const TOKEN = "MTIz.very-secret.token";

type Json = Record<string, any>;

export type DiscordMessage = { readonly id: string; body: Json; readonly channel: string };

export type Discord = {
  readonly messages: DiscordMessage[];
  readonly threads: Set<string>;
  /** Answers instead of accepting, first one first. */
  readonly failures: (() => Response)[];
  /** The latest message of an alert. */
  readonly rootOf: (alertId: string) => DiscordMessage | undefined;
  readonly threadOf: (id: string) => string[];
};

let ids = 0;
const newId = () => {
  ids += 1;
  return String(1_100_000_000_000_000_000n + BigInt(ids));
};

/** Fails by the code of an error. */
export const failing = (status: number, code: number) => () =>
  Response.json({ code, message: "secret +14155550123" }, { status });

function answer(discord: Discord, method: string, path: string, sent: Json): Response {
  const [, channel = "", message = "", isThread] =
    /^\/api\/v10\/channels\/(\d+)\/messages(?:\/(\d+))?(\/threads)?$/.exec(path) ?? [];
  const isKnown = channel === CHANNEL || discord.threads.has(channel);
  if (!isKnown) return failing(404, 10_003)();
  const found = discord.messages.find(({ id }) => id === message);
  if (message !== "" && found === undefined) return failing(404, 10_008)();
  if (isThread !== undefined) {
    if (!sent.name || sent.name.length > 100) return failing(400, 50_035)();
    if (discord.threads.has(message)) return failing(400, 160_004)();
    discord.threads.add(message);
    return Response.json({ id: message, parent_id: channel, type: 11 }, { status: 201 });
  }
  if (!isMessage(sent)) return failing(400, 50_035)();
  if (found !== undefined && method === "PATCH") {
    found.body = sent;
    return Response.json({ ...sent, id: found.id, channel_id: channel });
  }
  if (method !== "POST" || found !== undefined) return failing(405, 0)();
  const created = { id: newId(), body: sent, channel };
  discord.messages.push(created);
  return Response.json({ ...sent, id: created.id, channel_id: channel });
}

/** Starts Discord. */
export function openDiscord(): Discord {
  const discord: Discord = {
    ...{ messages: [], threads: new Set(), failures: [] },
    rootOf: (alertId) =>
      discord.messages.findLast(({ body }) =>
        JSON.stringify(body.components ?? []).includes(`:${alertId}"`),
      ),
    threadOf: (id) =>
      discord.messages.filter(({ channel }) => channel === id).map(({ body }) => body.content),
  };
  serveAt("discord.com", ({ method, url, headers, body }) => {
    const failure = discord.failures.shift();
    if (failure) return failure();
    if (headers.get("authorization") !== `Bot ${TOKEN}`) return failing(401, 0)();
    if (!/^DiscordBot \(https:\/\/\S+, \S+\)$/.test(headers.get("user-agent") ?? "")) {
      return new Response("<html>blocked", { status: 403 });
    }
    const sent = JSON.parse(new TextDecoder().decode(body)) as Json;
    return answer(discord, method, url.pathname, sent);
  });
  return discord;
}

const ED25519 = { name: "Ed25519" };
const hex = (bytes: unknown) => Buffer.from(bytes as ArrayBuffer).toString("hex");

export type DiscordApp = {
  readonly id: string;
  readonly prefixId: string;
  /** Sends an interaction, signed now unless it says otherwise. */
  readonly send: (interaction: Json, more?: { at?: number; forged?: boolean }) => Promise<Reply>;
  /** Sends the same request again. */
  readonly sendAgain: () => Promise<Reply>;
};

/** Creates a `discord_app` for an account with a key of its own; `more` overrides its parameters. */
export async function makeDiscordApp(
  account: Account,
  more: Record<string, unknown> = {},
): Promise<DiscordApp> {
  const [keys, others] = (await Promise.all([
    crypto.subtle.generateKey(ED25519, true, ["sign", "verify"]),
    crypto.subtle.generateKey(ED25519, true, ["sign", "verify"]),
  ])) as [CryptoKeyPair, CryptoKeyPair];
  const made = await account.api("POST", "/integrations", {
    ...{ name: "Discord", urgency: "low", integration_type_id: "discord_app" },
    ...{ option_channel: CHANNEL, option_bot_token: TOKEN, option_everything: true },
    option_public_key: hex(await crypto.subtle.exportKey("raw", keys.publicKey)),
    account_user_ids: [account.accountUserId],
    ...more,
  });
  if (made.status !== 201) throw new Error(made.text);
  const path = `/callbacks/discord/${made.body.prefix_id}/interactions`;
  let last: { body: string; headers: Record<string, string> } = { body: "", headers: {} };
  const sendAgain = () => call("POST", path, last);
  return {
    id: made.body.id,
    prefixId: made.body.prefix_id,
    sendAgain,
    send: async (interaction, { at = Date.now(), forged = false } = {}) => {
      const body = JSON.stringify({ id: newId(), guild_id: GUILD, ...interaction });
      const time = String(Math.floor(at / 1000));
      const { privateKey } = forged ? others : keys;
      const content = new TextEncoder().encode(time + body);
      const signature = hex(await crypto.subtle.sign(ED25519, privateKey, content));
      const signed = { "X-Signature-Timestamp": time, "X-Signature-Ed25519": signature };
      last = { body, headers: { "Content-Type": "application/json", ...signed } };
      return sendAgain();
    },
  };
}

/** An id of a user, as Discord's are. */
export const userId = (name: string): string =>
  String(200_000_000_000_000_000n + BigInt(Number.parseInt(name, 36)));

const memberOf = (user: string) => ({ member: { user: { id: userId(user), username: user } } });

/** The component of a message with an action. */
function componentOf({ body }: DiscordMessage, action: string): Json {
  const components = (body.components as Json[]).flatMap((row) => row.components);
  const found = components.find(({ custom_id: id }) => id.startsWith(`${action}:`));
  if (!found) throw new Error(`the message has no ${action}`);
  return found;
}

/** A press of a button, or a choice in a menu. */
export function pressed(message: DiscordMessage, action: string, user: string, value?: string) {
  const { custom_id, type: component_type } = componentOf(message, action);
  const values = value !== undefined && { values: [value] };
  return { type: 3, ...memberOf(user), data: { custom_id, component_type, ...values } };
}

/** The submission of a form. */
export const submitted = (form: Json, user: string, value: string) => ({
  type: 5,
  ...memberOf(user),
  data: {
    custom_id: form.custom_id,
    components: [{ type: 1, components: [{ type: 4, custom_id: "value", value }] }],
  },
});

/** A command with its options. */
export const commanded = (name: string, options: Record<string, string>, user: string) => ({
  type: 2,
  ...memberOf(user),
  data: {
    name,
    options: Object.entries(options).map(([key, value]) => ({ type: 3, name: key, value })),
  },
});
