// A webhook of a person's own: JSON, signed by Standard Webhooks with the person's secret
// (https://www.standardwebhooks.com). The id is the same for every attempt.
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { jsonRequest, type Messenger, outcomeOf } from "../messenger.ts";
import { signWebhook } from "../standard-webhooks.ts";

const REFUSALS: Readonly<Record<number, string>> = {
  401: "the request was refused",
  403: "the request was refused",
  404: "there is nothing at this address",
  410: "the address no longer exists",
  429: "too many messages",
};

export const webhook: Messenger = {
  channel: "webhook",
  title: MESSENGER_TITLES.webhook,
  about:
    "Posts each message as JSON to a URL of your own, signed by Standard Webhooks with the secret.",
  proof: "code",
  fields: [
    { key: "url", label: "URL", required: true, url: true },
    {
      key: "secret",
      label: "Signing secret",
      help: "whsec_ and 24 to 64 bytes in base64. It is not shown again.",
      required: true,
      secret: true,
      format: {
        // 24 to 64 bytes are 32 to 88 characters.
        pattern:
          /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
        fault: "must be whsec_ and 24 to 64 bytes in base64",
      },
    },
  ],
  isSetUp: () => true,
  request: (_env, { url = "", secret = "" }, content) => {
    const { id, at, event, title, body, urgency, alertId, asks } = content;
    const sentAt = new Date(at);
    const payload = {
      type: event,
      timestamp: sentAt.toISOString(),
      data: {
        title,
        text: body,
        url: content.url,
        urgency,
        alert_id: alertId,
        asks_for_answer: asks,
      },
    };
    const request = jsonRequest("POST", url, payload, { "User-Agent": "Tocsin" });
    const seconds = Math.floor(Date.now() / 1000);
    const signed = {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signWebhook(secret, id, seconds, request.body),
    };
    return { ...request, headers: { ...request.headers, ...signed } };
  },
  read: (answer, now) => outcomeOf("the webhook", answer, now, null, REFUSALS),
};
