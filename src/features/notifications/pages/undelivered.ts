// Handles messages that a provider accepted but did not deliver, as it reports or for want of a report: notifies the person by another
// provider or on another channel, unless they were reached otherwise or the alert is answered, and records the failure in
// the alert's timeline.

import { unconfirmedReason } from "../../../domain/notifications/delivery-deadline.ts";
import type {
  UnconfirmedMessage,
  UndeliveredMessage,
} from "../../../domain/notifications/undelivered.ts";
import { logFault } from "../../../kernel/db/log-fault.ts";
import { all } from "../../../kernel/db/select.ts";
import { selectDeferredByKeys } from "./bundle-rows.ts";
import { failUnconfirmed } from "./delivery-rows.ts";
import { tryNextChannel } from "./release.ts";

/** Deliveries of the queue message before it is dropped; the notification then stays as it is. */
const MAX_DELIVERIES = 5;

/** Handles one message. Never throws. Safe to repeat. */
export async function handleUndelivered(
  message: Message<unknown>,
  body: UndeliveredMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    await redeliver(body, env);
    message.ack();
  } catch (error) {
    logFault("an undelivered page could not be reported to its alert", error);
    if (message.attempts >= MAX_DELIVERIES) message.ack();
    else message.retry({ delaySeconds: 2 ** message.attempts });
  }
}

/** Sends the notifications by the next provider or on the next channel. */
async function redeliver(
  { accountId, undelivered }: UndeliveredMessage,
  env: Cloudflare.Env,
): Promise<void> {
  const { accountUserId, channel, notificationIds, reason, at, isProviderAtFault } = undelivered;
  const keys = notificationIds.map((id) => ({ accountId, accountUserId, id }));
  const rows = await all(env.DB, selectDeferredByKeys(keys));
  const release = { accountUserId, channel, kind: "burst", dueAt: at } as const;
  if (rows.length === 0) return;
  await tryNextChannel({ accountId, release }, rows, { reason, isProviderAtFault }, env);
}

/** Handles a reminder to look for a delivery report. Never throws. Safe to repeat. */
export async function handleUnconfirmed(
  message: Message<unknown>,
  body: UnconfirmedMessage,
  env: Cloudflare.Env,
): Promise<void> {
  try {
    await sendAgain(body, env);
    message.ack();
  } catch (error) {
    logFault("an unconfirmed page could not be sent again", error);
    if (message.attempts >= MAX_DELIVERIES) message.ack();
    else message.retry({ delaySeconds: 2 ** message.attempts });
  }
}

async function sendAgain({ accountId, unconfirmed }: UnconfirmedMessage, env: Cloudflare.Env) {
  const { accountUserId, channel, notificationIds, seconds } = unconfirmed;
  const keys = notificationIds.map((id) => ({ accountId, accountUserId, id }));
  const [reason, at] = [unconfirmedReason(seconds), Date.now()];
  const failed = await failUnconfirmed(env.DB, keys, reason, at);
  if (failed.length === 0) return;
  const ids = failed.map(({ id }) => id);
  const undelivered = { accountUserId, channel, notificationIds: ids, reason, at };
  await redeliver({ accountId, undelivered: { ...undelivered, isProviderAtFault: true } }, env);
}
