// When something that is told to another service is tried again, and when it is given up. Pure.

export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "cancelled"] as const;

/** What came of one attempt. `responseCode` null = there was no answer. */
export type AttemptOutcome = {
  readonly kind: "delivered" | "refused" | "gone" | "again";
  readonly responseCode: number | null;
  readonly reason: string | null;
  /** For how long the receiver asks for quiet (ms). */
  readonly retryAfterMs: number | null;
};

/** Between two attempts (ms): twelve of them in a day. */
const WAITS_MS = [
  5_000, 25_000, 90_000, 480_000, 1_200_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000,
  28_800_000, 28_800_000,
] as const;

/** However long it waited behind others, this long after it was queued it is not tried again (ms). */
const LONGEST_MS = 86_400_000;

/** A receiver's wish for quiet is heard up to this long (ms). */
const LONGEST_QUIET_MS = 3_600_000;

/** For how long a receiver is left alone (ms), null when it has not asked. */
export function quietOf({ retryAfterMs }: AttemptOutcome): number | null {
  return retryAfterMs === null ? null : Math.min(retryAfterMs, LONGEST_QUIET_MS);
}

/**
 * When to try again after an attempt that brought no answer, or a bad one (epoch ms); null = never: it has failed.
 *
 * @param tries attempts since it was queued, this one included
 * @param queuedAt when that was (epoch ms)
 */
export function nextAttemptAt(
  tries: number,
  queuedAt: number,
  outcome: AttemptOutcome,
  now: number,
): number | null {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined || now - queuedAt >= LONGEST_MS) return null;
  return now + Math.max(wait, quietOf(outcome) ?? 0);
}

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3), as ms from `now`; null when there is none. */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) : Number.NaN;
  const milliseconds = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}
