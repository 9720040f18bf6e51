// Replaces `fast-sha256` for `standardwebhooks` with platform functions (alias in wrangler.toml).
import { createHmac } from "node:crypto";

/** Computes HMAC-SHA256. */
export const hmac = (key: Uint8Array, data: Uint8Array): Uint8Array =>
  new Uint8Array(createHmac("sha256", key).update(data).digest());
