// Handles messages that a provider accepted but could not deliver: notifies the person on another
// channel, unless they were reached otherwise or the alert is answered, and records the failure in
// the alert's timeline.

import { selectDeferredByKeys } from "../../db/alerts/notifications/bundle-rows.ts";
import { all } from "../../db/shared/select.ts";
import type { UndeliveredMessage } from "../../domain/alerts/notifications/undelivered.ts";
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
    const details = String(error).slice(0, 200);
    console.error({
      message: "an undelivered page could not be reported to its alert",
      error: details,
    });
    if (message.attempts >= MAX_DELIVERIES) message.ack();
    else message.retry({ delaySeconds: 2 ** message.attempts });
  }
}

async function redeliver({ accountId, undelivered }: UndeliveredMessage, env: Cloudflare.Env) {
  const { accountUserId, channel, notificationIds, reason, at } = undelivered;
  const keys = notificationIds.map((id) => ({ accountId, accountUserId, id }));
  const rows = await all(env.DB, selectDeferredByKeys(keys));
  const release = { accountUserId, channel, kind: "burst", dueAt: at } as const;
  if (rows.length > 0) await tryNextChannel({ accountId, release }, rows, reason, env);
}
