// Mail by an SMTP server, on a machine of one's own: `npm run serve` binds as `SMTP` what speaks to it. It reports no
// deliveries. A reason of failure contains no address and no text of the server's.
import type { Proof } from "../../domain/operations/provider-health.ts";
import { objectOf, stringOf } from "../../domain/shared/json.ts";
import type { Sent } from "../channel.ts";
import { type MailProvider, mailDomain, type OutgoingMail, SENDER_NAME } from "./mail-provider.ts";

/** The host process answers at any name. */
const URL_OF_HOST = "https://smtp.invalid/";

/** What the host process sends, as JSON. `POST` sends it; `GET` only signs in to the server. */
export type SmtpMail = OutgoingMail["letter"] & {
  readonly from: { readonly name: string; readonly address: string };
  readonly messageId: string;
};

/**
 * Its answer: null after success. `code` is `BUSY` or nodemailer's, as `command` is, `reply` the first words of the server's, which are
 * numbers, as in `550 5.1.1`.
 */
export type SmtpFailure = {
  readonly code: string;
  readonly command: string;
  readonly reply: string;
} | null;

/** The code of a mail that was not sent, as no connection to the server became free in time. */
export const BUSY = "EBUSY";

/** Replies to a recipient that are about the mailbox; others, such as 550 5.7.1, are about us. */
const NO_MAILBOX = /^(?:55[013]$|5\d\d 5\.1\.)/;

async function ask(
  { SMTP }: Cloudflare.Env,
  mail: SmtpMail | null,
  timeoutMs: number,
): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const init = mail === null ? { signal } : { method: "POST", body: JSON.stringify(mail), signal };
  const response = await SMTP?.fetch(URL_OF_HOST, init);
  if (!response?.ok) throw new Error("the host process failed");
  return response.json();
}

/** What a failure means for a mail. */
export function readFailure(failure: unknown): Sent {
  const { code, command, reply } = objectOf(failure);
  if (code === "EAUTH") {
    const reason = "the SMTP server refuses our credentials";
    return { kind: "permanent", reason, areCredentialsRefused: true };
  }
  if (code === BUSY) return { kind: "temporary", reason: "the SMTP server is too slow" };
  const status = Number.parseInt(stringOf(reply), 10);
  if (!(status >= 400)) {
    return { kind: "temporary", reason: "the SMTP server could not be reached" };
  }
  const reason = `the SMTP server answered ${status}`;
  if (status < 500) return { kind: "temporary", reason };
  const isRecipientAtFault = command === "RCPT TO" && NO_MAILBOX.test(stringOf(reply));
  return { kind: "permanent", reason, ...(isRecipientAtFault && { isRecipientAtFault }) };
}

async function send(env: Cloudflare.Env, { letter, id, timeoutMs }: OutgoingMail): Promise<Sent> {
  // The same for every attempt, so that a mail program shows the mail once.
  const messageId = `${id}@${mailDomain(env)}`;
  const from = { name: SENDER_NAME, address: env.EMAIL_FROM };
  try {
    const failure = await ask(env, { ...letter, from, messageId: `<${messageId}>` }, timeoutMs);
    return failure === null ? { kind: "sent", providerId: messageId } : readFailure(failure);
  } catch {
    return { kind: "temporary", reason: "the SMTP server could not be reached" };
  }
}

async function prove(env: Cloudflare.Env, timeoutMs: number): Promise<Proof> {
  const failure = await ask(env, null, timeoutMs).catch(() => ({}));
  if (failure === null) return { kind: "accepted", credit: null };
  return objectOf(failure).code === "EAUTH" ? { kind: "refused" } : { kind: "unreachable" };
}

export const smtp: MailProvider = {
  name: "smtp",
  title: "SMTP",
  send,
  prove,
  canVerify: () => false,
  isSigned: async () => false,
  readReport: () => null,
};
