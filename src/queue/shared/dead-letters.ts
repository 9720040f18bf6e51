// Consumer of the dead-letter queue. Every dead letter ends with a visible failure.
import { logFault } from "../../db/shared/log-fault.ts";
import { failPage, GIVEN_UP } from "../alerts/fail-page.ts";
import { isPageMessage, isReleaseMessage } from "../alerts/pages.ts";
import { failRelease } from "../alerts/release.ts";
import { takeReadable } from "./unreadable-messages.ts";

/** Handles a batch of dead letters. A message that cannot be recorded now is retried. */
export async function consumeDeadLetters(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
): Promise<void> {
  for (const message of takeReadable(batch, true)) {
    try {
      const { body } = message;
      if (isPageMessage(body)) await failPage(body, env);
      else if (isReleaseMessage(body)) await failRelease(body, GIVEN_UP, env);
      else console.error({ message: "a dead letter is not a page" });
      message.ack();
    } catch (error) {
      logFault("a dead letter could not be recorded", error);
      message.retry({ delaySeconds: 60 });
    }
  }
}
