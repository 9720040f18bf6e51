// Slack's signature of its requests (https://docs.slack.dev/authentication/verifying-requests-from-slack):
// `X-Slack-Signature` is `v0=` and the hexadecimal HMAC-SHA256 of `v0:<timestamp>:<body>` with the
// app's signing secret; requests older than five minutes are to be refused.
import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE } from "../../../domain/shared/time.ts";

/** How far a request's timestamp may be from now (ms). */
export const SLACK_TOLERANCE_MS = 5 * MINUTE;

/**
 * Whether Slack has signed a request with the secret, at most five minutes ago.
 *
 * @param body as it was received
 * @param now epoch ms
 */
export function isSignedBySlack(
  secret: string,
  headers: Headers,
  body: Uint8Array,
  now: number,
): boolean {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  const signature = headers.get("x-slack-signature") ?? "";
  if (secret === "" || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp) * 1000) > SLACK_TOLERANCE_MS) return false;
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const [expected, actual] = [Buffer.from(`v0=${digest}`), Buffer.from(signature)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
