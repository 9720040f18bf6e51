// Making API keys. The key is in clear only where it is made: rows have its hash.
import { createHash, randomBytes } from "node:crypto";

/** How API keys are stored: SHA-256, hexadecimal. */
export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Whether a text has the form of an API key: anything else is wrong without a look-up. */
export const isApiKey = (text: string): boolean => /^tocsin_[\w-]{43}$/.test(text);

/** A fresh API key: a recognisable prefix and 32 random bytes. */
export function newApiKey(): { readonly key: string; readonly keyHash: string } {
  const key = `tocsin_${randomBytes(32).toString("base64url")}`;
  return { key, keyHash: hashOfKey(key) };
}
