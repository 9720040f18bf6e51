// Telnyx: SMS by its Messaging API, calls in TeXML, which reads TwiML. Callbacks are signed; those of
// messages are JSON, those of calls are forms.
import { objectOf, parseJson, stringOf } from "../../domain/shared/json.ts";
import { own } from "../../domain/shared/own.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import type { ProviderReport } from "../callback.ts";
import type { Sent } from "../channel.ts";
import {
  type ApiResponse,
  amountOf,
  firstOf,
  isTemporaryStatus,
  proofOf,
  readJson,
  sendJson,
} from "../json-api.ts";
import type { OutgoingSms, PhoneProvider } from "./provider.ts";
import { isSignedByTelnyx } from "./telnyx-signature.ts";
import { callTwiml, readKeyPress, twimlResponse } from "./twiml.ts";

const REPLY_TIMEOUT_MS = 8_000;

const UNREACHABLE: Sent = { kind: "temporary", reason: "Telnyx could not be reached" };

/** The recipient has sent STOP. */
const UNSUBSCRIBED = "40300";

/** Error codes, with the text shown as the reason of a failed notification. */
const REASONS: Readonly<Record<string, string>> = {
  10009: "the account's credentials were refused",
  10002: "the number is not valid",
  10011: "too many requests",
  40001: "the number cannot receive messages",
  40002: "the carrier filtered the message as spam",
  40003: "the carrier blocked the sender's number",
  40004: "the carrier rejected the message",
  40005: "the message expired",
  40006: "the carrier could not be reached",
  40008: "the carrier did not accept the message",
  40011: "the carrier's rate limit was exceeded",
  40012: "the number is not valid",
  40013: "the sender's number cannot send messages",
  40014: "the message expired in the queue",
  40015: "Telnyx filtered the message as spam",
  40300: "the recipient has sent STOP",
  40310: "the number is not valid",
};

/** Codes about the number itself: another provider would not reach it either. */
const RECIPIENT: ReadonlySet<string> = new Set(["10002", "40001", "40012", UNSUBSCRIBED, "40310"]);
const TEMPORARY: ReadonlySet<string> = new Set(["10011"]);

/** Codes that block a number until its owner unblocks or changes it. */
const BLOCKING: ReadonlySet<string> = new Set([UNSUBSCRIBED, "40310"]);

/** By Telnyx's status names of messages and calls; any other status is ignored. */
const STATUSES: Readonly<Record<string, ProviderReport["status"]>> = {
  queued: "sent",
  sending: "sent",
  sent: "sent",
  delivered: "delivered",
  sending_failed: "failed",
  delivery_failed: "failed",
  initiated: "sent",
  ringing: "sent",
  "in-progress": "sent",
  completed: "delivered",
  busy: "failed",
  "no-answer": "failed",
  canceled: "failed",
  failed: "failed",
};

const CALL_REASONS: Readonly<Record<string, string>> = {
  busy: "the line was busy",
  "no-answer": "the call was not answered",
  canceled: "the call was cancelled",
  failed: "Telnyx could not make the call",
};

/** Failures of calls that say something of the phone, not of Telnyx. */
const PHONE_STATUSES: ReadonlySet<string> = new Set(["busy", "no-answer"]);

/** The code of the first error; empty if there is none. */
function codeOf(errors: unknown): string {
  const { code } = firstOf(errors);
  return /^\d{1,8}$/.test(String(code)) ? String(code) : "";
}

function reasonOf(code: string): string {
  const words = own(REASONS, code);
  return words === undefined ? `Telnyx: ${code}` : `Telnyx: ${code}, ${words}`;
}

const apiUrl = (env: Cloudflare.Env, path: string) =>
  joinUrl(env.TELNYX_API || "https://api.telnyx.com", `/v2${path}`);

function readAnswer(
  response: ApiResponse | null,
  idOf: (body: ApiResponse["body"]) => string,
): Sent {
  if (response === null) return UNREACHABLE;
  const { status, body } = response;
  if (status >= 200 && status < 300) return { kind: "sent", providerId: idOf(body) || null };
  const code = codeOf(body.errors);
  const reason = code === "" ? `Telnyx answered ${status}` : reasonOf(code);
  if (isTemporaryStatus(status) || TEMPORARY.has(code)) return { kind: "temporary", reason };
  if (RECIPIENT.has(code)) {
    const isBlocked = BLOCKING.has(code) && { isNumberBlocked: true as const };
    return { kind: "permanent", reason, isRecipientAtFault: true, ...isBlocked };
  }
  // 402: the account has no credit.
  const isRefusal = status === 401 || status === 402 || status === 403;
  return { kind: "permanent", reason, ...(isRefusal && { areCredentialsRefused: true }) };
}

