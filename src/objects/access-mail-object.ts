// A mail about how somebody gets in, until it is sent: told before anything else is written, so that no crash and no
// outage of the database loses it. Gives the mail to one consumer at a time.
import type { AccessMail, AccessMailMessage } from "../domain/access-mail.ts";
import { AskingObject, type Expected } from "./asking-object.ts";
import type { AccessMailStub } from "./rpc.ts";

/** Shorter than any of their links lives: what could not be sent by then is asked for again by who wants it (ms). */
const LONGEST_MS = 25 * 60_000;

/** How long a consumer has the mail in hand; longer than any provider may take to answer. */
const LEASE_MS = 20_000;

/** `inHandUntil`: epoch ms; 0 while nobody has it in hand. */
type Waiting = { readonly mail: AccessMail; readonly inHandUntil: number };

export class AccessMailObject extends AskingObject<Waiting> implements AccessMailStub {
  protected override readonly messageFor = (
    { since }: Expected<Waiting>,
    now: number,
  ): AccessMailMessage | null =>
    now - since > LONGEST_MS ? null : { accessMail: this.ctx.id.name ?? "" };

  /** A mail is to be sent, in the place of one that was not sent yet. */
  async expect(mail: AccessMail): Promise<void> {
    const before = this.expected();
    // Requests without a pause do not put the mail off: the one that is about to be sent serves them too.
    if (mail.kind === "password" && before?.mail.kind === "password" && before.asked === 0) return;
    this.begin({ mail, inHandUntil: 0 });
  }

  /** The mail for who will send it now; null where there is none, or somebody has it in hand. */
  async take(): Promise<AccessMail | null> {
    const expected = this.expected();
    if (expected === undefined || expected.inHandUntil > Date.now()) return null;
    this.keep({ ...expected, inHandUntil: Date.now() + LEASE_MS });
    return expected.mail;
  }

  /**
   * What became of the mail that was taken: it is over, or waits for another try.
   *
   * @param at the mail's: word on an earlier one is not word on the one that took its place
   */
  async done(at: number, found: "over" | "waits"): Promise<void> {
    const expected = this.expected();
    if (expected === undefined || expected.mail.at !== at) return;
    if (found === "over") await this.forget();
    else this.keep({ ...expected, inHandUntil: 0 });
  }
}
