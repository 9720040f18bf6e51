// By what push services know who sends (VAPID, RFC 8292): a key pair of the deployment, of which browsers get the
// public half when they subscribe. Another pair makes every subscription useless.
import { createECDH } from "node:crypto";
import { sign } from "hono/jwt";

/** How long one signature is good (seconds); services refuse more than a day. */
const GOOD_FOR = 12 * 3600;

type Pair = { readonly publicKey: string; readonly jwk: JsonWebKey };

/** The pair of a private key: 32 bytes, base64url. Null where there is none, or it is no key. */
function pairOf(privateKey: string | undefined): Pair | null {
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

/** The `applicationServerKey` that browsers subscribe with; null where the deployment has no Web Push. */
export function vapidPublicKey({ VAPID_PRIVATE_KEY }: Cloudflare.Env): string | null {
  return pairOf(VAPID_PRIVATE_KEY)?.publicKey ?? null;
}

/** The `Authorization` of a message to the push service at `endpoint`. `now` in epoch ms. */
export async function vapidAuthorization(
  { VAPID_PRIVATE_KEY, PUBLIC_URL, EMAIL_FROM }: Cloudflare.Env,
  endpoint: string,
  now: number,
): Promise<string> {
  const pair = pairOf(VAPID_PRIVATE_KEY);
  if (pair === null) throw new Error("there is no VAPID key");
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + GOOD_FOR,
    sub: PUBLIC_URL.startsWith("https:") ? PUBLIC_URL : `mailto:${EMAIL_FROM}`,
  };
  const token = await sign(claims, pair.jwk, "ES256");
  return `vapid t=${token}, k=${pair.publicKey}`;
}
