// Stands in for the mail provider: records what is sent, and fails when told to.
import { env } from "cloudflare:workers";
import { vi } from "vitest";

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: number;
};

export type Mailbox = {
  /** Those that ask somebody to answer. */
  readonly mails: Mail[];
  /** Those that only tell how it went: somebody else has acknowledged, nobody has answered. */
  readonly notices: Mail[];
  /** Those that people get when they are added to an account. */
  readonly welcomes: Mail[];
  /** Those that have to do with how somebody gets in: to verify an address, to choose a new password. */
  readonly access: Mail[];
  /** Those that tell a person of a change of their access or their contacts. */
  readonly security: Mail[];
  /** What the next sends answer, each by its subject; null = taken. */
  failure: ((subject: string) => Error | null) | null;
  /** Sent, but the answer is lost. */
  loseAnswer: boolean;
};

/**
 * Replaces the binding until the test's mocks are restored. The whole binding: its methods are made up when they are
 * asked for, and one that was put in their place is not always found.
 */
export function openMailbox(): Mailbox {
  const mailbox: Mailbox = {
    mails: [],
    notices: [],
    welcomes: [],
    access: [],
    security: [],
    failure: null,
    loseAnswer: false,
  };
  const send = async (message: unknown) => {
    const { to, subject, text, html, headers } = message as Mail;
    const failure = mailbox.failure?.(subject);
    if (failure) throw failure;
    const mail = { to, subject, text, html, headers, at: Date.now() };
    if (/^(Your access to|Invitation to join) /.test(subject)) {
      mailbox.welcomes.push(mail);
      if (mailbox.loseAnswer) throw new Error("connection lost");
      return { messageId: `welcome-${mailbox.welcomes.length}` };
    }
    if (
      /^(Verify this address|Choose a new password|You sign in without|Confirm your sign-in)/.test(
        subject,
      )
    ) {
      mailbox.access.push(mail);
      if (mailbox.loseAnswer) throw new Error("connection lost");
      return { messageId: `access-${mailbox.access.length}` };
    }
    if (/^Security notice: /.test(subject)) {
      mailbox.security.push(mail);
      if (mailbox.loseAnswer) throw new Error("connection lost");
      return { messageId: `security-${mailbox.security.length}` };
    }
    const only = /^\[[A-Z]+\] (Acknowledged|Dropped): /.test(subject);
    (only ? mailbox.notices : mailbox.mails).push(mail);
    if (mailbox.loseAnswer) throw new Error("connection lost");
    return { messageId: `message-${mailbox.mails.length + mailbox.notices.length}` };
  };
  vi.spyOn(env, "EMAIL", "get").mockReturnValue({ send } as unknown as SendEmail);
  return mailbox;
}

/** A provider's refusal with a code, as the binding throws it. */
export const refusal = (code: string) => () => Object.assign(new Error("refused"), { code });
