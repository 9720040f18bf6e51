// The retry schedule of outgoing deliveries. Pure.

export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "cancelled"] as const;

/** Result of one attempt. `responseCode` null = no response. */
export type AttemptOutcome = {
  readonly kind: "delivered" | "refused" | "gone" | "again";
  readonly responseCode: number | null;
  readonly reason: string | null;
  /** The delay that the receiver requests (ms). */
  readonly retryAfterMs: number | null;
};

/** Delays between attempts (ms): twelve attempts within a day. */
const RETRY_DELAYS_MS = [
  5_000, 25_000, 90_000, 480_000, 1_200_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000,
  28_800_000, 28_800_000,
] as const;

/** Total time limit from being queued, including time spent behind other deliveries (ms). */
const MAX_AGE_MS = 86_400_000;

/** Upper limit on a delay that the receiver requests (ms). */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** How long to pause deliveries to a receiver (ms); null if it did not ask. */
export function receiverPauseMs({ retryAfterMs }: AttemptOutcome): number | null {
  return retryAfterMs === null ? null : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

/**
 * When to retry after a failed attempt (epoch ms); null = give up.
 *
 * @param tries attempts since it was queued, including this one
 * @param queuedAt when it was queued (epoch ms)
 */
export function nextAttemptAt(
  tries: number,
  queuedAt: number,
  outcome: AttemptOutcome,
  now: number,
): number | null {
  const wait = RETRY_DELAYS_MS[tries - 1];
  if (wait === undefined || now - queuedAt >= MAX_AGE_MS) return null;
  return now + Math.max(wait, receiverPauseMs(outcome) ?? 0);
}

/**
 * Parses `Retry-After`, seconds or a date (RFC 9110, 10.2.3), to ms from `now`; null if invalid.
 * Some providers send fractions of a second.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = /^\s*\d{1,9}(\.\d+)?\s*$/.test(header) ? Number(header) : Number.NaN;
  const milliseconds = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(milliseconds) ? null : Math.max(0, Math.ceil(milliseconds));
}
