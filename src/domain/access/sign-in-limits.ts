// Rate limits for password checks. They slow guessing without locking anyone out: an attempt is
// delayed instead of refused, by at most half a minute. A "place" is a network (`addressGroup`). Pure.

/** Concurrent password checks per network: hashing is deliberately expensive. */
export const MAX_CHECKS_PER_NETWORK = 2;
/** Concurrent checks per person. The last slot is for networks without recent failures. */
export const MAX_CHECKS_PER_PERSON = 4;

/** With fewer attempts for a person in the last hour, a network counts as without failures. */
export const FEW_FAILURES = 3;

/**
 * Attempts per hour from a network before delays apply: for one person, and for all (an office).
 */
const FREE_FOR_PERSON = 5;
const FREE_FOR_ANYBODY = 20;

/** Maximum wait of a request for its check (ms). */
export const MAX_WAIT_MS = 28_000;

/** Delays between attempts from one network after the free ones (ms). */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 25_000];

const delaysAfter = (free: number): readonly number[] => [
  ...Array.from({ length: free }, () => 0),
  ...PAUSES_MS,
];

/** The delay of a network by its number of attempts (ms); the last entry applies beyond. */
export const pausesByCount = {
  forPerson: delaysAfter(FREE_FOR_PERSON),
  forAnybody: delaysAfter(FREE_FOR_ANYBODY),
} as const;

/** The recent load that delays an attempt: attempts from its network in the last hour. */
export type RecentAttempts = {
  /** For this person. */
  readonly mine: number;
  readonly anybody: number;
  /** Start of the latest one (epoch ms); 0 without any. */
  readonly latest: number;
};

/** How long to wait before retry `nth` (from 0), in ms: for the delay, or for a running check. */
export function retryDelayMs(
  { mine, anybody, latest }: RecentAttempts,
  nth: number,
  now: number,
): number {
  const { forPerson, forAnybody } = pausesByCount;
  const pause = Math.max(forPerson[mine] ?? LAST_PAUSE_MS, forAnybody[anybody] ?? LAST_PAUSE_MS);
  const rest = latest + pause - now;
  return rest > 0 ? rest : Math.min(250 * 2 ** nth, 4_000);
}

const LAST_PAUSE_MS = PAUSES_MS.at(-1) ?? 0;

// ── Mails for a forgotten password ──

/** New links per hour: for a person from one network, and for a person in total. */
export const LINKS_PER_NETWORK = 3;
export const LINKS_PER_PERSON = 10;
/**
 * Beyond that the current link is sent again, this often per hour to each network's first request.
 */
export const RESENDS_PER_PERSON = 10;
/** After that, and per network, the minimum interval since the previous mail (ms). */
export const RESEND_PAUSE_MS = 5 * 60_000;
/** Maximum age of a link that is sent again (ms); links expire after half an hour. */
export const MAX_RESEND_AGE_MS = 20 * 60_000;
