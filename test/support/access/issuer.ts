// A fake single sign-on provider: discovery, codes with a PKCE challenge, signed ID tokens.
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { sign } from "hono/jwt";
import { vi } from "vitest";
import { serveAt } from "../providers/outbound.ts";

const HOST = "id.example";
const ISSUER = `https://${HOST}`;
const CLIENT = "tocsin at work";
const SECRET = "only the provider knows";

type Answer = Readonly<Record<string, unknown>>;

export type Issuer = {
  /** The subject that signs in. */
  readonly subject: string;
  /** Further claims of the next ID token; they override the required ones. */
  claims: Answer;
  /** The response of the user info endpoint; null = no such endpoint. */
  info: Answer | null;
  /** Signs in at the authorization URL; returns the path of the redirect. */
  readonly consent: (url: string) => string;
};

const basic = `Basic ${btoa(`${encodeURIComponent(CLIENT).replaceAll("%20", "+")}:${encodeURIComponent(SECRET).replaceAll("%20", "+")}`)}`;

async function idToken(nonce: string, subject: string, claims: Answer): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign"])) as CryptoKeyPair;
  const now = Math.floor(Date.now() / 1000);
  const whole = {
    iss: ISSUER,
    aud: CLIENT,
    sub: subject,
    iat: now,
    exp: now + 300,
    nonce,
    ...claims,
  };
  return sign(whole, pair.privateKey, "RS256");
}

/** Starts the provider and configures the deployment, until the test's mocks are restored. */
export function openIssuer(): Issuer {
  vi.spyOn(env, "OIDC_ISSUER", "get").mockReturnValue(ISSUER);
  vi.spyOn(env, "OIDC_CLIENT_ID", "get").mockReturnValue(CLIENT);
  vi.spyOn(env, "OIDC_CLIENT_SECRET", "get").mockReturnValue(SECRET);
  vi.spyOn(env, "OIDC_NAME", "get").mockReturnValue("Lighthouse ID");
  const codes = new Map<string, URLSearchParams>();
  const issuer: Issuer = {
    subject: `u-${crypto.randomUUID()}`,
    claims: {},
    info: null,
    consent: (url) => {
      const { searchParams } = new URL(url);
      const code = crypto.randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return `${back.pathname}${back.search}`;
    },
  };
  serveAt(HOST, async ({ url, headers, body }) => {
    if (url.pathname === "/.well-known/openid-configuration") {
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        ...(issuer.info && { userinfo_endpoint: `${ISSUER}/me` }),
      });
    }
    if (url.pathname === "/me") return Response.json(issuer.info);
    const form = new URLSearchParams(new TextDecoder().decode(body));
    const authorization = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (
      !authorization ||
      authorization.get("code_challenge") !== challenge ||
      headers.get("authorization") !== basic
    ) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    return Response.json({
      access_token: "at",
      token_type: "bearer",
      id_token: await idToken(authorization.get("nonce") ?? "", issuer.subject, issuer.claims),
    });
  });
  return issuer;
}
