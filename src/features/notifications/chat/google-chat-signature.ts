// The signature of requests to Google Chat apps: a token of Google Chat's for the number of the app's
// project (https://developers.google.com/workspace/chat/verify-requests-from-chat).
import { readSignedToken } from "./signed-token.ts";

/** Google's service that calls apps. */
const ISSUER = "chat@system.gserviceaccount.com";
const KEYS_URL = `https://www.googleapis.com/service_accounts/v1/jwk/${ISSUER}`;

/**
 * Whether Google Chat has signed a request for the app of a project. Never throws.
 *
 * @param project its number
 * @param now epoch ms
 * @returns `unknown` if its keys cannot be read
 */
export async function isSignedByGoogleChat(
  project: string,
  headers: Headers,
  now: number,
  keysUrl = KEYS_URL,
): Promise<boolean | "unknown"> {
  const trust = { keysUrl, issuer: ISSUER, audience: project };
  const token = await readSignedToken(headers, trust, now);
  return token === "unknown" ? token : token !== null;
}
