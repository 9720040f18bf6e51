// Pushover: a person's user key, and the deployment's application token. An open alert of urgency
// high or critical has emergency priority: it repeats until the person acknowledges it in the app,
// which answers the alert, or until it expires (https://pushover.net/api, /api/receipts).
import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import { valueAt } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import {
  type Messenger,
  type MessengerContent,
  outcomeOf,
  type ProviderAnswer,
  type ProviderRequest,
} from "../messenger.ts";

const PRIORITY: Record<AlertUrgency, -2 | -1 | 0 | 1> = {
  critical: 1,
  high: 1,
  medium: 0,
  low: -1,
  silent: -2,
};

/** Seconds between repetitions: at least 30. */
const RETRY_SECONDS = 60;

/** How long an emergency repeats (seconds): until the layer ends; at most 10,800 is allowed. */
const MIN_EXPIRE_SECONDS = 300;
const MAX_EXPIRE_SECONDS = 10_800;

/** The limits of a message in characters; a longer URL is left out, as it would be refused. */
const MAX_TITLE_LENGTH = 250;
const MAX_BODY_LENGTH = 1_024;
const MAX_URL_LENGTH = 512;

const REFUSALS: Readonly<Record<number, string>> = {
  400: "the user key, the device or the application token is not valid",
  401: "the application token was refused",
  429: "the application's monthly limit is reached",
};

/** Whether the message repeats until it is acknowledged. */
const isEmergency = ({ asks, urgency }: MessengerContent) =>
  asks && (urgency === "critical" || urgency === "high");

function priorityOf(content: MessengerContent): Record<string, string> {
  const { urgency, until, at, callbackUrl } = content;
  if (!isEmergency(content)) return { priority: String(urgency === null ? 0 : PRIORITY[urgency]) };
  const seconds = until === null ? MAX_EXPIRE_SECONDS : Math.ceil((until - at) / 1000);
  const expire = Math.min(Math.max(seconds, MIN_EXPIRE_SECONDS), MAX_EXPIRE_SECONDS);
  return {
    priority: "2",
    retry: String(RETRY_SECONDS),
    expire: String(expire),
    ...(callbackUrl !== null && { callback: callbackUrl }),
  };
}

const apiOf = (env: Cloudflare.Env) =>
  joinUrl(env.PUSHOVER_API || "https://api.pushover.net", "/1");

function form(url: string, fields: Readonly<Record<string, string>>): ProviderRequest {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { method: "POST", url, headers, body: new URLSearchParams(fields).toString() };
}

/**
 * A 429 without `Retry-After` is the monthly limit of the application: repeating is of no use
 * (https://pushover.net/api#limits).
 */
function readAnswer(answer: ProviderAnswer, now: number) {
  // Only an emergency has a receipt, by which it is ended.
  const id = valueAt(answer.body, "receipt");
  if (answer.status === 429 && answer.retryAfter === null) {
    return { kind: "permanent", reason: `Pushover answered 429: ${REFUSALS[429]}` } as const;
  }
  return outcomeOf("Pushover", answer, now, id, REFUSALS);
}

export const pushover: Messenger = {
  channel: "pushover",
  title: MESSENGER_TITLES.pushover,
  about:
    "Alerts of high and critical urgency ring again every minute, also in silent mode if you allow it in the app, until you acknowledge them there or anywhere else.",
  proof: "code",
  fields: [
    {
      key: "user_key",
      label: "User key",
      required: true,
      secret: true,
      format: { pattern: /^[A-Za-z0-9]{30}$/, fault: "must be 30 letters and digits" },
    },
    {
      key: "device",
      label: "Device",
      help: "The name of one device; empty: all of your devices.",
      required: false,
      format: {
        pattern: /^[A-Za-z0-9_-]{1,25}$/,
        fault: "must be 1 to 25 letters, digits, hyphens and underscores",
      },
    },
  ],
  isSetUp: (env) => Boolean(env.PUSHOVER_TOKEN),
  callbackPath: "/callbacks/pushover/",
  request: (env, { user_key = "", device }, content) => {
    const { title, body, url } = content;
    return form(`${apiOf(env)}/messages.json`, {
      token: env.PUSHOVER_TOKEN ?? "",
      user: user_key,
      ...(device && { device }),
      title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
      // A message without text is refused.
      message: (body || title || "Tocsin").slice(0, MAX_BODY_LENGTH).toWellFormed(),
      ...(url !== null && url.length <= MAX_URL_LENGTH && { url, url_title: "Open" }),
      ...priorityOf(content),
    });
  },
  read: readAnswer,
  close: (env, _settings, receipt) =>
    form(`${apiOf(env)}/receipts/${encodeURIComponent(receipt)}/cancel.json`, {
      token: env.PUSHOVER_TOKEN ?? "",
    }),
};
