// Stands in for a provider of single sign-on: discovery, codes bound to PKCE's challenge, signed ID tokens.
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
  /** Who signs in, to the provider. */
  readonly subject: string;
  /** What the next ID token says beside what it has to; `{ nonce: … }` and the like replace that. */
  claims: Answer;
  /** What the address of the user's information says. */
  info: Answer | null;
  /** Signs somebody in at the address that the browser was sent to; answers with where it goes back to. */
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

/** Configures the deployment for it, until the test's mocks are restored. */
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
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (
      !asked ||
      asked.get("code_challenge") !== challenge ||
      headers.get("authorization") !== basic
    ) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    return Response.json({
      access_token: "at",
      token_type: "bearer",
      id_token: await idToken(asked.get("nonce") ?? "", issuer.subject, issuer.claims),
    });
  });
  return issuer;
}
