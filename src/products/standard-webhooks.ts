// Signatures of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 of a request's id, time and body.
// A secret is `whsec_` and the key in base64.
import { createHmac, timingSafeEqual } from "node:crypto";

/** How old a request may be, or how far clocks may differ (seconds). */
const TOLERANCE = 300;

const PREFIX = "whsec_";

/** Throws if the secret is not valid base64, or has no key: anybody could sign with that. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(atob(encoded), "latin1");
  if (key.length === 0) throw new Error("the signing secret is empty");
  return key;
}

/**
 * The value of the header `webhook-signature`. Throws if the secret is invalid.
 *
 * @param seconds the value of `webhook-timestamp`: epoch seconds
 */
export function signWebhook(secret: string, id: string, seconds: number, body: string): string {
  const content = `${id}.${seconds}.${body}`;
  return `v1,${createHmac("sha256", keyOf(secret)).update(content).digest("base64")}`;
}

/** The headers of a signed request; empty where one is missing. `signature` may have several, one of which must be ours. */
export type WebhookHeaders = {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
};

/**
 * Whether a request was signed with the secret, lately. Never throws.
 *
 * @param now epoch ms
 */
export function isSignedWebhook(
  secret: string,
  { id, timestamp, signature }: WebhookHeaders,
  body: string,
  now: number,
): boolean {
  const seconds = Number(timestamp);
  if (id === "" || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Math.floor(now / 1000) - seconds) > TOLERANCE) return false;
  try {
    const expected = Buffer.from(signWebhook(secret, id, seconds, body));
    return signature.split(" ").some((it) => {
      const actual = Buffer.from(it);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    });
  } catch {
    return false;
  }
}
