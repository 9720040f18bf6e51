// Password hashing: scrypt with a salt. The parameters are part of the hash, so that they can be
// raised later without new passwords.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 16 MiB per pass, which fits into a Worker; `PASSES` for user-chosen passwords. */
const STRONG = { N: 16_384, r: 8 } as const;
/** For tests, which sign in thousands of times. */
const CHEAP = { N: 16, r: 1 } as const;
const COST = process.env.PASSWORD_HASHING === "cheap" ? CHEAP : STRONG;
const PASSES = 5;
const HASH_BYTES = 32;

export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number };

/** Derives the hash of a password: where it is called, or elsewhere (`password-work.ts`). */
export type DerivePassword = (
  password: string,
  salt: Buffer,
  cost: PasswordCost,
) => Promise<Buffer>;

/** Derives it here. */
export const derivePassword: DerivePassword = (password, salt, cost) =>
  new Promise((done, fail) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, cost, (error, hash) =>
      error ? fail(error) : done(hash),
    );
  });

/**
 * Hashes a password with a fresh salt: `scrypt$N$r$p$salt$hash`.
 *
 * @param p passes: one is enough for a random password, which cannot be guessed
 */
export async function hashPassword(
  password: string,
  p = PASSES,
  derive = derivePassword,
): Promise<string> {
  const salt = randomBytes(16);
  const { N, r } = COST;
  const hash = await derive(password, salt, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

type ParsedHash = {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
};

function parseHash(encoded: string): ParsedHash | null {
  const [name, N, r, p, salt = "", hash = ""] = encoded.split("$");
  const expected = Buffer.from(hash, "base64url");
  if (name !== "scrypt" || expected.length !== HASH_BYTES) return null;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, "base64url"), hash: expected };
}

/** Whether the password matches the hash; false for an unreadable hash. */
export async function matchesPassword(
  password: string,
  encoded: string,
  derive = derivePassword,
): Promise<boolean> {
  const stored = parseHash(encoded);
  if (stored === null) return false;
  return timingSafeEqual(await derive(password, stored.salt, stored.cost), stored.hash);
}

const NO_SALT = Buffer.alloc(16);

/**
 * Checks a password at sign-in. Every failure takes as long as checking a user-chosen password, so
 * that timing does not reveal who has a password of which kind.
 *
 * @param encoded the stored hash; null for an unknown address or a person without a password
 * @param isExpired whether the password has expired: it is still compared with the full work
 */
export async function checkPassword(
  password: string,
  encoded: string | null,
  isExpired: boolean,
  derive = derivePassword,
): Promise<boolean> {
  const stored = encoded === null ? null : parseHash(encoded);
  const isRight =
    stored !== null &&
    timingSafeEqual(await derive(password, stored.salt, stored.cost), stored.hash);
  if (isRight && !isExpired) return true;
  const passes = PASSES - (stored?.cost.p ?? 0);
  if (passes > 0) await derive(password, NO_SALT, { ...COST, p: passes });
  return isRight;
}
