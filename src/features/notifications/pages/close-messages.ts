// Ends messages at their providers once somebody has answered: an emergency stops repeating, buttons
// go, calls are hung up. Safe to repeat: what is ended is marked, and ending it twice changes nothing.
import { pauseAfter } from "../../../domain/notifications/attempt-pause.ts";
import {
  type CloseMessage,
  hasClosedMessengers,
  lastAnswer,
} from "../../../domain/notifications/close-message.ts";
import { statusWord } from "../../../domain/shared/status-word.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Sent } from "../../../products/channel.ts";
import { sendingSettings } from "../../../products/messenger.ts";
import { deliver } from "../channels/call-provider.ts";
import { messengerOf } from "../channels/channels.ts";
import { hangUpCalls } from "./hang-up-calls.ts";
import { markClosed, type OpenMessage, selectOpenMessages } from "./open-message-rows.ts";

/** Deliveries of the queue message in a quarter of an hour. Emergencies expire by themselves. */
const MAX_DELIVERIES = 10;

/** Handles one message. Never throws. */
export async function handleClose(
  message: Message<unknown>,
  body: CloseMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    const pauseMs = await closeMessages(body, env);
    if (pauseMs === null) message.ack();
    else retryOrDrop(message, pauseMs);
  } catch (error) {
    logFault("answered messages could not be ended", error);
    retryOrDrop(message);
  }
}

function retryOrDrop(message: Message<unknown>, retryAfterMs = 0): void {
  const { attempts } = message;
  if (attempts >= MAX_DELIVERIES) message.ack();
  else message.retry({ delaySeconds: Math.ceil(pauseAfter(attempts, retryAfterMs) / SECOND) });
}

/**
 * Ends messages and calls, all at the same time. Returns the pause (ms) that providers ask for; null
 * if none is to be ended again.
 */
async function closeMessages(
  { accountId, close: { alertId } }: CloseMessage,
  env: Cloudflare.Env,
): Promise<number | null> {
  const outcomes = await Promise.all([
    closeMessengers(accountId, alertId, env),
    hangUpCalls(accountId, alertId, env),
  ]);
  const failed = outcomes.flat().filter((it) => it.kind === "temporary");
  return failed.length === 0 ? null : Math.max(...failed.map((it) => it.retryAfterMs ?? 0));
}

async function closeMessengers(
  accountId: string,
  alertId: string,
  env: Cloudflare.Env,
): Promise<readonly Sent[]> {
  if (!hasClosedMessengers(env)) return [];
  const open = await all(env.DB, selectOpenMessages(accountId, alertId));
  const outcomes = await Promise.all(open.map((one) => closeMessage(one, env)));
  const ended = open.filter((_, i) => outcomes[i]?.kind !== "temporary");
  if (ended.length > 0) await statement(env.DB, markClosed(ended, Date.now())).run();
  return outcomes;
}

const CANNOT: Sent = { kind: "permanent", reason: "it cannot be ended" };

async function closeMessage(
  {
    accountId,
    accountUserId,
    channel,
    settings: own,
    providerId,
    title,
    status,
    entries,
  }: OpenMessage,
  env: Cloudflare.Env,
): Promise<Sent> {
  const messenger = messengerOf(channel);
  if (messenger.close === undefined || !messenger.isSetUp(env)) return CANNOT;
  const all = await sendingSettings(messenger, env, env.DB, { accountId, accountUserId }, own);
  if (all.kind !== "settings") return all;
  const closing = { title, outcome: lastAnswer(entries) ?? statusWord(status) };
  const request = messenger.close(env, all.settings, providerId, closing);
  return deliver(env, messenger, request);
}
