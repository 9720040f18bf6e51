// How long objects wait before they try again.

/** Somebody is asleep: what was refused is tried again at least this often (ms). */
const LONGEST_WAIT_MS = 30_000;

/** In a storm the queue is behind, and copies only put it further behind: less often than what was refused (ms). */
const LONGEST_CONFIRMATION_MS = 60_000;

/** How long to wait for a page's confirmation before handing it over again (ms). */
export function confirmationTimeout(attempts: number): number {
  return Math.min(5_000 * 2 ** attempts, LONGEST_CONFIRMATION_MS);
}

/** How long to wait before trying again what D1 or the queue refused (ms). */
export function retryDelay(failures: number): number {
  return Math.min(1_000 * 2 ** failures, LONGEST_WAIT_MS);
}
