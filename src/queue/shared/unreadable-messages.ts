// Messages that this version does not understand: a newer one has sent them. They go back to the
// queue, and then wait among the dead letters, until that version consumes them.
import { counted } from "../../db/operations/counted.ts";
import { MINUTE, SECOND } from "../../domain/shared/time.ts";
import { isReadableMessage } from "../../domain/shared/versions/message-versions.ts";

/** The pause before the next delivery: 20 minutes with the queue's 20 retries. */
const RETRY_SECONDS = MINUTE / SECOND;
/** The same for dead letters: a day with their 100 retries. */
const DEAD_RETRY_SECONDS = (15 * MINUTE) / SECOND;

/** Every version's messages are objects; anything else is left to the consumer, which drops it. */
const isNewer = (body: unknown) =>
  typeof body === "object" && body !== null && !isReadableMessage(body);

/** Returns what no newer version has sent; the rest is retried later, and logged. */
export function takeReadable(batch: MessageBatch<unknown>, isDead = false): Message<unknown>[] {
  return batch.messages.filter((message) => {
    if (!isNewer(message.body)) return true;
    counted.count("tocsin_queue_failures_total", {});
    console.error({ message: "a queue message is of an unknown version", id: message.id });
    message.retry({ delaySeconds: isDead ? DEAD_RETRY_SECONDS : RETRY_SECONDS });
    return false;
  });
}
