// Limits failed authentication per network address, before any query to the database or an object.
//
// A credential that this deployment issued is recognized by its MAC and is never refused because of
// its address. A wrong one is refused and counted without a look-up. Only names without a MAC (bare
// ids, keys made by `npm run setup`) need one to be told apart.
//
// The platform's limiter counts every call to it, so it is called only for failures; once it
// refuses, the isolate blocks the address itself for a while. Counts are per location of the
// platform; blocks and cached names are per isolate.
import { addressGroup } from "../../domain/access/address-group.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { DAY, MINUTE, SECOND } from "../../domain/shared/time.ts";
import type { Provenance } from "../credentials.ts";

const TOO_MANY_REQUESTS = refuse("too_many", "too many requests; slow down");
const BUSY = refuse("unavailable", "too many requests; send it again");

/** How long an address is blocked, equal to `Retry-After` (ms). */
const BLOCKED_MS = 10 * SECOND;
/** How long a credential that does not exist is cached (ms). */
const WRONG_MS = MINUTE;
/** How long a name without a MAC that exists is cached (ms). */
const KNOWN_MS = DAY;
/** Maximum of different names without a MAC that one address may have look-ups of in progress. */
const MAX_CONCURRENT = 60;
/** Maximum of look-ups of such names from addresses over their limit, per isolate and minute. */
const MAX_SPARE = 60;
const MAX_CACHED = 10_000;

/** A bounded set of keys with expiry; at the bound the oldest is evicted. */
class ExpiringSet {
  readonly #until = new Map<string, number>();

  has(key: string, now: number): boolean {
    return (this.#until.get(key) ?? 0) > now;
  }

  add(key: string, until: number): void {
    this.#until.delete(key);
    if (this.#until.size >= MAX_CACHED) {
      const [oldest] = this.#until.keys();
      if (oldest !== undefined) this.#until.delete(oldest);
    }
    this.#until.set(key, until);
  }
}

const blocked = new ExpiringSet();
const wrong = new ExpiringSet();
const known = new ExpiringSet();
/** Numbers of look-ups of unknown names in progress, by address group and name. */
const running = new Map<string, Map<string, number>>();
let spare = { until: 0, left: 0 };

/** The refusal if the address is blocked, else null. Makes no call. */
export function refuseIfBlocked(
  env: Cloudflare.Env,
  address: string | null | undefined,
): Refusal | null {
  if (env.RATE_LIMITS === "off") return null;
  return blocked.has(addressGroup(address), Date.now()) ? TOO_MANY_REQUESTS : null;
}

/** Counts a failure of the address; returns the refusal if the address is over the limit. */
export async function countFailure(
  env: Cloudflare.Env,
  address: string | null | undefined,
): Promise<Refusal | null> {
  if (env.RATE_LIMITS === "off") return null;
  const refusal = refuseIfBlocked(env, address);
  if (refusal) return refusal;
  const group = addressGroup(address);
  const { success } = await env.STRANGER_RATE.limit({ key: group });
  if (success) return null;
  blocked.add(group, Date.now() + BLOCKED_MS);
  return TOO_MANY_REQUESTS;
}

/** Whether the credential was looked up recently and does not exist. */
export const isKnownWrong = (credential: string): boolean => wrong.has(credential, Date.now());

/** Who presents a credential, and which. */
export type Presented = {
  readonly env: Cloudflare.Env;
  readonly address: string | null | undefined;
  /** Identifies the credential: a hash or a public name, never a secret. */
  readonly credential: string;
  readonly provenance: Provenance;
};

/**
 * Looks up a credential, if it may be one of ours.
 *
 * @param lookUp the look-up; null = no such credential
 * @returns the result; null for a wrong credential; the refusal of a caller over the limit
 */
export async function lookUpCredential<Found>(
  presented: Presented,
  lookUp: () => Promise<Found | null>,
): Promise<Found | Refusal | null> {
  const { env, address, credential, provenance } = presented;
  if (provenance === "issued") return lookUpIssued(credential, lookUp);
  if (provenance === "wrong" || isKnownWrong(credential)) return countFailure(env, address);
  return lookUpUnproven(presented, lookUp);
}

/** One that is revoked costs a look-up a minute; its holder is no stranger, so it is not counted. */
async function lookUpIssued<Found>(
  credential: string,
  lookUp: () => Promise<Found | null>,
): Promise<Found | null> {
  if (isKnownWrong(credential)) return null;
  const found = await lookUp();
  if (found === null) wrong.add(credential, Date.now() + WRONG_MS);
  return found;
}

async function lookUpUnproven<Found>(
  { env, address, credential }: Presented,
  lookUp: () => Promise<Found | null>,
): Promise<Found | Refusal | null> {
  const group = addressGroup(address);
  const isKnown = known.has(credential, Date.now());
  const names = running.get(group) ?? new Map<string, number>();
  const isLimited =
    !isKnown &&
    // A burst to one right name, before its first look-up has ended.
    !names.has(credential) &&
    env.RATE_LIMITS !== "off" &&
    (names.size >= MAX_CONCURRENT || refuseIfBlocked(env, address) !== null);
  if (isLimited && !takeSpare(Date.now())) return BUSY;
  running.set(group, names.set(credential, (names.get(credential) ?? 0) + 1));
  try {
    const found = await lookUp();
    if (found !== null) {
      known.add(credential, Date.now() + KNOWN_MS);
      return found;
    }
  } finally {
    const left = (names.get(credential) ?? 1) - 1;
    if (left > 0) names.set(credential, left);
    else names.delete(credential);
    if (names.size === 0) running.delete(group);
  }
  wrong.add(credential, Date.now() + WRONG_MS);
  return countFailure(env, address);
}

/** Takes one of the isolate's look-ups for addresses over their limit; false if none is left. */
function takeSpare(now: number): boolean {
  if (spare.until <= now) spare = { until: now + MINUTE, left: MAX_SPARE };
  spare.left -= 1;
  return spare.left >= 0;
}
