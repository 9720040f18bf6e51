// Mail by Mailgun's API. A reason of failure contains no address and no text of Mailgun's. It has no
// idempotency key. Its callbacks carry their signature in the body, which it does not cover: it says
// that Mailgun has sent a callback lately, and https that it is this one.

import { createHmac, timingSafeEqual } from "node:crypto";
import { parseRetryAfter } from "../../domain/integrations/delivery-attempts.ts";
import type { Proof } from "../../domain/operations/provider-health.ts";
import { objectOf, parseJson, stringOf } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import type { CallbackRequest } from "../callback.ts";
import type { Sent } from "../channel.ts";
import { isTemporaryStatus, proofOf, sendJson } from "../json-api.ts";
import {
  type MailProvider,
  type MailReport,
  mailDomain,
  notificationTag,
  type OutgoingMail,
  readNotificationTag,
  SENDER_NAME,
} from "./mail-provider.ts";

/** How old a signature may be (seconds): Mailgun repeats callbacks that were not accepted. */
const MAX_AGE = 3_600;

/** Reasons of permanent failures that are about the mailbox; others may be about the sender. */
const RECIPIENT = /^(?:bounce|suppress-\w+)$/;

function formOf(env: Cloudflare.Env, { letter, id, notification }: OutgoingMail): FormData {
  const form = new FormData();
  const { to, subject, text, html, headers } = letter;
  const fields = { from: `${SENDER_NAME} <${env.EMAIL_FROM}>`, to, subject, text, html };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [name, value] of Object.entries(headers)) form.set(`h:${name}`, value);
  form.set("h:Message-Id", `<${id}@${mailDomain(env)}>`);
  // Links stay as they are: those of a page answer it.
  form.set("o:tracking", "no");
  if (notification !== null) form.set("v:notification", notificationTag(notification));
  return form;
}

const messagesUrl = (env: Cloudflare.Env) =>
  joinUrl(
    env.MAILGUN_API || "https://api.mailgun.net",
    `/v3/${encodeURIComponent(env.MAILGUN_DOMAIN || mailDomain(env))}/messages`,
  );

const basicOf = (env: Cloudflare.Env) => `Basic ${btoa(`api:${env.MAILGUN_API_KEY}`)}`;

/** A sending key may do nothing but send: it is proven by a mail without a recipient, which is refused by 400. */
async function prove(env: Cloudflare.Env, timeoutMs: number): Promise<Proof> {
  const response = await sendJson("POST", messagesUrl(env), basicOf(env), {}, timeoutMs);
  if (response?.status === 400) return { kind: "accepted", credit: null };
  // 404: the domain is not the account's.
  return proofOf(response, [401, 403, 404]);
}

async function send(env: Cloudflare.Env, mail: OutgoingMail): Promise<Sent> {
  try {
    const response = await fetch(messagesUrl(env), {
      method: "POST",
      headers: { Authorization: basicOf(env) },
      body: formOf(env, mail),
      redirect: "manual",
      signal: AbortSignal.timeout(mail.timeoutMs),
    });
    // The mail is accepted even if the response body cannot be read.
    return readAnswer(response, objectOf(await response.json().catch(() => null)));
  } catch {
    return { kind: "temporary", reason: "Mailgun could not be reached" };
  }
}

const withoutBrackets = (messageId: string) => messageId.replace(/^<|>$/g, "");

function readAnswer(
  { status, ok, headers }: Response,
  body: Readonly<Record<string, unknown>>,
): Sent {
  if (ok) return { kind: "sent", providerId: withoutBrackets(stringOf(body.id)) || null };
  const reason = `Mailgun answered ${status}`;
  if (isTemporaryStatus(status)) {
    const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now());
    return { kind: "temporary", reason, ...(retryAfterMs !== null && { retryAfterMs }) };
  }
  const isAboutAddress = status === 400 && /'to' parameter/.test(stringOf(body.message));
  if (isAboutAddress) return { kind: "permanent", reason, isRecipientAtFault: true };
  const isRefusal = status === 401 || status === 403;
  return { kind: "permanent", reason, ...(isRefusal && { areCredentialsRefused: true }) };
}

/** The status that an event reports; null if there will be another. */
function statusOf(event: Readonly<Record<string, unknown>>): MailReport["status"] | null {
  if (event.event === "accepted") return "sent";
  if (event.event === "delivered") return "delivered";
  if (event.event === "rejected") return "failed";
  return event.event === "failed" && event.severity === "permanent" ? "failed" : null;
}

function readReport(body: string): MailReport | null {
  const event = objectOf(objectOf(parseJson(body))["event-data"]);
  const status = statusOf(event);
  const notification = readNotificationTag(objectOf(event["user-variables"]).notification);
  if (status === null || notification === null) return null;
  const { code } = objectOf(event["delivery-status"]);
  const messageId = stringOf(objectOf(objectOf(event.message).headers)["message-id"]);
  const words = "the mail was not delivered";
  return {
    notification,
    status,
    id: withoutBrackets(messageId),
    reason:
      status !== "failed" ? null : Number.isInteger(code) ? `Mailgun: ${code}, ${words}` : words,
    isRecipientAtFault: RECIPIENT.test(stringOf(event.reason)),
    isUnsubscribed: false,
  };
}

async function isSigned(env: Cloudflare.Env, { body, now }: CallbackRequest): Promise<boolean> {
  const { timestamp, token, signature } = objectOf(objectOf(parseJson(body)).signature);
  const age = Math.abs(now / 1000 - Number(timestamp));
  // Written so that a missing time is refused.
  if (!(age <= MAX_AGE)) return false;
  const content = `${String(timestamp)}${stringOf(token)}`;
  const expected = createHmac("sha256", env.MAILGUN_SIGNING_KEY ?? "")
    .update(content)
    .digest("hex");
  const actual = Buffer.from(stringOf(signature));
  return actual.length === expected.length && timingSafeEqual(actual, Buffer.from(expected));
}

export const mailgun: MailProvider = {
  name: "mailgun",
  title: "Mailgun",
  send,
  prove,
  canVerify: (env) => Boolean(env.MAILGUN_SIGNING_KEY),
  isSigned,
  readReport,
  claimOf: (body) => {
    const { timestamp, token } = objectOf(objectOf(parseJson(body)).signature);
    return `${String(timestamp)}${stringOf(token)}`;
  },
};
