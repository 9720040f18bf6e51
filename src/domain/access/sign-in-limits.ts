// Rate limits for password checks. They slow guessing without locking anyone out: an attempt is
// delayed instead of refused, by at most half a minute. A "place" is a network (`networkOf`). Pure.

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

// ── Places ──

/**
 * The network of an address: an IPv4 address itself, the /64 of an IPv6 address (the least that a
 * subscriber gets); other text unchanged.
 */
export function networkOf(address: string): string {
  const text = address.trim().toLowerCase();
  const mapped = /^::(?:ffff:(?:0:)?)?(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = groupsOf(text);
  if (groups === null) return text;
  const isMapped = groups.slice(0, 5).every((it) => it === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((it) => [it >> 8, it & 255])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((it) => it.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an IPv6 address; null if invalid. */
function groupsOf(text: string): readonly number[] | null {
  const halves = text.replace(/%.*$/, "").split("::");
  if (!text.includes(":") || halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const all = [
    ...head,
    ...Array.from({ length: halves.length === 1 ? 0 : missing }, () => "0"),
    ...tail,
  ];
  return all.every((it) => /^[0-9a-f]{1,4}$/.test(it))
    ? all.map((it) => Number.parseInt(it, 16))
    : null;
}

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
