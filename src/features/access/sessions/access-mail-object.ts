// An access mail, such as a password reset, until it is sent. The object is called before anything
// else is written, so that no crash or outage loses the mail. One consumer at a time may take it.
import type { AccessMail, AccessMailMessage } from "../../../domain/access/access-mail.ts";
import { MailObject, type PendingMail } from "../../../kernel/objects/mail-object.ts";
import type { AccessMailStub } from "../../rpc.ts";
import { derivePassword, type PasswordCost } from "./passwords.ts";

/** Maximum age of a mail (ms): shorter than its link's lifetime. The person may request another. */
const MAX_AGE_MS = 25 * 60_000;

/** How long a consumer may work on the mail (ms): longer than any provider's timeout. */
const LEASE_MS = 20_000;

/** `inHandUntil`: when the consumer's lease ends (epoch ms); 0 while no consumer works on it. */
type Waiting = { readonly mail: AccessMail; readonly inHandUntil: number };

export class AccessMailObject extends MailObject<Waiting> implements AccessMailStub {
  protected override readonly messageFor = (
    { since }: PendingMail<Waiting>,
    now: number,
  ): AccessMailMessage | null =>
    now - since > MAX_AGE_MS ? null : { accessMail: this.ctx.id.name ?? "" };

  /** Expects a mail, which replaces one that is not sent yet. */
  async expect(mail: AccessMail): Promise<void> {
    const before = this.expected();
    // Continuous requests must not postpone the mail: the pending one serves them too.
    if (mail.kind === "password" && before?.mail.kind === "password" && before.asked === 0) return;
    this.begin({ mail, inHandUntil: 0 });
  }

  /** Leases the mail to a consumer; null if there is none or another consumer has it. */
  async take(): Promise<AccessMail | null> {
    const expected = this.expected();
    if (expected === undefined || expected.inHandUntil > Date.now()) return null;
    this.store({ ...expected, inHandUntil: Date.now() + LEASE_MS });
    return expected.mail;
  }

  /**
   * Ends a consumer's work: the mail is over, or waits for a retry.
   *
   * @param at the mail's `at`: a report on an earlier mail does not concern its replacement
   */
  async done(at: number, found: "over" | "waits"): Promise<void> {
    const expected = this.expected();
    if (expected === undefined || expected.mail.at !== at) return;
    if (found === "over") await this.forget();
    else this.store({ ...expected, inHandUntil: 0 });
  }

  /** Derives the hash of a password for `password-work.ts`, in base64url as the salt is. */
  async derivePassword(password: string, salt: string, cost: PasswordCost): Promise<string> {
    const hash = await derivePassword(password, Buffer.from(salt, "base64url"), cost);
    return hash.toString("base64url");
  }
}
