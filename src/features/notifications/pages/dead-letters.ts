// Consumer of the dead-letter queue. Every dead letter ends with a visible failure.
import { logFault } from "../../../kernel/db/log-fault.ts";
import { failPage, GIVEN_UP } from "./fail-page.ts";
import { readMessages } from "./read-messages.ts";
import { failRelease } from "./release.ts";

/** Handles a batch of dead letters. A message that cannot be recorded now is retried. */
export async function consumeDeadLetters(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
): Promise<void> {
  for (const { kind, body, message } of readMessages(batch, true)) {
    try {
      if (kind === "page") await failPage(body, env);
      else if (kind === "release") await failRelease(body, GIVEN_UP, env);
      else console.error({ message: "a dead letter is not a page", kind });
      message.ack();
    } catch (error) {
      logFault("a dead letter could not be recorded", error);
      message.retry({ delaySeconds: 60 });
    }
  }
}
