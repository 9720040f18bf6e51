// Mail by Resend's API, with an idempotency key. A reason of failure contains no address and no text
// of Resend's. Its callbacks are signed as Standard Webhooks, with headers of other names.

import { createHash } from "node:crypto";
import { parseRetryAfter } from "../../domain/integrations/delivery-attempts.ts";
import type { Proof } from "../../domain/operations/provider-health.ts";
import { objectOf, parseJson, stringOf } from "../../domain/shared/json.ts";
import { own } from "../../domain/shared/own.ts";
import type { CallbackRequest, ProviderReport } from "../callback.ts";
import type { Sent } from "../channel.ts";
import { proofOf, readJson } from "../json-api.ts";
import { isSignedWebhook } from "../standard-webhooks.ts";
import {
  type MailProvider,
  type MailReport,
  mailDomain,
  notificationTag,
  type OutgoingMail,
  readNotificationTag,
  SENDER_NAME,
} from "./mail-provider.ts";

const RESEND = "https://api.resend.com";

/** The name of the error of a key that may only send. */
const ONLY_SENDS = "restricted_api_key";

const TAG = "notification";

/** Errors with status 429 that last longer than a page may wait. */
const QUOTA_EXCEEDED = new Set(["daily_quota_exceeded", "monthly_quota_exceeded"]);

/** By the types of events; any other is ignored. */
const STATUSES: Readonly<Record<string, ProviderReport["status"]>> = {
  "email.sent": "sent",
  "email.delivered": "delivered",
  "email.bounced": "failed",
  "email.suppressed": "failed",
  "email.failed": "failed",
};

const REASONS: Readonly<Record<string, string>> = {
  "email.bounced": "Resend: the mail was rejected by the recipient's server",
  "email.suppressed": "Resend: the address is suppressed",
  "email.failed": "Resend could not send the mail",
};

async function send(env: Cloudflare.Env, mail: OutgoingMail): Promise<Sent> {
  const { letter, id, notification, timeoutMs } = mail;
  const { to, subject, text, html, headers } = letter;
  const messageId = { "Message-ID": `<${id}@${mailDomain(env)}>` };
  const isReported = notification !== null && resend.canVerify(env);
  const body = JSON.stringify({
    from: `${SENDER_NAME} <${env.EMAIL_FROM}>`,
    to: [to],
    ...{ subject, text, html, headers: { ...headers, ...messageId } },
    ...(isReported && { tags: [{ name: TAG, value: notificationTag(notification) }] }),
  });
  // Resend refuses a known key with another body; a retry can have one, so the key has a digest.
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  try {
    const response = await fetch(`${RESEND}/emails`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${env.RESEND_API_KEY}`,
        "Content-Type": "application/json",
        "Idempotency-Key": `${id}/${digest}`,
        "User-Agent": SENDER_NAME,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The mail is accepted even if the response body cannot be read.
    return readAnswer(response, objectOf(await response.json().catch(() => null)));
  } catch {
    return { kind: "temporary", reason: "Resend could not be reached" };
  }
}

function readAnswer(response: Response, answer: Readonly<Record<string, unknown>>): Sent {
  const { status, ok, headers } = response;
  if (ok) return { kind: "sent", providerId: stringOf(answer.id) || null };
  const name = /^[a-z_]{1,64}$/.test(stringOf(answer.name)) ? stringOf(answer.name) : null;
  const reason = `Resend: ${name ?? status}`;
  const isQuotaExceeded = name !== null && QUOTA_EXCEEDED.has(name);
  if (isQuotaExceeded) return { kind: "permanent", reason, areCredentialsRefused: true };
  const isInProgress = status === 409 && name === "concurrent_idempotent_requests";
  if (status === 408 || status === 429 || status >= 500 || isInProgress) {
    const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now());
    return { kind: "temporary", reason, ...(retryAfterMs !== null && { retryAfterMs }) };
  }
  // 403 is also that of a domain that is not verified: no mail leaves either way.
  // 400 with this message is that of what is no key at all.
  const isNoKey = stringOf(answer.message) === "API key is invalid";
  const isRefusal = status === 401 || status === 403 || isNoKey;
  return { kind: "permanent", reason, ...(isRefusal && { areCredentialsRefused: true }) };
}

/** The tag is an element of a list, or a property of an object. */
function tagIn(tags: unknown): unknown {
  if (!Array.isArray(tags)) return objectOf(tags)[TAG];
  return objectOf(tags.find((it) => objectOf(it).name === TAG)).value;
}

function readReport(body: string): MailReport | null {
  const event = objectOf(parseJson(body));
  const type = stringOf(event.type);
  const status = own(STATUSES, type);
  const { email_id, tags } = objectOf(event.data);
  const notification = readNotificationTag(tagIn(tags));
  if (status === undefined || notification === null) return null;
  return {
    notification,
    status,
    id: stringOf(email_id),
    reason: own(REASONS, type) ?? null,
    isRecipientAtFault: type !== "email.failed",
    isUnsubscribed: false,
  };
}

async function isSigned(
  env: Cloudflare.Env,
  { headers, body, now }: CallbackRequest,
): Promise<boolean> {
  const signed = {
    id: headers.get("svix-id") ?? "",
    timestamp: headers.get("svix-timestamp") ?? "",
    signature: headers.get("svix-signature") ?? "",
  };
  return isSignedWebhook(env.RESEND_WEBHOOK_SECRET ?? "", signed, body, now);
}

async function prove(env: Cloudflare.Env, timeoutMs: number): Promise<Proof> {
  const key = `Bearer ${env.RESEND_API_KEY}`;
  const response = await readJson(`${RESEND}/domains`, key, timeoutMs);
  // A key that may only send is told so, and that it is a key. Others are refused by 400, 401 or 403.
  if (response?.body.name === ONLY_SENDS) return { kind: "accepted", credit: null };
  return proofOf(response, [400, 401, 403]);
}

export const resend: MailProvider = {
  name: "resend",
  title: "Resend",
  send,
  prove,
  canVerify: (env) => Boolean(env.RESEND_WEBHOOK_SECRET),
  isSigned,
  readReport,
};
