// A new member's welcome mail, until it is sent. The object is called before the membership is
// written, so that no crash in between loses the mail.
import type { Welcome, WelcomeMessage } from "../../../domain/people/welcome.ts";
import { MailObject } from "../../../kernel/objects/mail-object.ts";
import type { WelcomeStub } from "../../rpc.ts";

/** A membership that is not written by then never will be (ms). */
const MAX_UNWRITTEN_MS = 600_000;

export class WelcomeObject extends MailObject<Welcome> implements WelcomeStub {
  protected override readonly messageFor = ({
    accountId,
    accountUserId,
  }: Welcome): WelcomeMessage => ({
    welcome: { accountId, accountUserId },
  });

  /** Expects a mail, before its membership is written. */
  async expect(welcome: Welcome): Promise<void> {
    this.begin(welcome);
  }

  /** Ends the mail: it is over, or still has no membership after the maximum time. */
  async done(found: "over" | "none"): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    if (found === "none" && Date.now() - expected.since < MAX_UNWRITTEN_MS) return;
    await this.forget();
  }
}
