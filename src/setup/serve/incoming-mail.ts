// Receives mail to integrations by SMTP, and passes it to the worker. A sender is answered once the worker has stored the event.
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { log } from "./log.ts";
import type { MailOutcome } from "./worker.ts";

/** Larger than any text of an alert; the message is in memory. */
const MAX_BYTES = 10_485_760;
const MAX_CLIENTS = 20;
const MAX_RECIPIENTS = 10;
const SILENCE_MS = 60_000;

/** The address of an integration; which of them exist, only the worker knows. */
const INTEGRATION = /^[0-9a-z]{32}(?:\+[^@]*)?@/i;

/** A refusal for the sending server: its reply code and its words. */
type Refusal = { readonly code: number; readonly text: string };

const TEMPORARY: Refusal = { code: 451, text: "Try again later" };
const UNKNOWN: Refusal = { code: 550, text: "No such address" };
const TOO_LARGE: Refusal = { code: 552, text: "The message is too large" };
const TOO_MANY: Refusal = { code: 452, text: "Too many recipients" };

const errorOf = (refusal: Refusal | null) =>
  refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code });

/** The message; null if it is too large. It is read to its end in any case, so that its sender gets the answer. */
async function readMessage(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for await (const part of stream) if (!stream.sizeExceeded) parts.push(part as Buffer);
  return stream.sizeExceeded ? null : Buffer.concat(parts);
}

async function deliver(
  worker: URL,
  from: string,
  to: string,
  message: Buffer,
): Promise<MailOutcome> {
  const url = new URL(worker);
  url.search = String(new URLSearchParams({ from, to }));
  const response = await fetch(url, { method: "POST", body: new Uint8Array(message) });
  return response.ok ? ((await response.json()) as MailOutcome) : { kind: "temporary" };
}

/** Passes a message on to each of its recipients. @returns the refusal for its sender */
async function receive(
  worker: URL,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<Refusal | null> {
  const message = await readMessage(stream);
  if (message === null) return TOO_LARGE;
  const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
  const outcomes = await Promise.all(
    envelope.rcptTo.map(({ address }) => deliver(worker, from, address, message)),
  );
  // Repeated for all recipients: those that have it count it as the same message.
  if (outcomes.some(({ kind }) => kind === "temporary")) return TEMPORARY;
  const rejected = outcomes.find((it) => it.kind === "rejected");
  const isAccepted = outcomes.some(({ kind }) => kind === "accepted");
  return rejected && !isAccepted ? { code: 550, text: rejected.reason } : null;
}

/**
 * Listens on every address of the machine, since senders find it by an MX record.
 *
 * @param worker its entrance for mail
 * @returns what stops it, once it listens; rejects if it cannot
 */
export async function receiveMail(port: number, worker: URL): Promise<() => Promise<void>> {
  const server = new SMTPServer({
    banner: "Tocsin",
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    socketTimeout: SILENCE_MS,
    logger: false,
    // Whoever has the address of an integration may send to it. The built-in certificate is published, and so of no use.
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onRcptTo: ({ address }, { envelope }, done) => {
      const isOver = envelope.rcptTo.length >= MAX_RECIPIENTS;
      done(errorOf(isOver ? TOO_MANY : INTEGRATION.test(address) ? null : UNKNOWN));
    },
    onData: (stream, session, done) => {
      receive(worker, stream, session).then(
        (refusal) => done(errorOf(refusal)),
        (error: Error) => {
          log("error", "a mail was not taken", { error: error.message });
          stream.resume();
          done(errorOf(TEMPORARY));
        },
      );
    },
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, done);
  });
  server.on("error", (error: Error) =>
    log("warn", "a mail connection failed", { error: error.message }),
  );
  return () => new Promise((done) => server.close(done));
}
