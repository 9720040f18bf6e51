// A fake push service and the browsers that subscribe to it. The service checks what a real one
// checks and records what it accepts; the browser decrypts it with an independent library.
import { createECDH, randomBytes } from "node:crypto";
import { verify } from "hono/jwt";
import { decrypt } from "http_ece";
import { type Outgoing, serveAt } from "./outbound.ts";

export const PUSH_HOST = "push.tocsin-tests.example.com";

export type Browser = {
  /** The result of its `PushSubscription.toJSON()`. */
  readonly subscription: {
    readonly endpoint: string;
    readonly expirationTime: null;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** Decrypts the payload of a message. */
  readonly read: (body: Uint8Array) => unknown;
};

let browsers = 0;

/** Creates a browser that is subscribed at the push service. */
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

/** The parameters of a new subscription. */
export const newSubscription = () => openBrowser().subscription;

type PushMessage = {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

export type PushService = {
  readonly taken: PushMessage[];
  asked: number;
  /** The response for an endpoint instead of accepting; null = accept. */
  refusal: ((endpoint: string) => Response | null | Promise<Response | null>) | null;
};

/** The public key that signed a message, or the response that rejects its signature. */
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
    const isValid =
      claims.aud === url.origin &&
      Number(claims.exp) < now + 86_400 &&
      /^(mailto:.+@|https:\/\/)/.test(String(claims.sub));
    return isValid ? key : new Response("wrong claims", { status: 403 });
  } catch {
    return new Response("wrong signature", { status: 403 });
  }
}

/** Starts the push service at `PUSH_HOST`. */
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
