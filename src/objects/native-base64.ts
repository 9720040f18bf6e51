// What `standardwebhooks` needs of `@stablelib/base64`, by the platform: wrangler.toml's alias puts it in the library's
// place. Like the library, it refuses what is not Base64.

/** Base64 of bytes, with padding. */
export const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** The bytes of Base64; throws for anything else. */
export const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
