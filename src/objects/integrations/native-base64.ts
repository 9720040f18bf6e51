// Replaces `@stablelib/base64` for `standardwebhooks` with platform functions (alias in
// wrangler.toml). Like the library, it rejects invalid Base64.

/** Encodes bytes as padded Base64. */
export const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Decodes Base64. Throws if it is invalid. */
export const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
