// Limits failed authentication per network address: wrong keys, cookies, secrets and tokens, and
// unknown ids. Checked before any query to the database or an object.
//
// The platform's limiter counts every call to it, so it is called only for failures; once it
// refuses, the isolate blocks the address itself for a while. Counts are per location of the
// platform; blocks and cached credentials are per isolate. A flood costs each isolate a few
// look-ups, not one per request.
import { addressGroup } from "../../domain/access/address-group.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { DAY, SECOND } from "../../domain/shared/time.ts";

const TOO_MANY_REQUESTS = refuse("too_many", "too many requests; slow down");

/** How long an address is blocked, equal to `Retry-After` (ms). */
const BLOCKED_MS = 10 * SECOND;
/** How long a wrong credential is cached (ms). */
const WRONG_MS = 60 * SECOND;
/** How long a valid credential bypasses a block of its address (ms). */
const RIGHT_MS = DAY;
/** Maximum of different credentials of one address looked up concurrently. */
const MAX_CONCURRENT = 60;
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

  delete(key: string): void {
    this.#until.delete(key);
  }
}

const blocked = new ExpiringSet();
const wrong = new ExpiringSet();
const right = new ExpiringSet();
/** Look-ups in progress: address group → credential → count. */
const running = new Map<string, Map<string, number>>();

/** The refusal if the address is blocked, else null. Makes no call. */
export function refuseIfBlocked(
  env: Cloudflare.Env,
  address: string | null | undefined,
): Refusal | null {
  if (env.RATE_LIMITS === "off") return null;
  return blocked.has(addressGroup(address), Date.now()) ? TOO_MANY_REQUESTS : null;
}

/** Counts a failure of the address; returns the refusal if it is now over the limit. */
export async function countFailure(
  env: Cloudflare.Env,
  address: string | null | undefined,
): Promise<Refusal | null> {
  if (env.RATE_LIMITS === "off") return null;
  const group = addressGroup(address);
  const { success } = await env.STRANGER_RATE.limit({ key: group });
  if (success) return null;
  blocked.add(group, Date.now() + BLOCKED_MS);
  return TOO_MANY_REQUESTS;
}

/** Whether the credential was looked up recently and does not exist. */
export const isKnownWrong = (credential: string): boolean => wrong.has(credential, Date.now());

/**
 * Looks up a credential, unless its caller is over the limit or it was wrong recently. A credential
 * that was valid here before is looked up even if its address is blocked.
 *
 * @param credential identifies the credential: a hash, never the secret itself
 * @param lookUp the look-up; null = no such credential
 * @returns the result, null for a wrong credential, or the refusal of a caller over the limit
 */
export async function lookUpCredential<Found>(
  env: Cloudflare.Env,
  address: string | null | undefined,
  credential: string,
  lookUp: () => Promise<Found | null>,
): Promise<Found | Refusal | null> {
  const began = Date.now();
  if (wrong.has(credential, began))
    return refuseIfBlocked(env, address) ?? countFailure(env, address);
  const group = addressGroup(address);
  if (!right.has(credential, began)) {
    const refusal = isFull(env, group, credential)
      ? TOO_MANY_REQUESTS
      : refuseIfBlocked(env, address);
    if (refusal) return refusal;
  }
  const done = begin(group, credential);
  try {
    const found = await lookUp();
    if (found !== null) {
      right.add(credential, Date.now() + RIGHT_MS);
      return found;
    }
    right.delete(credential);
    wrong.add(credential, Date.now() + WRONG_MS);
    return await countFailure(env, address);
  } finally {
    done();
  }
}

/** Bounds concurrent look-ups, before they count as failures: nobody has so many credentials. */
function isFull(env: Cloudflare.Env, group: string, credential: string): boolean {
  const lookUps = running.get(group);
  if (env.RATE_LIMITS === "off" || !lookUps) return false;
  return lookUps.size >= MAX_CONCURRENT && !lookUps.has(credential);
}

/** Registers a look-up in progress; returns the function that ends it. */
function begin(group: string, credential: string): () => void {
  const lookUps = running.get(group) ?? new Map<string, number>();
  running.set(group, lookUps);
  lookUps.set(credential, (lookUps.get(credential) ?? 0) + 1);
  return () => {
    const left = (lookUps.get(credential) ?? 1) - 1;
    if (left > 0) lookUps.set(credential, left);
    else lookUps.delete(credential);
    if (lookUps.size === 0) running.delete(group);
  };
}
