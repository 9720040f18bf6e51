// Web Push to every browser that a person has subscribed. What is new about an alert takes the place of what was not
// shown yet. A browser that is gone is forgotten.
import {
  deletePushSubscriptions,
  type PushSubscription,
  readPushSubscriptions,
} from "../db/people/push-rows.ts";
import type { AlertUrgency, PageEvent } from "../domain/alerts/alert.ts";
import type { ChannelMessage } from "../domain/alerts/notifications/page.ts";
import { allowedHosts, outboundUrlFault } from "../domain/integrations/outbound-url.ts";
import { prefixIdOf } from "../domain/shared/identifiers.ts";
import type { Sent, Transport } from "./channel.ts";
import { actionLink, broadcastLink } from "./links/links.ts";
import { encryptPush } from "./web-push/push-encryption.ts";
import { vapidAuthorization, vapidPublicKey } from "./web-push/vapid.ts";

/** How long a push service keeps a message for a browser that is not there (seconds). */
const KEPT_FOR = 4 * 3600;

const TIMEOUT_MS = 8_000;

/** How soon a browser that saves its battery is to be woken. */
const URGENCY: Record<AlertUrgency, string> = {
  critical: "high",
  high: "high",
  medium: "normal",
  low: "low",
  silent: "very-low",
};

/** What a notification says before what it is about. */
const PREAMBLE: Record<PageEvent, string> = {
  "alert.open": "",
  "alert.acknowledged": "Acknowledged: ",
  "alert.rejected": "Rejected: ",
  "alert.resolved": "Resolved: ",
  "alert.dropped": "Dropped: ",
  "alert.timeout": "Timed out: ",
  "alert.handoff": "Handed off: ",
  "alert.unreached": "Not reached: ",
  "oncall.handoff": "",
  "broadcast.sent": "",
};

/** So short that any text fits, however it is written. */
const MOST_TITLE = 200;
const MOST_BODY = 300;

/** On one line and well-formed: no character is then written in more than three bytes. */
const cut = (text: string, most: number) =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();

/** What the browser's service worker gets. Its `tag` collapses what is about one alert. */
async function payloadOf(env: Cloudflare.Env, message: ChannelMessage): Promise<object> {
  const { alert, notice, page, bundle, accountId } = message;
  if (alert === null) {
    const [title, body] = [
      cut(notice?.subject ?? "", MOST_TITLE),
      cut(notice?.text ?? "", MOST_BODY),
    ];
    const tag = notice?.schedule ?? page.event;
    const asked = await broadcastLink(env, message);
    const answer = asked !== null && { url: asked };
    return { type: page.event, title, body, tag, alert: null, ...answer };
  }
  const id = prefixIdOf("alert", alert.id);
  const subject = { purpose: "alert", recordId: alert.id } as const;
  const { accountUserId } = page;
  const url = await actionLink(env, { ...subject, accountId, accountUserId }, page.at);
  const more = (bundle?.total ?? 1) - 1;
  const title = `${PREAMBLE[page.event]}${cut(alert.title, MOST_TITLE)}`;
  return {
    type: page.event,
    title: more === 0 ? title : `${title} and ${more} more`,
    body: cut(alert.description ?? "", MOST_BODY),
    tag: id,
    alert: { id, urgency: alert.urgency, destination: cut(alert.destinationName, MOST_TITLE) },
    ...(url !== null && { url }),
  };
}

type Pushed = "sent" | "gone" | "temporary" | "permanent";

function outcomeOf(status: number): Pushed {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 408 || status === 429 || status >= 500 ? "temporary" : "permanent";
}

async function pushTo(
  env: Cloudflare.Env,
  { endpoint, ...keys }: PushSubscription,
  message: ChannelMessage,
  payload: string,
): Promise<Pushed> {
  if (outboundUrlFault(endpoint, allowedHosts(env.ALLOWED_HOSTS)) !== null) return "permanent";
  try {
    const topic = message.alert && prefixIdOf("alert", message.alert.id);
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        Authorization: await vapidAuthorization(env, endpoint, Date.now()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        TTL: String(KEPT_FOR),
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

/** One browser that has it is enough: whoever sends again would send it there a second time. */
function sentOf(pushed: readonly Pushed[]): Sent {
  if (pushed.includes("sent")) return { kind: "sent", providerId: null };
  if (pushed.includes("temporary")) {
    return { kind: "temporary", reason: "the push service could not be reached" };
  }
  const isGone = pushed.every((one) => one === "gone");
  const reason = isGone ? "no browser is subscribed" : "the push service refused the message";
  return { kind: "permanent", reason };
}

export const push: Transport = {
  channel: "push",
  isSetUp: (env) => vapidPublicKey(env) !== null,
  /** `to` is the account user's `prefix_id`. */
  send: async (env, { to }, message) => {
    try {
      const subscriptions = await readPushSubscriptions(env.DB, message.accountId, to);
      const payload = JSON.stringify(await payloadOf(env, message));
      const pushed = await Promise.all(
        subscriptions.map((one) => pushTo(env, one, message, payload)),
      );
      const gone = subscriptions.filter((_, i) => pushed[i] === "gone").map(({ id }) => id);
      // One that is not forgotten now will be gone the next time too.
      if (gone.length > 0) await deletePushSubscriptions(env.DB, gone).catch(() => {});
      return sentOf(pushed);
    } catch {
      return { kind: "temporary", reason: "the subscriptions could not be read" };
    }
  },
};
