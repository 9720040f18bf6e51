// Mail by Cloudflare's `send_email` binding. It has no idempotency key, sets `Message-ID` itself and
// reports no deliveries.
import { withTimeout } from "../../kernel/db/timeout.ts";
import type { Sent } from "../channel.ts";
import { type MailProvider, type OutgoingMail, SENDER_NAME } from "./mail-provider.ts";

/** Temporary error codes; all other codes are permanent. */
const TEMPORARY = new Set([
  "E_RATE_LIMIT_EXCEEDED",
  "E_DAILY_LIMIT_EXCEEDED",
  "E_DELIVERY_FAILED",
  "E_INTERNAL_SERVER_ERROR",
]);

async function send(env: Cloudflare.Env, { letter, timeoutMs }: OutgoingMail): Promise<Sent> {
  try {
    const from = { email: env.EMAIL_FROM, name: SENDER_NAME };
    const sending = env.EMAIL.send({ from, ...letter, headers: { ...letter.headers } });
    const { messageId } = await withTimeout(timeoutMs, sending);
    return { kind: "sent", providerId: messageId ?? null };
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    if (typeof code !== "string") return { kind: "temporary", reason: "the mail service failed" };
    const kind = TEMPORARY.has(code) ? "temporary" : "permanent";
    return { kind, reason: `mail service: ${code}` };
  }
}

export const binding: MailProvider = {
  name: "binding",
  title: "Cloudflare",
  send,
  canVerify: () => false,
  isSigned: async () => false,
  readReport: () => null,
};
