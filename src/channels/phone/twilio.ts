// Twilio's REST API: one message or one call at a time. It knows no idempotency key: what was taken and whose answer
// was lost is sent again, unless its delivery report comes first. Never logs a number or a text.
import { blockNumber } from "../../db/people/phone-rows.ts";
import type { Sent } from "../channel.ts";

/** Shorter than what the consumer waits. */
const TIMEOUT_MS = 8_000;

/** Codes of refusals that may pass, beside every 429 and 5xx. */
const TEMPORARY: Readonly<Record<number, string>> = {
  14107: "too many messages at once",
  20429: "too many requests",
  21611: "the sender's queue is full",
};

/** Codes of refusals that stay, in words for whoever looks why somebody was not reached. */
const PERMANENT: Readonly<Record<number, string>> = {
  13223: "the number is not valid",
  13224: "the number is not valid",
  13227: "calls to this country are not permitted",
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
};

/** Codes after which a number is not to be used again, until its owner says so or changes it. */
const BLOCKING: ReadonlySet<number> = new Set([13223, 13224, 21211, 21217, 21610]);

/** A code of Twilio's in words; names no number and quotes no message. */
export function twilioReason(code: number): string {
  const words = TEMPORARY[code] ?? PERMANENT[code];
  return words === undefined ? `Twilio: ${code}` : `Twilio: ${code}, ${words}`;
}

/** Whether this deployment has Twilio: an account, its token, and somebody to send as. */
export function hasTwilio({
  TWILIO_ACCOUNT_SID,
  TWILIO_AUTH_TOKEN,
  TWILIO_FROM,
  TWILIO_MESSAGING_SERVICE_SID,
}: Cloudflare.Env): boolean {
  const sender = TWILIO_FROM || TWILIO_MESSAGING_SERVICE_SID;
  return Boolean(TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && sender);
}

type Form = Readonly<Record<string, string>> & { readonly To: string };

/** The address of one of our callbacks, to which Twilio reports; null where the deployment has no public address. */
export function callbackUrl({ PUBLIC_URL }: Cloudflare.Env, path: string): string | null {
  return PUBLIC_URL ? `${PUBLIC_URL.replace(/\/+$/, "")}/callbacks/twilio/${path}` : null;
}

/** Makes a message or a call; a number that Twilio refuses for good is blocked. Never throws. */
export async function postToTwilio(
  env: Cloudflare.Env,
  resource: "Messages" | "Calls",
  form: Form,
): Promise<Sent> {
  const base = (env.TWILIO_API || "https://api.twilio.com").replace(/\/+$/, "");
  const url = `${base}/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}/${resource}.json`;
  const credentials = btoa(`${env.TWILIO_ACCOUNT_SID}:${env.TWILIO_AUTH_TOKEN}`);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams(form),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // What was taken was taken, also where the rest of the answer is lost.
    const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    const code = Number.isInteger(body?.code) ? Number(body?.code) : 0;
    if (!response.ok && BLOCKING.has(code)) await blockNumber(env.DB, form.To, true);
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
  const passes = status === 408 || status === 429 || status >= 500 || code in TEMPORARY;
  return { kind: passes ? "temporary" : "permanent", reason };
}
