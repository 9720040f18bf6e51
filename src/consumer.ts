// Dispatches queue batches to their consumers.
import { SECOND } from "./domain/shared/time.ts";
import { consumeDeadLetters } from "./features/notifications/pages/dead-letters.ts";
import { consumeMessages, type Later } from "./features/operations/messages/consume-messages.ts";
import { counted } from "./kernel/metrics/counted.ts";
import { reportSoon } from "./kernel/metrics/report-counts.ts";

/** Handles a batch of any queue of this worker, and counts it. */
export async function consume(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  try {
    await dispatch(batch, env, later);
  } catch (error) {
    counted.count("tocsin_queue_failures_total", {});
    throw error;
  } finally {
    await reportSoon(env, later);
  }
}

async function dispatch(
  batch: MessageBatch<unknown>,
  env: Cloudflare.Env,
  later: Later,
): Promise<void> {
  // A deployment's queues are called after its worker.
  if (batch.queue.endsWith("-pages-dead")) {
    counted.count("tocsin_dead_letters_total", {}, batch.messages.length);
    return consumeDeadLetters(batch, env);
  }
  if (!batch.queue.endsWith("-pages")) throw new Error(`no consumer for the queue ${batch.queue}`);
  for (const { timestamp } of batch.messages) {
    const age = Math.max(0, Date.now() - timestamp.getTime()) / SECOND;
    counted.observe("tocsin_queue_age_seconds", {}, age);
  }
  return consumeMessages(batch.messages, env, later);
}
