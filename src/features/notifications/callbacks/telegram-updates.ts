// Updates of the Telegram bot: `/start` with a payload links a private chat to its person's address,
// and a button answers an alert as the person to whom the message was sent. Other updates are
// ignored. The answer to an update is itself a call to the bot's API.

import type { Context } from "hono";
import { parseJson, valueAt } from "../../../domain/shared/json.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { withLocalTimes } from "../../../domain/shared/time.ts";
import { openSession } from "../../../kernel/db/database.ts";
import { respond } from "../../../kernel/http/answers.ts";
import { readBytes } from "../../../kernel/http/body.ts";
import { countFailure } from "../../../kernel/http/failure-limit.ts";
import type { Environment } from "../../../kernel/http/serve.ts";
import { isSameSecret } from "../../../kernel/same-secret.ts";
import { readButton, updateSecret } from "../../../products/messengers/telegram.ts";
import { acknowledgeAlert, rejectAlert } from "../../alerts/alerts/verbs.ts";
import { confirmByLink } from "../../people/channel-addresses/confirm-channel-address.ts";
import { readTelegramAnswerer } from "../../people/channel-addresses/rows.ts";
import { answererContext } from "./answerer-context.ts";
import { actOnce, isAnswered } from "./once.ts";
import { refusedWords } from "./provider-request.ts";

const UNKNOWN = refuse("not_found", "no such endpoint");
const NOT_SIGNED = refuse("forbidden", "this is not signed by Telegram");

/** The text of a button's answer has at most 200 characters. */
const MAX_ANSWER_LENGTH = 200;

/** `POST /callbacks/telegram`. */
export async function serveTelegramUpdate(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  const requestId = context.get("requestId");
  if (!env.TELEGRAM_BOT_TOKEN) return respond(UNKNOWN, requestId);
  const secret = req.header("x-telegram-bot-api-secret-token") ?? "";
  if (!isSameSecret(secret, updateSecret(env.TELEGRAM_BOT_TOKEN))) {
    const refusal = await countFailure(env, req.header("cf-connecting-ip"));
    return respond(refusal ?? NOT_SIGNED, requestId);
  }
  const bytes = await readBytes(req.raw);
  if (isRefusal(bytes)) return respond(bytes, requestId);
  const update = parseJson(new TextDecoder().decode(bytes));
  const reply = (await link(context, update)) ?? (await answer(context, update));
  return reply === null ? new Response(null, { status: 204 }) : Response.json(reply);
}

/** Telegram's ids are integers of up to 52 bits. */
const idOf = (id: unknown): string | null => (Number.isSafeInteger(id) ? String(id) : null);

/** A call to the bot's API as the answer to an update; null if there is nothing to say. */
type BotCall = { readonly method: string } & Readonly<Record<string, unknown>>;

/** Links a private chat. In a group everybody could answer, so groups are not linked. */
async function link(context: Context<Environment>, update: unknown): Promise<BotCall | null> {
  const text = valueAt(update, "message", "text");
  const payload = typeof text === "string" ? /^\/start ([\w-]{1,64})$/.exec(text)?.[1] : undefined;
  const chatId = idOf(valueAt(update, "message", "chat", "id"));
  if (payload === undefined || chatId === null) return null;
  if (valueAt(update, "message", "chat", "type") !== "private") return null;
  const { env } = context;
  const db = openSession(env.DB, null, true);
  const isLinked = await confirmByLink({ db, env, now: Date.now() }, payload, { chat_id: chatId });
  return {
    method: "sendMessage",
    chat_id: Number(chatId),
    text: isLinked
      ? "This chat is linked. You get your notifications here."
      : "This link is not valid any more. Get another one in the settings of Tocsin.",
  };
}

/** Answers an alert by a button of a message that was sent to this chat. */
async function answer(context: Context<Environment>, update: unknown): Promise<BotCall | null> {
  const callbackId = valueAt(update, "callback_query", "id");
  if (typeof callbackId !== "string") return null;
  const say = (text: string) => ({
    method: "answerCallbackQuery",
    callback_query_id: callbackId,
    text: text.slice(0, MAX_ANSWER_LENGTH),
  });
  const data = valueAt(update, "callback_query", "data");
  const button = typeof data === "string" ? readButton(data) : null;
  const chatId = idOf(valueAt(update, "callback_query", "from", "id"));
  const db = openSession(context.env.DB, null, true);
  const answerer =
    button && chatId && (await readTelegramAnswerer(db, button.accountUserId, button.id, chatId));
  if (!answerer || !button) return say("This alert is no longer assigned to you.");
  const respondTo = button.isAcknowledged ? acknowledgeAlert : rejectAlert;
  const as = answererContext(context, db, answerer);
  const give = () => respondTo(as, { form: "id", value: answerer.alertId });
  const once = { by: "telegram", what: [callbackId], now: as.now };
  const answered = await actOnce(db, once, give, isAnswered);
  if (answered === null) return say("Your answer was received before.");
  if (isRefusal(answered)) {
    return say(withLocalTimes(refusedWords(answered), answerer.timeZone, as.now));
  }
  return say(button.isAcknowledged ? "Acknowledged" : "Passed on");
}
