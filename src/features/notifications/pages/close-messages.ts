// Ends messages at their providers once somebody has answered: an emergency stops repeating, buttons
// go, calls are hung up. Safe to repeat: what is ended is marked, and ending it twice changes nothing.
import { pauseAfter } from "../../../domain/notifications/attempt-pause.ts";
import {
  type CloseMessage,
  hasCalls,
  hasClosedMessengers,
  lastAnswer,
} from "../../../domain/notifications/close-message.ts";
import { providerOf, unmarkedId } from "../../../domain/notifications/provider-id.ts";
import { SECOND } from "../../../domain/shared/time.ts";
import { statusWord } from "../../../domain/shared/words.ts";
import { statement } from "../../../kernel/db/database.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Sent } from "../../../products/channel.ts";
import {
  markClosed,
  type OpenMessage,
  selectOpenMessages,
} from "../../alerts/messages/open-message-rows.ts";
import {
  markHangingUp,
  type RingingCall,
  selectRinging,
} from "../../alerts/messages/ringing-call-rows.ts";
import { sendingSettings } from "../../people/channel-addresses/sending-settings.ts";
import { messengerOf } from "../../people/channels/channels.ts";
import { deliver } from "../../people/channels/deliver.ts";
import { allPhoneProviders } from "../../people/channels/phone-providers.ts";

// Hangs up calls about an alert that somebody has answered elsewhere. A call about several alerts
// goes on until all of them are answered; the call that gave the answer says goodbye by itself.

/** Shorter than the queue consumer's timeout. */
const TIMEOUT_MS = 8_000;

/**
 * Ends a call, ringing or not. Never throws.
 *
 * @param storedId the id as notifications store it, which names the provider
 */
async function hangUp(env: Cloudflare.Env, storedId: string): Promise<Sent> {
  const name = providerOf("voice", storedId);
  const provider = allPhoneProviders.find((it) => it.name === name);
  if (provider === undefined) return { kind: "permanent", reason: "its provider is not known" };
  return provider.hangUp(env, unmarkedId(storedId), TIMEOUT_MS);
}

/** Hangs up the calls about an alert that nobody needs to answer. Safe to repeat. */
async function hangUpCalls(
  accountId: string,
  alertId: string,
  env: Cloudflare.Env,
): Promise<readonly Sent[]> {
  if (!hasCalls(env)) return [];
  const rows = await all(env.DB, selectRinging(accountId, alertId, Date.now()));
  const calls = [...Map.groupBy(rows, ({ providerId }) => providerId).values()];
  const answered = calls.filter((call) => call.every(({ isAnswered }) => isAnswered));
  return Promise.all(answered.map((call) => endCall(call, env)));
}

/** Ends one call, which is about one alert or several. */
async function endCall(call: readonly RingingCall[], env: Cloudflare.Env): Promise<Sent> {
  const providerId = call[0]?.providerId ?? "";
  const answer = lastAnswer(call.flatMap(({ entries }) => entries));
  const reason = `hung up: ${answer ?? "nobody needs to answer"}`;
  const marked = await all(env.DB, markHangingUp(call, reason, Date.now()));
  if (marked.length === 0) return { kind: "sent", providerId };
  const ended = await hangUp(env, providerId);
  if (ended.kind !== "temporary") await statement(env.DB, markClosed(call, Date.now())).run();
  return ended;
}

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
