// A fake mail provider: records sent mails and fails on request.
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
  /** Mails that request a response. */
  readonly mails: Mail[];
  /** Mails that only report: another person acknowledged, or the alert was dropped. */
  readonly notices: Mail[];
  /** Mails to people who are added to an account. */
  readonly welcomes: Mail[];
  /** Mails about access: to verify an address, to choose a new password. */
  readonly access: Mail[];
  /** Security notices about changes of a person's access or contacts. */
  readonly security: Mail[];
  /** The error of a send, by subject; null = accept. */
  failure: ((subject: string) => Error | null) | null;
  /** Records the mail, then fails as if the response were lost. */
  loseAnswer: boolean;
};

/**
 * Replaces the binding until the test's mocks are restored. Replaces it as a whole, since the
 * binding creates its methods on access and a mocked method is not always found.
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
    const isNotice = /^\[[A-Z]+\] (Acknowledged|Unanswered): /.test(subject);
    (isNotice ? mailbox.notices : mailbox.mails).push(mail);
    if (mailbox.loseAnswer) throw new Error("connection lost");
    return { messageId: `message-${mailbox.mails.length + mailbox.notices.length}` };
  };
  vi.spyOn(env, "EMAIL", "get").mockReturnValue({ send } as unknown as SendEmail);
  return mailbox;
}

/** An error with a code, as the binding throws it. */
export const refusal = (code: string) => () => Object.assign(new Error("refused"), { code });
