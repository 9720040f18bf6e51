// Telegram: the deployment's bot, in a private chat with a person, who links it by the bot's start
// link. An open alert has the buttons Acknowledge and Pass on; the message changes once anybody has
// answered (https://core.telegram.org/bots/api: sendMessage, editMessageText, setWebhook, "Making
// requests"; https://core.telegram.org/bots/features#deep-linking).
import { createHash } from "node:crypto";
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import { oneLine } from "../content.ts";
import {
  type Closing,
  jsonRequest,
  type Messenger,
  type MessengerContent,
  outcomeOf,
  type ProviderRequest,
} from "../messenger.ts";

/** A message has at most 4,096 characters. */
const MAX_TEXT_LENGTH = 3_500;

const REFUSALS: Readonly<Record<number, string>> = {
  400: "the chat was not found",
  401: "the bot's token was refused",
  403: "the person has blocked the bot",
  404: "the bot's token was refused",
  429: "too many messages",
};

/** The path of the bot's updates. */
export const TELEGRAM_PATH = "/callbacks/telegram";

/** A request to a method of the bot. */
export const botRequest = (env: Cloudflare.Env, method: string, body: unknown): ProviderRequest =>
  jsonRequest(
    "POST",
    joinUrl(
      env.TELEGRAM_API || "https://api.telegram.org",
      `/bot${env.TELEGRAM_BOT_TOKEN}/${method}`,
    ),
    body,
  );

/**
 * The secret that Telegram repeats in `X-Telegram-Bot-Api-Secret-Token`: 1 to 256 characters of
 * A–Z, a–z, 0–9, `_` and `-`. Derived from the bot's token, so that a deployment has one secret.
 */
export const updateSecret = (botToken: string): string =>
  createHash("sha256").update(`tocsin telegram updates:${botToken}`).digest("hex");

/** The request that makes Telegram send its updates here. */
export const webhookRequest = (env: Cloudflare.Env): ProviderRequest =>
  botRequest(env, "setWebhook", {
    url: joinUrl(env.PUBLIC_URL, TELEGRAM_PATH),
    secret_token: updateSecret(env.TELEGRAM_BOT_TOKEN ?? ""),
    allowed_updates: ["message", "callback_query"],
  });

/** The data of a button: at most 64 bytes. It names the notification that the button is part of. */
const buttonData = (answer: "a" | "r", { accountUserId, id }: MessengerContent) =>
  `${answer}:${accountUserId}:${id}`;

const BUTTON = /^(a|r):([0-9A-Z]{26}):([0-9A-Z]{26})$/;

/** The notification and the answer of a button; null for any other data. */
export function readButton(data: string) {
  const [, answer, accountUserId, id] = BUTTON.exec(data) ?? [];
  if (answer === undefined || accountUserId === undefined || id === undefined) return null;
  return { isAcknowledged: answer === "a", accountUserId, id };
}

const linkButton = (url: string) => ({ text: "Open", url });

function keyboardOf(content: MessengerContent) {
  const answers = content.asks
    ? [
        { text: "Acknowledge", callback_data: buttonData("a", content) },
        { text: "Pass on", callback_data: buttonData("r", content) },
      ]
    : [];
  const rows = [answers, content.url === null ? [] : [linkButton(content.url)]];
  return { inline_keyboard: rows.filter((row) => row.length > 0) };
}

/** Without `parse_mode`, so that markup in a title is text. */
const textOf = (title: string, body: string) =>
  (body === "" ? title : `${title}\n\n${body}`).slice(0, MAX_TEXT_LENGTH).toWellFormed();

const closedText = ({ outcome, title }: Closing) => textOf(oneLine(`${outcome}: ${title}`), "");

export const telegram: Messenger = {
  channel: "telegram",
  title: MESSENGER_TITLES.telegram,
  about: "The bot of this deployment writes to you. You answer by the buttons of its messages.",
  proof: "link",
  fields: [],
  isSetUp: (env) => Boolean(env.TELEGRAM_BOT_TOKEN && env.PUBLIC_URL),
  request: (env, { chat_id }, content) =>
    botRequest(env, "sendMessage", {
      chat_id,
      text: textOf(content.title, content.body),
      link_preview_options: { is_disabled: true },
      disable_notification: content.urgency === "silent",
      reply_markup: keyboardOf(content),
    }),
  read: (answer, now) => {
    const seconds = valueAt(answer.body, "parameters", "retry_after");
    const retryAfter = typeof seconds === "number" ? String(seconds) : answer.retryAfter;
    const id = valueAt(answer.body, "result", "message_id");
    const sent = outcomeOf("Telegram", { ...answer, retryAfter }, now, id, REFUSALS);
    // The bot's token is the deployment's.
    const isRefusal = answer.status === 401 && sent.kind === "permanent";
    return isRefusal ? { ...sent, areCredentialsRefused: true } : sent;
  },
  close: (env, { chat_id }, messageId, closing) =>
    botRequest(env, "editMessageText", {
      chat_id,
      message_id: Number(messageId),
      text: closedText(closing),
      link_preview_options: { is_disabled: true },
      reply_markup: { inline_keyboard: [] },
    }),
};
