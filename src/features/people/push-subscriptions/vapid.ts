// Identifies the deployment to push services (VAPID, RFC 8292) with one key pair. Browsers get the
// public key when they subscribe; a new key pair invalidates every subscription.
import { createECDH } from "node:crypto";
import { sign } from "hono/jwt";

/** How long a token is valid (seconds); push services refuse more than a day. */
const TOKEN_LIFETIME = 12 * 3600;

type KeyPair = { readonly publicKey: string; readonly jwk: JsonWebKey };

/** The key pair of a private key (32 bytes, base64url). Null if it is missing or invalid. */
function pairOf(privateKey: string | undefined): KeyPair | null {
  if (!privateKey) return null;
  try {
    const pair = createECDH("prime256v1");
    pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
    const point = pair.getPublicKey();
    const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
    const jwk = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33), d: privateKey };
    return { publicKey: point.toString("base64url"), jwk: { ...jwk, ext: true } };
  } catch {
    return null;
  }
}

/** The `applicationServerKey` of subscriptions; null if the deployment has no Web Push. */
export function vapidPublicKey({ VAPID_PRIVATE_KEY }: Cloudflare.Env): string | null {
  return pairOf(VAPID_PRIVATE_KEY)?.publicKey ?? null;
}

/** The `Authorization` header for the push service at `endpoint`. `now` in epoch ms. */
export async function vapidAuthorization(
  { VAPID_PRIVATE_KEY, PUBLIC_URL, EMAIL_FROM }: Cloudflare.Env,
  endpoint: string,
  now: number,
): Promise<string> {
  const pair = pairOf(VAPID_PRIVATE_KEY);
  if (pair === null) throw new Error("there is no VAPID key");
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + TOKEN_LIFETIME,
    sub: PUBLIC_URL.startsWith("https:") ? PUBLIC_URL : `mailto:${EMAIL_FROM}`,
  };
  const token = await sign(claims, pair.jwk, "ES256");
  return `vapid t=${token}, k=${pair.publicKey}`;
}
