// Lanes of the main queue. Miniflare hands over the next batch of a queue once the one before is handled, so that one provider
// that does not answer would hold everybody's pages. The main queue's messages are passed on at once instead, a few at a time,
// each time to the lane with the least to do.
import { sendAll } from "../../kernel/objects/send-all.ts";

/** The queue that the worker sends to. */
export const MAIN_QUEUE = "tocsin-pages";

/** The messages that a lane handles together. In all lanes, as many as a mail server has to take at once from one queue. */
export const LANE_BATCH = 3;

/** By the ends of their names, they are consumed as the main queue is. */
export const LANES: readonly { readonly binding: string; readonly queue: string }[] = Array.from(
  { length: 8 },
  (_, n) => ({ binding: `LANE_${n}`, queue: `lane-${n}-pages` }),
);

/** How many messages wait in each lane, or are handled. One isolate is handed all batches. */
const counts = new Map(LANES.map(({ queue }) => [queue, 0]));

const add = (queue: string, count: number) =>
  counts.set(queue, Math.max(0, (counts.get(queue) ?? 0) + count));

/** Passes a batch of the main queue on, or has one of a lane consumed. A batch is delivered again if this throws. */
export async function throughLanes(
  { queue, messages }: MessageBatch<unknown>,
  lanes: Readonly<Record<string, unknown>>,
  consume: () => Promise<void>,
): Promise<void> {
  if (queue !== MAIN_QUEUE) {
    await consume().finally(() => add(queue, -messages.length));
    return;
  }
  for (let at = 0; at < messages.length; at += LANE_BATCH) {
    const bodies = messages.slice(at, at + LANE_BATCH).map(({ body }) => body);
    const [[free = ""] = []] = [...counts].toSorted(([, one], [, other]) => one - other);
    const lane = LANES.find((it) => it.queue === free)?.binding ?? "";
    add(free, bodies.length);
    await sendAll(lanes[lane] as Queue, bodies);
  }
}
