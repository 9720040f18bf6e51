// Vonage's JSON Web Tokens: one of ours authorizes a call (RS256, the application's private key),
// one of Vonage's signs each callback (HS256, the account's signature secret).
import { createHash } from "node:crypto";
import { sign, verify } from "hono/jwt";
import type { CallbackRequest } from "../callback.ts";

/** How long our token is valid (seconds). */
const TOKEN_LIFETIME = 900;

/** How old a callback may be, or how far our clocks may differ (seconds). */
const MAX_AGE = 300;

/** A private key in PEM; in a variable its line breaks may be written as `\\n`. */
const pemOf = (key: string) => key.replaceAll("\\n", "\n");

/** The token that authorizes calls. Throws if the private key is invalid. `now` in epoch ms. */
export function callToken(env: Cloudflare.Env, now: number): Promise<string> {
  const iat = Math.floor(now / 1000);
  const claims = {
    application_id: env.VONAGE_APPLICATION_ID,
    iat,
    exp: iat + TOKEN_LIFETIME,
    jti: crypto.randomUUID(),
  };
  return sign(claims, pemOf(env.VONAGE_PRIVATE_KEY ?? ""), "RS256");
}

const digestOf = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

/** Whether a body has the digest that the token names: as received, or as compact JSON. */
function hasDigest(body: string, digest: unknown): boolean {
  if (digest === digestOf(body)) return true;
  try {
    return digest === digestOf(JSON.stringify(JSON.parse(body)));
  } catch {
    return false;
  }
}

/** Whether Vonage has signed a callback, with this body and lately. Never throws. */
export async function isSignedByVonage(
  secret: string,
  apiKey: string,
  { headers, body, now }: CallbackRequest,
): Promise<boolean> {
  const [, token = ""] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  try {
    const claims = await verify(token, secret, { alg: "HS256", iat: false });
    const age = Math.abs(now / 1000 - Number(claims.iat));
    // Written so that a missing time is refused.
    return claims.api_key === apiKey && age <= MAX_AGE && hasDigest(body, claims.payload_hash);
  } catch {
    return false;
  }
}
