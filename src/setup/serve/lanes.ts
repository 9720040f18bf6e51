// Lanes of the main queue. Miniflare hands over the next batch of a queue once the one before is handled, so that one provider
// that does not answer would hold everybody's pages. The main queue's messages are passed on at once instead, a few at a time,
// each time to the lane with the least to do.
import { sendAll } from "../../kernel/objects/send-all.ts";

/** The queue that the worker sends to. */
export const MAIN_QUEUE = "tocsin-pages";

/** The messages that a lane handles together. In all lanes, as many as a mail server has to take at once from one queue. */
export const LANE_BATCH = 3;

type Lane = { readonly binding: string; readonly queue: string };

/** By the ends of their names, they are consumed as the main queue is. */
export const LANES: readonly Lane[] = Array.from({ length: 8 }, (_, n) => ({
  binding: `LANE_${n}`,
  queue: `lane-${n}-pages`,
}));

/** How many messages wait in each lane, or are handled. One isolate is handed all batches. */
const counts = new Map(LANES.map(({ queue }) => [queue, 0]));

const countOf = ({ queue }: Lane): number => counts.get(queue) ?? 0;

/** What came back to a lane by a retry was not counted again. */
const add = (lane: Lane, count: number) =>
  counts.set(lane.queue, Math.max(0, countOf(lane) + count));

const freest = (): Lane =>
  LANES.reduce((one, other) => (countOf(other) < countOf(one) ? other : one));

/** Passes a batch of the main queue on, or has one of another queue consumed. A batch is delivered again if this throws. */
export async function throughLanes(
  { queue, messages }: MessageBatch<unknown>,
  bindings: Readonly<Record<string, unknown>>,
  consume: () => Promise<void>,
): Promise<void> {
  if (queue !== MAIN_QUEUE) {
    const lane = LANES.find((it) => it.queue === queue);
    await consume().finally(() => lane && add(lane, -messages.length));
    return;
  }
  for (let at = 0; at < messages.length; at += LANE_BATCH) {
    const bodies = messages.slice(at, at + LANE_BATCH).map(({ body }) => body);
    const lane = freest();
    // Before it is sent: it may be handled before the answer is here.
    add(lane, bodies.length);
    await sendAll(bindings[lane.binding] as Queue, bodies).catch((error: unknown) => {
      add(lane, -bodies.length);
      throw error;
    });
  }
}
