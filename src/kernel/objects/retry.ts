// Retry delays of the objects.

/** Maximum delay after a refusal (ms): a page may be waiting. */
const MAX_RETRY_DELAY_MS = 30_000;

/** Maximum confirmation timeout (ms). Longer: copies would delay a busy queue further. */
const MAX_CONFIRMATION_MS = 60_000;

/** How long to wait for a confirmation before sending again (ms). */
export function confirmationTimeout(attempts: number): number {
  return Math.min(5_000 * 2 ** attempts, MAX_CONFIRMATION_MS);
}

/** How long to wait before retrying what D1 or the queue refused (ms). */
export function retryDelay(failures: number): number {
  return Math.min(1_000 * 2 ** failures, MAX_RETRY_DELAY_MS);
}
