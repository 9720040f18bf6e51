// Browsers that subscribe to Web Push, and the push service that stands between: it checks what a real one checks,
// keeps what it takes, and the browser reads it with an independent decoder.
import { createECDH, randomBytes } from "node:crypto";
import { verify } from "hono/jwt";
import { decrypt } from "http_ece";
import { type Outgoing, serveAt } from "./outbound.ts";

export const PUSH_HOST = "push.tocsin-tests.example.com";

export type Browser = {
  /** What its `PushSubscription` has in its `toJSON()`. */
  readonly subscription: {
    readonly endpoint: string;
    readonly expirationTime: null;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** The payload of a message, decrypted. */
  readonly read: (body: Uint8Array) => unknown;
};

let browsers = 0;

/** A browser that has subscribed at the push service. */
export function openBrowser(host = PUSH_HOST): Browser {
  browsers += 1;
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = randomBytes(16).toString("base64url");
  const keys = { p256dh: pair.getPublicKey().toString("base64url"), auth };
  const endpoint = `https://${host}/send/${browsers}-${randomBytes(6).toString("hex")}`;
  return {
    subscription: { endpoint, expirationTime: null, keys },
    read: (body) => {
      const options = { version: "aes128gcm", privateKey: pair, authSecret: auth } as const;
      return JSON.parse(decrypt(Buffer.from(body), options).toString("utf8"));
    },
  };
}

/** The parameters that subscribe a browser of nobody's. */
export const newSubscription = () => openBrowser().subscription;

type PushMessage = {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

export type PushService = {
  readonly taken: PushMessage[];
  asked: number;
  /** What it answers for an endpoint instead of taking; null = it takes. */
  refusal: ((endpoint: string) => Response | null | Promise<Response | null>) | null;
};

/** Who signed a message, if it is signed as push services demand; else why it is refused. */
async function signerOf({ url, headers }: Outgoing): Promise<string | Response> {
  const match = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(headers.get("authorization") ?? "");
  const [, token = "", key = ""] = match ?? [];
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return new Response("no key", { status: 401 });
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) };
  try {
    const claims = await verify(token, jwk as unknown as string, "ES256");
    const now = Date.now() / 1000;
    const isRight =
      claims.aud === url.origin &&
      Number(claims.exp) < now + 86_400 &&
      /^(mailto:.+@|https:\/\/)/.test(String(claims.sub));
    return isRight ? key : new Response("wrong claims", { status: 403 });
  } catch {
    return new Response("wrong signature", { status: 403 });
  }
}

/** Answers at `PUSH_HOST`. */
export function openPushService(): PushService {
  const service: PushService = { taken: [], asked: 0, refusal: null };
  serveAt(PUSH_HOST, async (request) => {
    service.asked += 1;
    const { method, url, headers, body } = request;
    const signer = await signerOf(request);
    if (signer instanceof Response) return signer;
    const refused = await service.refusal?.(url.href);
    if (refused) return refused;
    if (method !== "POST" || !/^\d+$/.test(headers.get("ttl") ?? "")) {
      return new Response("no TTL", { status: 400 });
    }
    if (!/^[\w-]{0,32}$/.test(headers.get("topic") ?? "")) {
      return new Response("no topic", { status: 400 });
    }
    if (body.length > 4096) return new Response("too large", { status: 413 });
    service.taken.push({ endpoint: url.href, headers, body });
    return new Response(null, { status: 201, headers: { Location: `${url.href}/m` } });
  });
  return service;
}
