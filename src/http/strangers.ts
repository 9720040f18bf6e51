// The limit on failures per address: wrong keys, cookies, secrets and tokens, and unknown ids. It is consulted before the
// database or an object is asked. The platform's limiter counts every call to it, so only failures are counted there;
// once it refuses, the isolate blocks the address by itself for a while. Counts hold per location of the platform,
// blocks and remembered credentials per isolate: a flood costs each isolate a few look-ups, not one per request.
import { addressGroup } from "../domain/address-group.ts";
import { type Refusal, refuse } from "../domain/refusal.ts";
import { DAY, SECOND } from "../domain/time.ts";

const TOO_MANY = refuse("too_many", "too many requests; slow down");

/** How long an address waits once it is over the limit: as long as `Retry-After` says (ms). */
const BLOCKED_MS = 10 * SECOND;
/** How long a wrong credential is known as wrong without another look-up (ms). */
const WRONG_MS = 60 * SECOND;
/** How long a right credential is looked up even for a blocked address (ms). */
const RIGHT_MS = DAY;
/** Different credentials of one address that are looked up at once. */
const MOST_AT_ONCE = 60;
const MOST_REMEMBERED = 10_000;

/** Remembers keys until an instant; over the bound the oldest goes. */
class Memory {
  readonly #until = new Map<string, number>();

  has(key: string, now: number): boolean {
    return (this.#until.get(key) ?? 0) > now;
  }

  add(key: string, until: number): void {
    this.#until.delete(key);
    if (this.#until.size >= MOST_REMEMBERED) {
      const [oldest] = this.#until.keys();
      if (oldest !== undefined) this.#until.delete(oldest);
    }
    this.#until.set(key, until);
  }

  delete(key: string): void {
    this.#until.delete(key);
  }
}

const blocked = new Memory();
const wrong = new Memory();
const right = new Memory();
/** Credentials being looked up, by address group, with how often. */
const running = new Map<string, Map<string, number>>();

/** The refusal of an address that is over the limit, else null. Asks nobody. */
export function blockOf(env: Cloudflare.Env, address: string | null | undefined): Refusal | null {
  if (env.RATE_LIMITS === "off") return null;
  return blocked.has(addressGroup(address), Date.now()) ? TOO_MANY : null;
}

/** Counts a failure of this address: the refusal if it is over the limit by it, else null. */
export async function countFailure(
  env: Cloudflare.Env,
  address: string | null | undefined,
): Promise<Refusal | null> {
  if (env.RATE_LIMITS === "off") return null;
  const group = addressGroup(address);
  const { success } = await env.STRANGER_RATE.limit({ key: group });
  if (success) return null;
  blocked.add(group, Date.now() + BLOCKED_MS);
  return TOO_MANY;
}

/** Whether a credential was looked up a moment ago and does not exist. */
export const isKnownWrong = (credential: string): boolean => wrong.has(credential, Date.now());

/**
 * Looks a credential up, unless its caller is over the limit or it was wrong a moment ago. A credential that was right
 * here before is looked up whatever others at its address do.
 *
 * @param credential what tells credentials apart: a hash, never the secret itself
 * @param lookUp the look-up; null = no such credential
 * @returns what was found, null for a wrong credential, or the refusal of a caller over the limit
 */
export async function lookUpCredential<Found>(
  env: Cloudflare.Env,
  address: string | null | undefined,
  credential: string,
  lookUp: () => Promise<Found | null>,
): Promise<Found | Refusal | null> {
  const began = Date.now();
  if (wrong.has(credential, began)) return blockOf(env, address) ?? countFailure(env, address);
  const group = addressGroup(address);
  if (!right.has(credential, began)) {
    const refusal = isFull(env, group, credential) ? TOO_MANY : blockOf(env, address);
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

/** Requests side by side are refused before they are counted as failures: so many credentials nobody has. */
function isFull(env: Cloudflare.Env, group: string, credential: string): boolean {
  const atOnce = running.get(group);
  if (env.RATE_LIMITS === "off" || !atOnce) return false;
  return atOnce.size >= MOST_AT_ONCE && !atOnce.has(credential);
}

/** Notes a look-up as running; returns what ends it. */
function begin(group: string, credential: string): () => void {
  const atOnce = running.get(group) ?? new Map<string, number>();
  running.set(group, atOnce);
  atOnce.set(credential, (atOnce.get(credential) ?? 0) + 1);
  return () => {
    const left = (atOnce.get(credential) ?? 1) - 1;
    if (left > 0) atOnce.set(credential, left);
    else atOnce.delete(credential);
    if (atOnce.size === 0) running.delete(group);
  };
}
