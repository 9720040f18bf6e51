// What `standardwebhooks` needs of `fast-sha256`, by the platform: wrangler.toml's alias puts it in the library's place.
import { createHmac } from "node:crypto";

/** HMAC-SHA256 of bytes. */
export const hmac = (key: Uint8Array, data: Uint8Array): Uint8Array =>
  new Uint8Array(createHmac("sha256", key).update(data).digest());
