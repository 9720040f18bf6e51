// Twilio's REST API: one message or call per request. It has no idempotency key: an accepted
// request whose response is lost is sent again, unless its delivery report arrives first. Never
// logs a number or a text.
import type { Proof } from "../../domain/operations/provider-health.ts";
import { stringOf } from "../../domain/shared/json.ts";
import { joinUrl } from "../../domain/shared/urls.ts";
import type { Sent } from "../channel.ts";
import { amountOf, proofOf, readJson } from "../json-api.ts";

/** Temporary error codes, in addition to every 429 and 5xx. */
const TEMPORARY: Readonly<Record<number, string>> = {
  14107: "too many messages at once",
  20429: "too many requests",
  21611: "the sender's queue is full",
};

/** Permanent error codes, with the text shown as the reason of a failed notification. */
const PERMANENT: Readonly<Record<number, string>> = {
  13223: "the number is not valid",
  13224: "the number is not valid",
  13227: "calls to this country are not permitted",
  10001: "the account is not active",
  20005: "the account is not active",
  20003: "the account's credentials were refused",
  21211: "the number is not valid",
  21214: "the number cannot be reached",
  21216: "calls to this number are not permitted",
  21217: "the number is not valid",
  21219: "the number is not verified by the trial account",
  21408: "messages to this country are not permitted",
  21606: "the sender's number cannot send messages",
  21608: "the number is not verified by the trial account",
  21610: "the recipient has sent STOP",
  21612: "the number cannot be reached from the sender's",
  21614: "the number cannot receive messages",
  30003: "the phone is switched off or out of range",
  30004: "the carrier blocked the message",
  30005: "the number is unknown",
  30006: "the number cannot receive messages",
  30007: "the carrier filtered the message as spam",
  30008: "the carrier reported an unknown error",
  63003: "the number is not on WhatsApp",
  63007: "the sender's number is not on WhatsApp",
  63013: "WhatsApp refused the message by its policy",
  63016: "WhatsApp needs an approved template",
  63018: "too many WhatsApp messages from the sender",
  63024: "the number is not on WhatsApp",
  63032: "WhatsApp does not deliver this to the recipient now",
};

/** Codes of refused credentials, and of an account that is suspended. */
const OF_ACCOUNT: ReadonlySet<number> = new Set([10001, 20003, 20005]);

/** Codes that block a number until its owner unblocks or changes it. */
const BLOCKING: ReadonlySet<number> = new Set([13223, 13224, 21211, 21217, 21610]);

/** Permanent codes about the number itself: another provider would not reach it either. */
const RECIPIENT: ReadonlySet<number> = new Set([
  ...[13223, 13224, 21211, 21214, 21217, 21610, 21614],
  ...[30003, 30005, 30006],
  ...[63003, 63024, 63032],
]);

export const isRecipientFault = (code: number): boolean => RECIPIENT.has(code);

/** The text of an error code, without a number or a message. */
export function twilioReason(code: number): string {
  const words = TEMPORARY[code] ?? PERMANENT[code];
  return words === undefined ? `Twilio: ${code}` : `Twilio: ${code}, ${words}`;
}

type Form = Readonly<Record<string, string>>;

/** Creates a message or a call. Never throws. */
export const postToTwilio = (
  env: Cloudflare.Env,
  resource: "Messages" | "Calls",
  form: Form,
  timeoutMs: number,
): Promise<Sent> => post(env, resource, form, timeoutMs);

/** Ends a call, ringing or not. Never throws. */
export const endTwilioCall = (env: Cloudflare.Env, sid: string, timeoutMs: number): Promise<Sent> =>
  post(env, `Calls/${encodeURIComponent(sid)}`, { Status: "completed" }, timeoutMs);

/** The URL of the deployment's account, or of a resource of it. */
const accountUrl = (env: Cloudflare.Env, resource: string) =>
  joinUrl(
    env.TWILIO_API || "https://api.twilio.com",
    `/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}${resource}.json`,
  );

const basicOf = (env: Cloudflare.Env) =>
  `Basic ${btoa(`${env.TWILIO_ACCOUNT_SID}:${env.TWILIO_AUTH_TOKEN}`)}`;

/** Asks for the account's state and balance. A subaccount has no balance of its own. Never throws. */
export async function proveTwilio(env: Cloudflare.Env, timeoutMs: number): Promise<Proof> {
  const [account, balance] = await Promise.all(
    ["", "/Balance"].map((path) => readJson(accountUrl(env, path), basicOf(env), timeoutMs)),
  );
  const isSuspended = ["suspended", "closed"].includes(stringOf(account?.body.status));
  if (isSuspended) return { kind: "refused" };
  return proofOf(account ?? null, [401], amountOf(balance?.body.balance));
}

async function post(
  env: Cloudflare.Env,
  resource: string,
  form: Form,
  timeoutMs: number,
): Promise<Sent> {
  const url = accountUrl(env, `/${resource}`);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: basicOf(env) },
      body: new URLSearchParams(form),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The request is accepted even if the response body cannot be read.
    const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    const code = Number.isInteger(body?.code) ? Number(body?.code) : 0;
    return readAnswer(response.status, body?.sid, code);
  } catch {
    return { kind: "temporary", reason: "Twilio could not be reached" };
  }
}

function readAnswer(status: number, sid: unknown, code: number): Sent {
  if (status >= 200 && status < 300) {
    return { kind: "sent", providerId: typeof sid === "string" ? sid : null };
  }
  const reason = code === 0 ? `Twilio answered ${status}` : twilioReason(code);
  const isTemporary = status === 408 || status === 429 || status >= 500 || code in TEMPORARY;
  if (isTemporary) return { kind: "temporary", reason };
  const isRecipient = isRecipientFault(code) && { isRecipientAtFault: true as const };
  const isRefusal = status === 401 || status === 403 || OF_ACCOUNT.has(code);
  return {
    kind: "permanent",
    reason,
    ...isRecipient,
    ...(BLOCKING.has(code) && { isNumberBlocked: true }),
    ...(isRefusal && { areCredentialsRefused: true }),
  };
}
