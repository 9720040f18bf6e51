// Messages to a queue, in batches as large as it takes.
import { within } from "../db/within.ts";

/** The queue takes 100 messages and 256 KB at once; a little is left for what surrounds them. */
const MOST_MESSAGES = 100;
const MOST_BYTES = 200_000;

/** How long a queue may take for a batch (ms). */
const PATIENCE_MS = 10_000;

/** Sends all, in order; throws at the first batch that is not taken, or not in time. */
export async function sendAll<Body>(queue: Queue<Body>, bodies: readonly Body[]): Promise<void> {
  let batch: { body: Body }[] = [];
  let bytes = 0;
  for (const body of bodies) {
    const size = new TextEncoder().encode(JSON.stringify(body)).length;
    if (batch.length > 0 && (batch.length >= MOST_MESSAGES || bytes + size > MOST_BYTES)) {
      await within(PATIENCE_MS, queue.sendBatch(batch));
      batch = [];
      bytes = 0;
    }
    batch.push({ body });
    bytes += size;
  }
  if (batch.length > 0) await within(PATIENCE_MS, queue.sendBatch(batch));
}
