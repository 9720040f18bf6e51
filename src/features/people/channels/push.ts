// Web Push to every browser that a person has subscribed. A newer message about an alert replaces
// one that was not shown yet. Expired subscriptions are deleted.
import type { AlertUrgency } from "../../../domain/alerts/alert.ts";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import type { ChannelMessage } from "../../../domain/notifications/page.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { Sent, Transport } from "../../../products/channel.ts";
import { encryptPush } from "../push-subscriptions/push-encryption.ts";
import {
  deletePushSubscriptions,
  readPushSubscriptions,
  type StoredSubscription,
} from "../push-subscriptions/push-subscription-records.ts";
import { vapidAuthorization, vapidPublicKey } from "../push-subscriptions/vapid.ts";
import { pushPayload } from "./push-payload.ts";

/** How long a push service stores a message for an offline browser (seconds). */
const TTL_SECONDS = 4 * 3600;

const TIMEOUT_MS = 8_000;

/** The `Urgency` header (RFC 8030): whether a browser that saves battery is woken. */
const URGENCY: Record<AlertUrgency, string> = {
  critical: "high",
  high: "high",
  medium: "normal",
  low: "low",
  silent: "very-low",
};

type PushOutcome = "sent" | "gone" | "temporary" | "permanent";

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 408 || status === 429 || status >= 500 ? "temporary" : "permanent";
}

async function pushTo(
  env: Cloudflare.Env,
  { id, endpoint, ...keys }: StoredSubscription,
  message: ChannelMessage,
  notificationId: string,
): Promise<PushOutcome> {
  if (outboundUrlFault(endpoint, allowedHosts(env.ALLOWED_HOSTS)) !== null) return "permanent";
  const payload = JSON.stringify(await pushPayload(env, message, notificationId, id));
  try {
    const topic = message.alert && prefixIdOf("alert", message.alert.id);
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        Authorization: await vapidAuthorization(env, endpoint, Date.now()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        TTL: String(TTL_SECONDS),
        Urgency: message.alert === null ? "normal" : URGENCY[message.alert.urgency],
        ...(topic !== null && { Topic: topic }),
      },
      body: encryptPush(payload, keys),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return outcomeOf(response.status);
  } catch {
    return "temporary";
  }
}

/** Success if one browser received it: a retry would send it to that browser a second time. */
function sentOf(outcomes: readonly PushOutcome[]): Sent {
  if (outcomes.includes("sent")) return { kind: "sent", providerId: null };
  if (outcomes.includes("temporary")) {
    return { kind: "temporary", reason: "the push service could not be reached" };
  }
  const isGone = outcomes.every((one) => one === "gone");
  const reason = isGone ? "no browser is subscribed" : "the push service refused the message";
  return { kind: "permanent", reason };
}

export const push: Transport = {
  channel: "push",
  isSetUp: (env) => vapidPublicKey(env) !== null,
  /** `to` is the account user's `prefix_id`. */
  send: async (env, { to }, message, id) => {
    try {
      const subscriptions = await readPushSubscriptions(env.DB, message.accountId, to);
      const outcomes = await Promise.all(subscriptions.map((one) => pushTo(env, one, message, id)));
      const gone = subscriptions.filter((_, i) => outcomes[i] === "gone").map(({ id }) => id);
      // A subscription that is not deleted now is deleted after the next attempt.
      if (gone.length > 0) await deletePushSubscriptions(env.DB, gone, Date.now()).catch(() => {});
      return sentOf(outcomes);
    } catch {
      return { kind: "temporary", reason: "the subscriptions could not be read" };
    }
  },
};
