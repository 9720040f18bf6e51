// Vonage: SMS by its Messages API, calls by its Voice API in NCCO, signed callbacks in JSON. Vonage
// writes numbers without a plus.
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
import type { CallScript, OutgoingSms, PhoneProvider } from "./provider.ts";
import { callToken, isSignedByVonage } from "./vonage-tokens.ts";

// NCCO: Vonage's instructions for calls, a list of actions in JSON. An `input` action ends the
// instructions: the response to its callback replaces what follows it.

/** How long a key may take after the last word (seconds). */
const TIMEOUT = 8;

/** Without the control characters that speech synthesis refuses. */
const spoken = (text: string) => text.toWellFormed().replace(/\p{Cc}/gu, " ");

/**
 * The actions of a call. Repeated questions become one text with one `input` after it, so that the
 * message is read twice before the callback says that no key was pressed. Pauses are left out.
 *
 * @param answerUrl gets the digit pressed
 */
export function nccoOf(script: CallScript, answerUrl: string | null): readonly object[] {
  const questions = script.flatMap((step) => (step.kind === "ask" ? step.texts : []));
  if (questions.length > 0) {
    const text = spoken(questions.join(" "));
    const input = {
      action: "input",
      type: ["dtmf"],
      dtmf: { maxDigits: 1, timeOut: TIMEOUT },
      eventUrl: [answerUrl],
    };
    return [{ action: "talk", text, bargeIn: true }, input];
  }
  return script.flatMap((step) =>
    step.kind === "say" ? [{ action: "talk", text: spoken(step.text) }] : [],
  );
}

/** How long the phone rings (seconds). */
const RING_TIMEOUT = 30;

const REPLY_TIMEOUT_MS = 8_000;

const UNREACHABLE: Sent = { kind: "temporary", reason: "Vonage could not be reached" };

/** Error codes of messages, with the text shown as the reason of a failed notification. */
const REASONS: Readonly<Record<string, string>> = {
  1000: "too many messages at once",
  1010: "a parameter is missing",
  1020: "a parameter is not valid",
  1030: "an internal error",
  1040: "the number is not valid",
  1050: "the number is barred",
  1060: "the account is barred",
  1070: "the account has no credit",
  1100: "the carrier could not be reached",
  1120: "the sender is not permitted in this country",
  1140: "the account may not send this",
  1160: "the number is not among those permitted to the account",
  1170: "the number is not valid",
};

/** Codes about the number itself: another provider would not reach it either. */
const RECIPIENT: ReadonlySet<string> = new Set(["1040", "1170"]);
/** Codes about our account: barred, without credit. */
const OF_ACCOUNT: ReadonlySet<string> = new Set(["1060", "1070"]);
const TEMPORARY: ReadonlySet<string> = new Set(["1000", "1030", "1100"]);

/** By Vonage's status names of messages and calls; any other status is ignored. */
const STATUSES: Readonly<Record<string, ProviderReport["status"]>> = {
  submitted: "sent",
  delivered: "delivered",
  read: "delivered",
  rejected: "failed",
  undeliverable: "failed",
  started: "sent",
  ringing: "sent",
  answered: "sent",
  completed: "delivered",
  busy: "failed",
  cancelled: "failed",
  failed: "failed",
  timeout: "failed",
  unanswered: "failed",
};

const CALL_REASONS: Readonly<Record<string, string>> = {
  busy: "the line was busy",
  cancelled: "the call was cancelled",
  failed: "Vonage could not make the call",
  rejected: "the call was rejected",
  timeout: "the call was not answered",
  unanswered: "the call was not answered",
};

/** Failures of calls that say something of the phone, not of Vonage. */
const PHONE_STATUSES: ReadonlySet<string> = new Set(["busy", "timeout", "unanswered"]);

/** The code at the end of an error's `type`, a URL; empty if there is none. */
const codeOf = (error: unknown): string =>
  /#(\d{1,6})$/.exec(stringOf(objectOf(error).type))?.[1] ?? "";

function reasonOf(code: string): string {
  const words = own(REASONS, code);
  return words === undefined ? `Vonage: ${code}` : `Vonage: ${code}, ${words}`;
}

const withoutPlus = (number: string) => number.replace(/^\+/, "");
const withPlus = (number: string) => (number === "" ? "" : `+${withoutPlus(number)}`);

/** The id is the property `idName` of the response. */
function readAnswer(response: ApiResponse | null, idName: "message_uuid" | "uuid"): Sent {
  if (response === null) return UNREACHABLE;
  const { status, body } = response;
  if (status >= 200 && status < 300)
    return { kind: "sent", providerId: stringOf(body[idName]) || null };
  const code = codeOf(body);
  const reason = code === "" ? `Vonage answered ${status}` : reasonOf(code);
  if (isTemporaryStatus(status) || TEMPORARY.has(code)) return { kind: "temporary", reason };
  const isAboutNumber = stringOf(firstOf(body.invalid_parameters).name) === "to";
  const isRecipient = isAboutNumber || RECIPIENT.has(code);
  if (isRecipient) return { kind: "permanent", reason, isRecipientAtFault: true };
  const isRefusal = status === 401 || status === 403 || OF_ACCOUNT.has(code);
  return { kind: "permanent", reason, ...(isRefusal && { areCredentialsRefused: true }) };
}

