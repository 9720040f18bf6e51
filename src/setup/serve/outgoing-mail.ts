// Sends the worker's mail by the configured SMTP server.
import { type Request, Response } from "miniflare";
import { createTransport, type SendMailOptions } from "nodemailer";
import PQueue from "p-queue";
import { BUSY, type SmtpFailure, type SmtpMail } from "../../products/mail/smtp.ts";

/** Connections that are open at the same time. */
const MAX_CONNECTIONS = 10;
/** How long a mail waits for a connection, and the server may be silent (ms): together no longer than the worker waits. */
const WAIT_MS = 2_000;
const SILENCE_MS = 6_000;

type Failure = Error & {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
};

/** What the worker is told: nothing of the texts, which may have addresses. */
function failureOf({ code, command, response, responseCode }: Failure): SmtpFailure {
  const [enhanced = ""] = /(?<=^\d{3}[ -])[245]\.\d{1,3}\.\d{1,3}/.exec(response ?? "") ?? [];
  const reply = responseCode === undefined ? "" : `${responseCode} ${enhanced}`.trim();
  return { code: code ?? "", command: command ?? "", reply };
}

/** Answers the worker's requests: a mail to send, or whether the server accepts our credentials. */
export function createMailSender(smtpUrl: string): (request: Request) => Promise<Response> {
  const timeouts = {
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
  };
  const pool = { pool: true as const, maxConnections: MAX_CONNECTIONS };
  const transport = createTransport({ url: smtpUrl, ...pool, ...timeouts });
  // Before the pool, whose queue sends a mail late that the worker has given up and sends again.
  const queue = new PQueue({ concurrency: MAX_CONNECTIONS });
  const sendInTurn = (mail: SendMailOptions) => {
    const waiting = new AbortController();
    const timer = setTimeout(
      () => waiting.abort(Object.assign(new Error("no connection is free"), { code: BUSY })),
      WAIT_MS,
    );
    const send = () => {
      clearTimeout(timer);
      return transport.sendMail(mail);
    };
    return queue.add(send, { signal: waiting.signal });
  };
  return async (request) => {
    try {
      if (request.method === "POST") {
        const { headers, ...mail } = (await request.json()) as SmtpMail;
        // Nothing of a mail is read from a file or an address, whatever its fields say.
        await sendInTurn({
          ...{ ...mail, headers: { ...headers } },
          ...{ disableFileAccess: true, disableUrlAccess: true },
        });
      } else await transport.verify();
      return Response.json(null);
    } catch (error) {
      return Response.json(failureOf(error as Failure));
    }
  };
}
