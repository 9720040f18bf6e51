// How password checks are limited. Limits slow guessing down and lock nobody out: an attempt is checked later instead of
// refused, at most half a minute after it was sent. Pure.

/** Password checks at once from one place: hashing a password is expensive on purpose. */
export const MOST_FROM_PLACE = 2;
/** Password checks at once for one person. The last one is left to places that have not failed before. */
export const MOST_FOR_PERSON = 4;

/** Below so many attempts of a place for this person, in the last hour, it counts as one that has not failed. */
export const FEW_FAILURES = 3;

/** Attempts in the last hour after which a place has to pause: for one person, and for anybody (an office). */
const FREE_FOR_PERSON = 5;
const FREE_FOR_ANYBODY = 20;

/** A request waits no longer than this for its check (ms). */
export const LONGEST_WAIT_MS = 28_000;

/** Pauses of a place between one attempt and the next, once it has used its free ones (ms). */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 25_000];

const after = (free: number): readonly number[] => [
  ...Array.from({ length: free }, () => 0),
  ...PAUSES_MS,
];

/** The pause that a place has to make, by how many attempts it has made; the last entry for all beyond (ms). */
export const pausesByCount = {
  forPerson: after(FREE_FOR_PERSON),
  forAnybody: after(FREE_FOR_ANYBODY),
} as const;

/** What an attempt that may not be checked yet has to wait for: attempts of its place in the last hour. */
export type Busy = {
  /** For this person. */
  readonly mine: number;
  readonly anybody: number;
  /** When the latest of them began (epoch ms); 0 without any. */
  readonly latest: number;
};

/** How long to wait before trying again, for the `nth` time from 0: for the pause to end, or for a check to end (ms). */
export function nextTryIn({ mine, anybody, latest }: Busy, nth: number, now: number): number {
  const { forPerson, forAnybody } = pausesByCount;
  const pause = Math.max(forPerson[mine] ?? LAST_PAUSE_MS, forAnybody[anybody] ?? LAST_PAUSE_MS);
  const rest = latest + pause - now;
  return rest > 0 ? rest : Math.min(250 * 2 ** nth, 4_000);
}

const LAST_PAUSE_MS = PAUSES_MS.at(-1) ?? 0;

// ── Places ──

/**
 * The network that an address is counted by: an IPv4 address by itself, an IPv6 address by its /64, which is what one
 * subscriber has at least; anything else as it is.
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

/** The eight groups of an IPv6 address; null for what is none. */
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

/** New links in an hour: asked for from one place for a person, and for a person at all. */
export const LINKS_FROM_PLACE = 3;
export const LINKS_FOR_PERSON = 10;
/** Beyond that the link that is out is sent again: so often in an hour to whoever asks first from a place. */
export const RESENDS_FOR_PERSON = 10;
/** Then, and to one place, no sooner than this after the mail before (ms). */
export const RESEND_PAUSE_MS = 5 * 60_000;
/** A link that is out is sent again while it is younger; it ends after half an hour (ms). */
export const RESEND_LIFE_MS = 20 * 60_000;
