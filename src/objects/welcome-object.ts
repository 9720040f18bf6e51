// A new member's mail, until it is sent: told before the membership is written, so that no crash between the two
// leaves a person without it.
import type { Welcome, WelcomeMessage } from "../domain/welcome.ts";
import { AskingObject } from "./asking-object.ts";
import type { WelcomeStub } from "./rpc.ts";

/** A membership that has not been written by then never was (ms). */
const LONGEST_UNWRITTEN_MS = 600_000;

export class WelcomeObject extends AskingObject<Welcome> implements WelcomeStub {
  protected override readonly messageFor = ({
    accountId,
    accountUserId,
  }: Welcome): WelcomeMessage => ({
    welcome: { accountId, accountUserId },
  });

  /** A membership is about to be written, with the mail that goes with it. */
  async expect(welcome: Welcome): Promise<void> {
    this.begin(welcome);
  }

  /** The consumer's word on the mail: it is over, or there is none, which is over after some time. */
  async done(found: "over" | "none"): Promise<void> {
    const expected = this.expected();
    if (expected === undefined) return;
    if (found === "none" && Date.now() - expected.since < LONGEST_UNWRITTEN_MS) return;
    await this.forget();
  }
}
