// A stand-in of a mail server: takes mail by SMTP, and has its messages.
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

type Letter = {
  readonly at: number;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
};

export type Mailbox = {
  /** As SMTP_URL has it. */
  readonly url: string;
  readonly letters: readonly Letter[];
  /** What it answers instead of taking a mail; null: it takes it. */
  refusal: { readonly code: number; readonly text: string } | null;
  /** How long it takes to take a mail (ms). */
  delayMs: number;
  /** The mails to this address are not taken, and nothing is said, until the other end gives up; null: all are. */
  silentTo: string | null;
  /** The connections on which such a mail waits now. */
  readonly waiting: Set<string>;
  readonly close: () => Promise<void>;
};

const USER = "tocsin";
const PASSWORD = "pass/word@1";

export async function openMailbox(): Promise<Mailbox> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _, done) => {
      const isRight = username === USER && password === PASSWORD;
      done(isRight ? null : new Error("wrong credentials"), { user: USER });
    },
    onRcptTo: (_address, _session, done) => {
      const { refusal } = mailbox;
      if (refusal === null) return done();
      done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onClose: ({ id }) => mailbox.waiting.delete(id),
    onData: (stream, { id, envelope }, done) => {
      if (envelope.rcptTo[0]?.address === mailbox.silentTo) {
        mailbox.waiting.add(id);
        return void stream.resume();
      }
      const take = async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        await new Promise((done) => setTimeout(done, mailbox.delayMs));
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        letters.push({
          ...{ at: Date.now(), to: envelope.rcptTo[0]?.address ?? "", subject: mail.subject ?? "" },
          ...{ text: mail.text ?? "", messageId: mail.messageId ?? "" },
        });
      };
      take().then(() => done(), done);
    },
  });
  // Whoever sends may be killed in the middle of a mail.
  server.on("error", () => {});
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.server.address() as AddressInfo;
  const mailbox: Mailbox = {
    url: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    letters,
    refusal: null,
    ...{ delayMs: 0, silentTo: null, waiting: new Set() },
    close: () => new Promise((done) => server.close(() => done())),
  };
  return mailbox;
}

/** The notifications that were mailed, and when. */
export const notificationsOf = ({ letters }: Pick<Mailbox, "letters">) =>
  letters.map(({ at, messageId }) => ({
    notificationId: messageId.replace(/^<|@.*$/g, ""),
    at,
  }));
