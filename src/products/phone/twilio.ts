// Twilio: SMS and calls by its REST API, calls in TwiML, signed callbacks.
import { own } from "../../domain/shared/own.ts";
import type { ProviderReport } from "../callback.ts";
import type { PhoneProvider } from "./provider.ts";
import {
  endTwilioCall,
  isRecipientFault,
  postToTwilio,
  proveTwilio,
  twilioReason,
} from "./twilio-api.ts";
import { isSignedByTwilio } from "./twilio-signature.ts";
import { callTwiml, readKeyPress, replyTwiml, twimlResponse } from "./twiml.ts";

/** How long the phone rings (seconds). */
const RING_TIMEOUT = "30";

/** The recipient has sent STOP. */
const UNSUBSCRIBED = 21610;

/** By Twilio's status names of messages and calls; any other status is ignored. */
const STATUSES: Readonly<Record<string, ProviderReport["status"]>> = {
  queued: "sent",
  sending: "sent",
  sent: "sent",
  delivered: "delivered",
  undelivered: "failed",
  failed: "failed",
  initiated: "sent",
  ringing: "sent",
  completed: "delivered",
  busy: "failed",
  "no-answer": "failed",
  canceled: "failed",
};

const REASONS: Readonly<Record<string, string>> = {
  busy: "the line was busy",
  "no-answer": "the call was not answered",
  canceled: "the call was cancelled",
  failed: "Twilio could not deliver the message",
  undelivered: "the message was not delivered",
};

const MESSAGE_SID = /^(?:SM|MM)[0-9a-f]{32}$/i;

/** Failures that say something of the phone, not of Twilio. */
const RECIPIENT_STATUSES: ReadonlySet<string> = new Set(["busy", "no-answer"]);

/** The sender parameter: the messaging service if one is configured, else the sender's number. */
function senderOfSms(env: Cloudflare.Env): Record<string, string> {
  return env.TWILIO_MESSAGING_SERVICE_SID
    ? { MessagingServiceSid: env.TWILIO_MESSAGING_SERVICE_SID }
    : { From: env.TWILIO_FROM };
}

function readReport(body: string): ProviderReport | null {
  const form = new URLSearchParams(body);
  const word = form.get("MessageStatus") ?? form.get("CallStatus") ?? "";
  const status = own(STATUSES, word);
  if (status === undefined) return null;
  const code = Number(form.get("ErrorCode") || 0);
  const reason = code > 0 ? twilioReason(code) : (own(REASONS, word) ?? null);
  return {
    status,
    id: form.get("MessageSid") ?? form.get("CallSid") ?? "",
    reason: status === "failed" ? reason : null,
    isRecipientAtFault: RECIPIENT_STATUSES.has(word) || isRecipientFault(code),
    isUnsubscribed: code === UNSUBSCRIBED,
  };
}

export const twilio: PhoneProvider = {
  name: "twilio",
  title: "Twilio",
  canVerify: (env) => Boolean(env.TWILIO_AUTH_TOKEN),
  sendSms: (env, { to, text, statusUrl, timeoutMs }) => {
    const message = { ...senderOfSms(env), To: to, Body: text };
    const status = statusUrl !== null && { StatusCallback: statusUrl };
    return postToTwilio(env, "Messages", { ...message, ...status }, timeoutMs);
  },
  call: (env, { to, script, answerUrl, statusUrl, timeoutMs }) => {
    const form = {
      From: env.TWILIO_FROM,
      To: to,
      Twiml: callTwiml(script, answerUrl),
      ...(statusUrl !== null && { StatusCallback: statusUrl, Timeout: RING_TIMEOUT }),
    };
    return postToTwilio(env, "Calls", form, timeoutMs);
  },
  hangUp: endTwilioCall,
  prove: proveTwilio,
  isSigned: async (env, { url, headers, body }) =>
    isSignedByTwilio(
      env.TWILIO_AUTH_TOKEN ?? "",
      url,
      new URLSearchParams(body),
      headers.get("x-twilio-signature") ?? "",
    ),
  readReport,
  readSms: (body) => {
    const form = new URLSearchParams(body);
    const [id, from, to] = ["MessageSid", "From", "To"].map((name) => form.get(name) ?? "");
    // What is signed does not say where a name ends, so that an id of another form may be no id.
    if (id === undefined || !MESSAGE_SID.test(id)) return null;
    // `OptOutType` is set if Twilio recognised STOP or START in other words.
    const text = form.get("OptOutType") || form.get("Body") || "";
    return { id, from: from ?? "", to: to ?? "", text };
  },
  // With a messaging service, any number of it counts.
  senderOf: (env) => env.TWILIO_FROM,
  isOwnNumber: (env, number) =>
    Boolean(env.TWILIO_MESSAGING_SERVICE_SID) || number === env.TWILIO_FROM,
  replyToSms: async (_env, _sms, text) => twimlResponse(replyTwiml(text)),
  readKeyPress,
  continueCall: (script, answerUrl) => twimlResponse(callTwiml(script, answerUrl)),
};
