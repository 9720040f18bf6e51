// Ends messages at their providers once somebody has answered: an emergency stops repeating, buttons
// go. Safe to repeat: what is ended is marked, and ending it twice changes nothing.
import { messengerOf } from "../../../channels/channels.ts";
import { deliver } from "../../../channels/messengers/call-provider.ts";
import {
  markClosed,
  type OpenMessage,
  selectOpenMessages,
} from "../../../db/alerts/notifications/open-message-rows.ts";
import { statement } from "../../../db/shared/database.ts";
import { all } from "../../../db/shared/select.ts";
import {
  type CloseMessage,
  lastAnswer,
} from "../../../domain/alerts/notifications/close-message.ts";
import { statusWord } from "../../../domain/shared/status-word.ts";

/** Deliveries of the queue message before it is dropped; emergencies expire by themselves. */
const MAX_DELIVERIES = 5;

/** Handles one message. Never throws. */
export async function handleClose(
  message: Message<unknown>,
  body: CloseMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    if (await closeMessages(body, env)) message.ack();
    else retryOrDrop(message);
  } catch (error) {
    const details = String(error).slice(0, 200);
    console.error({ message: "answered messages could not be ended", error: details });
    retryOrDrop(message);
  }
}

function retryOrDrop(message: Message<unknown>): void {
  if (message.attempts >= MAX_DELIVERIES) message.ack();
  else message.retry({ delaySeconds: 2 ** message.attempts });
}

/** Whether each message was ended, or can never be. */
async function closeMessages({ accountId, close }: CloseMessage, env: Cloudflare.Env) {
  const open = await all(env.DB, selectOpenMessages(accountId, close.alertId));
  const outcomes = await Promise.all(open.map((one) => closeMessage(one, env)));
  const ended = open.filter((_, i) => outcomes[i] !== "temporary");
  if (ended.length > 0) await statement(env.DB, markClosed(ended, Date.now())).run();
  return ended.length === open.length;
}

async function closeMessage(
  { channel, settings, providerId, title, status, entries }: OpenMessage,
  env: Cloudflare.Env,
) {
  const messenger = messengerOf(channel);
  if (messenger.close === undefined || !messenger.isSetUp(env)) return "permanent";
  const closing = { title, outcome: lastAnswer(entries) ?? statusWord(status) };
  const request = messenger.close(env, settings, providerId, closing);
  const { kind } = await deliver(env, messenger, request);
  return kind;
}