const apiUrl = (env: Cloudflare.Env, path: string) =>
  joinUrl(env.VONAGE_API || "https://api.nexmo.com", path);

const basicOf = (env: Cloudflare.Env) =>
  `Basic ${btoa(`${env.VONAGE_API_KEY}:${env.VONAGE_API_SECRET}`)}`;

async function sendSms(
  env: Cloudflare.Env,
  sms: OutgoingSms & { readonly from: string },
): Promise<Sent> {
  const { from, to, text, statusUrl, timeoutMs } = sms;
  const message = {
    channel: "sms",
    message_type: "text",
    from: withoutPlus(from),
    to: withoutPlus(to),
    text,
    ...(statusUrl !== null && { webhook_url: statusUrl, webhook_version: "v1" }),
  };
  const url = apiUrl(env, "/v1/messages");
  const response = await sendJson("POST", url, basicOf(env), message, timeoutMs);
  return readAnswer(response, "message_uuid");
}

/** Makes a call or changes it. Never throws. */
async function requestCall(
  env: Cloudflare.Env,
  method: "POST" | "PUT",
  path: string,
  body: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<Sent> {
  const token = await callToken(env, Date.now()).catch(() => null);
  if (token === null) {
    const reason = "Vonage: the private key is not valid";
    return { kind: "permanent", reason, areCredentialsRefused: true };
  }
  const url = apiUrl(env, path);
  return readAnswer(await sendJson(method, url, `Bearer ${token}`, body, timeoutMs), "uuid");
}

function readReport(body: string): ProviderReport | null {
  const event = objectOf(parseJson(body));
  const word = stringOf(event.status);
  const status = own(STATUSES, word);
  if (status === undefined) return null;
  // Messages have a `message_uuid`, calls a `uuid`; both may be rejected.
  const isMessage = event.message_uuid !== undefined;
  const code = codeOf(event.error);
  const ofMessage = code === "" ? "the message was not delivered" : reasonOf(code);
  const reason = isMessage ? ofMessage : (own(CALL_REASONS, word) ?? null);
  return {
    status,
    id: stringOf(isMessage ? event.message_uuid : event.uuid),
    reason: status === "failed" ? reason : null,
    isRecipientAtFault: isMessage ? RECIPIENT.has(code) : PHONE_STATUSES.has(word),
    isUnsubscribed: false,
  };
}

export const vonage: PhoneProvider = {
  name: "vonage",
  title: "Vonage",
  canVerify: (env) => Boolean(env.VONAGE_SIGNATURE_SECRET && env.VONAGE_API_KEY),
  sendSms: (env, sms) => sendSms(env, { ...sms, from: env.VONAGE_FROM }),
  call: async (env, { to, script, answerUrl, statusUrl, timeoutMs }) => {
    const call = {
      to: [{ type: "phone", number: withoutPlus(to) }],
      from: { type: "phone", number: withoutPlus(env.VONAGE_FROM) },
      ncco: nccoOf(script, answerUrl),
      ringing_timer: RING_TIMEOUT,
      ...(statusUrl !== null && { event_url: [statusUrl] }),
    };
    return requestCall(env, "POST", "/v1/calls", call, timeoutMs);
  },
  hangUp: (env, id, timeoutMs) => {
    const path = `/v1/calls/${encodeURIComponent(id)}`;
    return requestCall(env, "PUT", path, { action: "hangup" }, timeoutMs);
  },
  prove: async (env, timeoutMs) => {
    // Another host than that of messages: that it does not answer proves nothing of them.
    const url = joinUrl(env.VONAGE_API || "https://rest.nexmo.com", "/account/get-balance");
    const response = await readJson(url, basicOf(env), timeoutMs);
    const { value, autoReload } = response?.body ?? {};
    const proof = proofOf(response, [401], autoReload === true ? null : amountOf(value));
    return proof.kind === "unreachable" ? { kind: "unknown" } : proof;
  },
  isSigned: (env, request) =>
    isSignedByVonage(env.VONAGE_SIGNATURE_SECRET ?? "", env.VONAGE_API_KEY, request),
  readReport,
  readSms: (body) => {
    const { channel, message_uuid: id, from, to, text } = objectOf(parseJson(body));
    if (channel !== "sms" || stringOf(id) === "") return null;
    const numbers = { from: withPlus(stringOf(from)), to: withPlus(stringOf(to)) };
    return { id: stringOf(id), ...numbers, text: stringOf(text) };
  },
  senderOf: (env) => env.VONAGE_FROM,
  isOwnNumber: (env, number) => withoutPlus(number) === withoutPlus(env.VONAGE_FROM),
  replyToSms: async (env, { from, to }, text) => {
    const reply = { from: to, to: from, statusUrl: null, timeoutMs: REPLY_TIMEOUT_MS };
    if (text !== null) await sendSms(env, { ...reply, text });
    // Any other status makes Vonage send the message again.
    return new Response(null, { status: 204 });
  },
  readKeyPress: (body) => {
    const { uuid, dtmf } = objectOf(parseJson(body));
    return { id: stringOf(uuid), digit: stringOf(objectOf(dtmf).digits) };
  },
  continueCall: (script, answerUrl) => Response.json(nccoOf(script, answerUrl)),
};
