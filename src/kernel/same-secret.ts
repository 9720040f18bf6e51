// Compares a secret that somebody sent with the right one.
import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Whether two texts are the same, in constant time. They may be of any length and contain any
 * character: their digests are compared.
 */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
