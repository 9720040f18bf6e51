// Web Push to every browser that a person has subscribed. A newer message about an alert replaces
// one that was not shown yet. Expired subscriptions are deleted.
import {
  deletePushSubscriptions,
  type PushSubscription,
  readPushSubscriptions,
} from "../db/people/push-subscription-records.ts";
import type { AlertUrgency, PageEvent } from "../domain/alerts/alert.ts";
import type { ChannelMessage } from "../domain/alerts/notifications/page.ts";
import { allowedHosts, outboundUrlFault } from "../domain/integrations/outbound-url.ts";
import { prefixIdOf } from "../domain/shared/identifiers.ts";
import type { Sent, Transport } from "./channel.ts";
import { actionLink, broadcastLink, coverRequestLink } from "./links/links.ts";
import { encryptPush } from "./web-push/push-encryption.ts";
import { vapidAuthorization, vapidPublicKey } from "./web-push/vapid.ts";

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

/** The prefix of a notification's title, by event. */
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
  "oncall.shift_added": "",
  "oncall.shift_removed": "",
  "oncall.shift_changed": "",
  "oncall.shift_reminder": "",
  "oncall.digest": "",
  "oncall.gap": "",
  "oncall.import_failed": "",
  "oncall.cover_request": "",
  "oncall.cover_answer": "",
  "broadcast.sent": "",
  "drill.ended": "",
  "account.readiness": "",
};

/** Maximum lengths in characters; together they fit a push message in any script. */
const MAX_TITLE_LENGTH = 200;
const MAX_BODY_LENGTH = 300;

/** Cuts to one well-formed line, in which no character takes more than three bytes. */
const cut = (text: string, maxLength: number) =>
  text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();

/** A newer broadcast or handoff replaces one that was not shown yet; other notices stay. */
function tagOf({ notice, page }: ChannelMessage): string {
  const isReplaced = page.event === "broadcast.sent" || page.event === "oncall.handoff";
  return isReplaced ? (notice?.schedule ?? page.event) : page.effectId;
}

/** The service worker's payload. Notifications with the same `tag` replace each other. */
async function payloadOf(env: Cloudflare.Env, message: ChannelMessage): Promise<object> {
  const { alert, notice, page, bundle, accountId } = message;
  if (alert === null) {
    const [title, body] = [
      cut(notice?.subject ?? "", MAX_TITLE_LENGTH),
      cut(notice?.text ?? "", MAX_BODY_LENGTH),
    ];
    const tag = tagOf(message);
    const responseUrl =
      (await broadcastLink(env, message)) ?? (await coverRequestLink(env, message));
    const response = responseUrl !== null && { url: responseUrl };
    return { type: page.event, title, body, tag, alert: null, ...response };
  }
  const id = prefixIdOf("alert", alert.id);
  const subject = { purpose: "alert", recordId: alert.id } as const;
  const { accountUserId } = page;
  const url = await actionLink(env, { ...subject, accountId, accountUserId }, page.at);
  const more = (bundle?.total ?? 1) - 1;
  const title = `${PREAMBLE[page.event]}${cut(alert.title, MAX_TITLE_LENGTH)}`;
  return {
    type: page.event,
    title: more === 0 ? title : `${title} and ${more} more`,
    body: cut(alert.description ?? "", MAX_BODY_LENGTH),
    tag: id,
    alert: {
      id,
      urgency: alert.urgency,
      destination: cut(alert.destinationName, MAX_TITLE_LENGTH),
    },
    ...(url !== null && { url }),
  };
}

type PushOutcome = "sent" | "gone" | "temporary" | "permanent";

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return "sent";
  if (status === 404 || status === 410) return "gone";
  return status === 408 || status === 429 || status >= 500 ? "temporary" : "permanent";
}

async function pushTo(
  env: Cloudflare.Env,
  { endpoint, ...keys }: PushSubscription,
  message: ChannelMessage,
  payload: string,
): Promise<PushOutcome> {
  if (outboundUrlFault(endpoint, allowedHosts(env.ALLOWED_HOSTS)) !== null) return "permanent";
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
  send: async (env, { to }, message) => {
    try {
      const subscriptions = await readPushSubscriptions(env.DB, message.accountId, to);
      const payload = JSON.stringify(await payloadOf(env, message));
      const outcomes = await Promise.all(
        subscriptions.map((one) => pushTo(env, one, message, payload)),
      );
      const gone = subscriptions.filter((_, i) => outcomes[i] === "gone").map(({ id }) => id);
      // A subscription that is not deleted now is deleted after the next attempt.
      if (gone.length > 0) await deletePushSubscriptions(env.DB, gone, Date.now()).catch(() => {});
      return sentOf(outcomes);
    } catch {
      return { kind: "temporary", reason: "the subscriptions could not be read" };
    }
  },
};
