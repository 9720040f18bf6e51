// Sends mails through Cloudflare's `send_email` binding, or through Resend if its key is set. A
// reason of failure contains no address and no text of the service.
import { createHash } from "node:crypto";
import type { Sent } from "../channel.ts";

/** A rendered mail. `headers` contains only headers that both services accept. */
export type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

const NAME = "Tocsin";
const RESEND = "https://api.resend.com/emails";

/** Shorter than the queue consumer's timeout. */
const TIMEOUT_MS = 8_000;

/** Upper limit of a service's `Retry-After` (ms). */
const MAX_RETRY_AFTER_MS = 300_000;

/** The binding's temporary error codes; all other codes are permanent. */
const TEMPORARY = new Set([
  "E_RATE_LIMIT_EXCEEDED",
  "E_DAILY_LIMIT_EXCEEDED",
  "E_DELIVERY_FAILED",
  "E_INTERNAL_SERVER_ERROR",
]);

/** Resend errors with status 429 that last longer than a page may wait. */
const QUOTA_EXCEEDED = new Set(["daily_quota_exceeded", "monthly_quota_exceeded"]);

export const isMailSetUp = (env: Cloudflare.Env): boolean =>
  Boolean(env.RESEND_API_KEY) || env.EMAIL !== undefined;

/** The domain of our `Message-ID`s. */
export const mailDomain = (env: Cloudflare.Env): string => env.EMAIL_FROM.split("@")[1] ?? "tocsin";

/** Sends a mail. `id` is the same for every attempt of the same mail. Never throws. */
export function sendMail(env: Cloudflare.Env, letter: Letter, id: string): Promise<Sent> {
  return env.RESEND_API_KEY
    ? sendByResend(env, env.RESEND_API_KEY, letter, id)
    : sendByBinding(env, letter);
}

/** The binding has no idempotency key and sets `Message-ID` itself. */
async function sendByBinding(env: Cloudflare.Env, letter: Letter): Promise<Sent> {
  try {
    const from = { email: env.EMAIL_FROM, name: NAME };
    const { messageId } = await env.EMAIL.send({ from, ...letter, headers: { ...letter.headers } });
    return { kind: "sent", providerId: messageId ?? null };
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    if (typeof code !== "string") return { kind: "temporary", reason: "the mail service failed" };
    const kind = TEMPORARY.has(code) ? "temporary" : "permanent";
    return { kind, reason: `mail service: ${code}` };
  }
}

async function sendByResend(
  env: Cloudflare.Env,
  key: string,
  { to, subject, text, html, headers }: Letter,
  id: string,
): Promise<Sent> {
  const messageId = { "Message-ID": `<${id}@${mailDomain(env)}>` };
  const from = `${NAME} <${env.EMAIL_FROM}>`;
  const mail = { from, to: [to], subject, text, html, headers: { ...headers, ...messageId } };
  const body = JSON.stringify(mail);
  // Resend refuses a known key with another body; a retry can have one, so the key has a digest.
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  try {
    const response = await fetch(RESEND, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": `${id}/${digest}`,
        "User-Agent": NAME,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The mail is accepted even if the response body cannot be read.
    const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null;
    return readAnswer(response, answer);
  } catch {
    return { kind: "temporary", reason: "Resend could not be reached" };
  }
}

function readAnswer(response: Response, answer: Record<string, unknown> | null): Sent {
  const { status, ok, headers } = response;
  if (ok) return { kind: "sent", providerId: typeof answer?.id === "string" ? answer.id : null };
  const name =
    typeof answer?.name === "string" && /^[a-z_]{1,64}$/.test(answer.name) && answer.name;
  const reason = `Resend: ${name || status}`;
  if (name && QUOTA_EXCEEDED.has(name)) return { kind: "permanent", reason };
  const isInProgress = status === 409 && name === "concurrent_idempotent_requests";
  if (status === 408 || status === 429 || status >= 500 || isInProgress) {
    return { kind: "temporary", reason, retryAfterMs: parseRetryAfter(headers.get("retry-after")) };
  }
  // 403 is also that of a domain that is not verified: no mail leaves either way.
  const isRefusal = status === 401 || status === 403;
  return { kind: "permanent", reason, ...(isRefusal && { areCredentialsRefused: true }) };
}

/** `Retry-After` in ms: seconds or a date; 0 if it is missing or invalid. */
function parseRetryAfter(value: string | null): number {
  if (value === null) return 0;
  const seconds = /^\d{1,9}(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
  const ms = seconds === null ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), MAX_RETRY_AFTER_MS) : 0;
}
