// The token that the forms of a session carry, against requests forged by other sites.
import { createHmac } from "node:crypto";

/** Whose form it is: the value of the session's cookie, which is never shown or logged. */
export type FormSession = { readonly token: string };

/**
 * The CSRF token of a session's forms. It is derived from the cookie's token and does not reveal
 * it.
 */
export const formToken = (token: string): string =>
  createHmac("sha256", token).update("forms of the console").digest("base64url");
