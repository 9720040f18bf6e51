// Creates API keys. The plain key exists only here; rows store its hash.
import { createHash, randomBytes } from "node:crypto";

/** The stored form of an API key: SHA-256, hexadecimal. */
export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Whether a string has the form of an API key; anything else is rejected without a look-up. */
export const isApiKey = (text: string): boolean => /^tocsin_[\w-]{43}$/.test(text);

/** Creates an API key: a recognisable prefix and 32 random bytes. */
export function newApiKey(): { readonly key: string; readonly keyHash: string } {
  const key = `tocsin_${randomBytes(32).toString("base64url")}`;
  return { key, keyHash: hashOfKey(key) };
}
