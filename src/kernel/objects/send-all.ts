// Sends messages to a queue, in batches as large as it accepts.
import { tagged } from "../../domain/shared/message-versions.ts";
import { withTimeout } from "../db/timeout.ts";
import type { Sender } from "./pages-queue.ts";

/** A batch is limited to 100 messages and 256 KB, of which the envelope takes a part. */
const MAX_MESSAGES = 100;
const MAX_BYTES = 200_000;

/** Timeout of a batch (ms). */
const TIMEOUT_MS = 10_000;

/**
 * Sends all messages, in order, with their kinds and versions. Throws at the first batch that is refused or
 * times out.
 */
export async function sendAll(queue: Sender, bodies: readonly unknown[]): Promise<void> {
  let batch: { body: unknown }[] = [];
  let bytes = 0;
  for (const untagged of bodies) {
    const body = tagged(untagged);
    const size = new TextEncoder().encode(JSON.stringify(body)).length;
    if (batch.length > 0 && (batch.length >= MAX_MESSAGES || bytes + size > MAX_BYTES)) {
      await withTimeout(TIMEOUT_MS, queue.sendBatch(batch));
      batch = [];
      bytes = 0;
    }
    batch.push({ body });
    bytes += size;
  }
  if (batch.length > 0) await withTimeout(TIMEOUT_MS, queue.sendBatch(batch));
}
