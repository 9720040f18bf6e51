// Which consumer a batch is for.
import { isWelcomeMessage } from "../domain/welcome.ts";
import { consumeDeadLetters } from "./dead-letters.ts";
import { consumePages, type QueueMessage } from "./pages.ts";
import { sendWelcome } from "./welcomes.ts";

/** Handles a batch of any of our queues. */
export async function consume(batch: MessageBatch<unknown>, env: Cloudflare.Env): Promise<void> {
  switch (batch.queue) {
    case "tocsin-pages":
      return consumeAll(batch, env);
    case "tocsin-pages-dead":
      return consumeDeadLetters(batch, env);
    default:
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}

/** Pages, and among them the mails of new members. */
async function consumeAll(batch: MessageBatch<unknown>, env: Cloudflare.Env): Promise<void> {
  const pages: Message<unknown>[] = [];
  const welcomes: Promise<void>[] = [];
  for (const message of batch.messages) {
    const { body } = message;
    if (isWelcomeMessage(body)) {
      welcomes.push(sendWelcome(body.welcome, env).then(() => message.ack()));
    } else pages.push(message);
  }
  await Promise.all([
    consumePages({ messages: pages as Message<QueueMessage>[] }, env),
    ...welcomes,
  ]);
}