const postToTelnyx = (
  env: Cloudflare.Env,
  path: string,
  body: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<ApiResponse | null> =>
  sendJson("POST", apiUrl(env, path), `Bearer ${env.TELNYX_API_KEY}`, body, timeoutMs);

async function sendSms(
  env: Cloudflare.Env,
  sms: OutgoingSms & { readonly from: string },
): Promise<Sent> {
  const { from, to, text, statusUrl, timeoutMs } = sms;
  const webhook = statusUrl !== null && { webhook_url: statusUrl };
  const message = { from, to, text, ...webhook };
  const response = await postToTelnyx(env, "/messages", message, timeoutMs);
  return readAnswer(response, (body) => stringOf(objectOf(body.data).id));
}

function readCallReport(body: string): ProviderReport | null {
  const form = new URLSearchParams(body);
  const word = form.get("CallStatus") ?? "";
  const status = own(STATUSES, word);
  if (status === undefined) return null;
  return {
    status,
    id: form.get("CallSid") ?? "",
    reason: status === "failed" ? (own(CALL_REASONS, word) ?? null) : null,
    isRecipientAtFault: PHONE_STATUSES.has(word),
    isUnsubscribed: false,
  };
}

function readReport(body: string): ProviderReport | null {
  const payload = objectOf(objectOf(objectOf(parseJson(body)).data).payload);
  if (payload.direction !== "outbound") return readCallReport(body);
  const status = own(STATUSES, stringOf(firstOf(payload.to).status));
  if (status === undefined) return null;
  const code = codeOf(payload.errors);
  const reason = code === "" ? "the message was not delivered" : reasonOf(code);
  return {
    status,
    id: stringOf(payload.id),
    reason: status === "failed" ? reason : null,
    isRecipientAtFault: RECIPIENT.has(code),
    isUnsubscribed: code === UNSUBSCRIBED,
  };
}

export const telnyx: PhoneProvider = {
  name: "telnyx",
  title: "Telnyx",
  canVerify: (env) => Boolean(env.TELNYX_PUBLIC_KEY),
  sendSms: (env, sms) => sendSms(env, { ...sms, from: env.TELNYX_FROM }),
  call: async (env, { to, script, answerUrl, statusUrl, timeoutMs }) => {
    const call = {
      From: env.TELNYX_FROM,
      To: to,
      Texml: callTwiml(script, answerUrl),
      ...(statusUrl !== null && { StatusCallback: statusUrl, StatusCallbackMethod: "POST" }),
    };
    const path = `/texml/calls/${encodeURIComponent(env.TELNYX_APPLICATION_ID)}`;
    const response = await postToTelnyx(env, path, call, timeoutMs);
    return readAnswer(response, (body) => stringOf(body.call_sid ?? objectOf(body.data).call_sid));
  },
  hangUp: async (env, id, timeoutMs) => {
    const url = apiUrl(env, `/texml/calls/${encodeURIComponent(id)}/update`);
    const authorization = `Bearer ${env.TELNYX_API_KEY}`;
    const ended = await sendJson("POST", url, authorization, { Status: "completed" }, timeoutMs);
    return readAnswer(ended, () => id);
  },
  prove: async (env, timeoutMs) => {
    const url = apiUrl(env, "/balance");
    const response = await readJson(url, `Bearer ${env.TELNYX_API_KEY}`, timeoutMs);
    // What the account may still spend, its credit limit included. 403: the key may not read it.
    const { available_credit } = objectOf(response?.body.data);
    return proofOf(response, [401], amountOf(available_credit));
  },
  isSigned: (env, request) => isSignedByTelnyx(env.TELNYX_PUBLIC_KEY, request),
  readReport,
  readSms: (body) => {
    const data = objectOf(objectOf(parseJson(body)).data);
    if (data.event_type !== "message.received") return null;
    const { id, from, to, text } = objectOf(data.payload);
    if (stringOf(id) === "") return null;
    return {
      id: stringOf(id),
      from: stringOf(objectOf(from).phone_number),
      to: stringOf(firstOf(to).phone_number),
      text: stringOf(text),
    };
  },
  senderOf: (env) => env.TELNYX_FROM,
  isOwnNumber: (env, number) => number === env.TELNYX_FROM,
  replyToSms: async (env, { from, to }, text) => {
    const reply = { from: to, to: from, statusUrl: null, timeoutMs: REPLY_TIMEOUT_MS };
    if (text !== null) await sendSms(env, { ...reply, text });
    // Any other status makes Telnyx send the message again.
    return new Response(null, { status: 204 });
  },
  readKeyPress,
  continueCall: (script, answerUrl) => twimlResponse(callTwiml(script, answerUrl)),
};
