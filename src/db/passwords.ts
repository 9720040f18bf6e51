// Passwords as they are kept: a slow hash with a salt, never the password. The parameters stand with the hash, so that
// newer ones can be chosen without asking anybody for a new password.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** 16 MiB at a time, which a Worker has room for; so often for a password that somebody thought of. */
const COST = { N: 16_384, r: 8 } as const;
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

/** Whether a password is the one that was hashed; false for a hash that cannot be read. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [name, N, r, p, salt = "", hash = ""] = kept.split("$");
  const expected = Buffer.from(hash, "base64url");
  if (name !== "scrypt" || expected.length !== HASH_BYTES) return false;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64url"), cost), expected);
}
