// Passwords as they are kept: a slow hash with a salt, never the password. The parameters stand with the hash, so that
// newer ones can be chosen without asking anybody for a new password.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** 16 MiB at a time, which a Worker has room for; so often for a password that somebody thought of. */
const STRONG = { N: 16_384, r: 8 } as const;
/** Tests sign in thousands of times, and with people who do not exist. */
const CHEAP = { N: 16, r: 1 } as const;
const COST = process.env.PASSWORD_HASHING === "cheap" ? CHEAP : STRONG;
const PASSES = 5;
const HASH_BYTES = 32;

const derive = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((done, fail) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, cost, (error, hash) =>
      error ? fail(error) : done(hash),
    );
  });

/**
 * `scrypt$N$r$p$salt$hash`, with a fresh salt.
 *
 * @param p passes: one will do for a password that was drawn at random, which nobody can guess at all
 */
export async function hashPassword(password: string, p = PASSES): Promise<string> {
  const salt = randomBytes(16);
  const { N, r } = COST;
  const hash = await derive(password, salt, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

type Stored = {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number };
  readonly salt: Buffer;
  readonly hash: Buffer;
};

function storedIn(kept: string): Stored | null {
  const [name, N, r, p, salt = "", hash = ""] = kept.split("$");
  const expected = Buffer.from(hash, "base64url");
  if (name !== "scrypt" || expected.length !== HASH_BYTES) return null;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, "base64url"), hash: expected };
}

/** Whether a password is the one that was hashed; false for a hash that cannot be read. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const stored = storedIn(kept);
  if (stored === null) return false;
  return timingSafeEqual(await derive(password, stored.salt, stored.cost), stored.hash);
}

const NO_SALT = Buffer.alloc(16);

/**
 * Whether a password signs somebody in. Every refusal takes the work of checking a chosen password, whatever there is
 * to compare with, so that the time of the answer does not say who has a password, or which kind.
 *
 * @param kept the hash; null for an unknown address and a person without a password
 * @param isOver whether the password has ended: it is compared all the same, and the full work is done
 */
export async function checkPassword(
  password: string,
  kept: string | null,
  isOver: boolean,
): Promise<boolean> {
  const stored = kept === null ? null : storedIn(kept);
  const isRight =
    stored !== null &&
    timingSafeEqual(await derive(password, stored.salt, stored.cost), stored.hash);
  if (isRight && !isOver) return true;
  const passes = PASSES - (stored?.cost.p ?? 0);
  if (passes > 0) await derive(password, NO_SALT, { ...COST, p: passes });
  return isRight;
}
