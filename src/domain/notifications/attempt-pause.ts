// How long a message waits after a temporary failure. Pure.

/** A server may ask for days: by then nobody would be told that the page did not arrive. */
export const MAX_PAUSE_MS = 300_000;

/**
 * The pause before the next attempt (ms): doubled by each, and not shorter than the provider asks,
 * up to five minutes.
 *
 * @param attempts so far, at least 1
 */
export const pauseAfter = (attempts: number, retryAfterMs = 0): number =>
  Math.min(Math.max(1_000 * 2 ** attempts, retryAfterMs), MAX_PAUSE_MS);
