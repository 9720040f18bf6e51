// Which consumer a batch is for.
import type { PageMessage } from "../domain/page.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumePages } from "./pages.ts";

/** Handles a batch of any of our queues. */
export async function consume(batch: MessageBatch<unknown>, env: Cloudflare.Env): Promise<void> {
  switch (batch.queue) {
    case "tocsin-pages":
      return consumePages(batch as MessageBatch<PageMessage>, env);
    case "tocsin-pages-dead":
      return consumeDeadLetters(batch as MessageBatch<PageMessage>, env);
    default:
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}
