// Single sign-on (OpenID Connect). The deployment has one provider, not one per account: a person
// can be a member of several accounts, so a provider that one account chose could open the others.
import * as oauth from "oauth4webapi";
import type { Identity } from "../../domain/access/access-mail.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";

const TIMEOUT_MS = 10_000;

/** Stored in a cookie between the redirect to the provider and the return. */
export type PendingAuthorization = {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
  /** The page to open after signing in. */
  readonly to: string;
};

const FAILED = refuse(
  "unavailable",
  "the sign-in provider returned an unexpected response; try again",
);
const NOT_OURS = refuse(
  "unauthenticated",
  "this sign-in was started in another browser or has expired",
);

/** Allows plain http for local development only. */
function options({ OIDC_ISSUER = "" }: Cloudflare.Env) {
  const { hostname } = new URL(OIDC_ISSUER);
  const isLocal = hostname === "127.0.0.1" || hostname === "localhost";
  return {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(isLocal && { [oauth.allowInsecureRequests]: true }),
  };
}

const TENANT = "{tenantid}";

/**
 * The provider's discovery document. A multi-tenant one (Microsoft Entra's `common` and
 * `organizations`) has a placeholder for the tenant's id in its issuer, which each token fills in.
 */
type Provider = {
  readonly server: oauth.AuthorizationServer;
  /** The issuer with the placeholder; null for a provider with a single issuer. */
  readonly template: string | null;
};

async function discover(env: Cloudflare.Env): Promise<Provider> {
  const { OIDC_ISSUER = "" } = env;
  const issuer = new URL(OIDC_ISSUER);
  const response = await oauth.discoveryRequest(issuer, options(env));
  const declared: unknown = await response
    .clone()
    .json()
    .then((body) => (body as { issuer?: unknown } | null)?.issuer);
  if (typeof declared !== "string" || !isTemplateOf(declared, OIDC_ISSUER)) {
    return { server: await oauth.processDiscoveryResponse(issuer, response), template: null };
  }
  const server = (await response.json()) as oauth.AuthorizationServer;
  return { server: { ...server, issuer: OIDC_ISSUER }, template: declared };
}

/** Whether the issuer equals the template except for the tenant. */
function isTemplateOf(template: string, issuer: string): boolean {
  const [before = "", after, ...more] = template.replace(/\/$/, "").split(TENANT);
  if (after === undefined || more.length > 0) return false;
  const actual = issuer.replace(/\/$/, "");
  const tenant = actual.slice(before.length, actual.length - after.length);
  return actual === `${before}${tenant}${after}` && /^[\w.-]+$/.test(tenant);
}

/** The server with the issuer that the response's token has to name. */
async function readIssuer({ server, template }: Provider, response: Response) {
  if (template === null) return server;
  const { id_token: token } = (await response.clone().json()) as { id_token?: unknown };
  const payload = Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString();
  const { tid } = JSON.parse(payload) as { tid?: unknown };
  if (typeof tid !== "string" || !/^[\w-]+$/.test(tid)) throw new Error("no tenant");
  return { ...server, issuer: template.replace(TENANT, tid) };
}

const clientOf = ({ OIDC_CLIENT_ID = "" }: Cloudflare.Env) => ({ client_id: OIDC_CLIENT_ID });

function secretOf({ OIDC_CLIENT_SECRET }: Cloudflare.Env, server: oauth.AuthorizationServer) {
  if (!OIDC_CLIENT_SECRET) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(OIDC_CLIENT_SECRET)
    : oauth.ClientSecretPost(OIDC_CLIENT_SECRET);
}

/** Logs only the error's name and code, never an authorization code or a token. */
function logAndRefuse(error: unknown): Refusal {
  const name = error instanceof Error ? error.name : "unknown";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  console.warn({ message: "single sign-on failed", error: `${name} ${code}`.trim() });
  return FAILED;
}

/**
 * Builds the authorization URL and what the return is checked against. `back` is our redirect URI.
 */
export async function startAuthorization(
  env: Cloudflare.Env,
  back: string,
  to: string,
): Promise<{ readonly url: URL; readonly errand: PendingAuthorization } | Refusal> {
  try {
    const { server } = await discover(env);
    const errand: PendingAuthorization = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      to,
    };
    const url = new URL(server.authorization_endpoint ?? "");
    const parameters = {
      ...clientOf(env),
      redirect_uri: back,
      response_type: "code",
      scope: "openid email",
      state: errand.state,
      nonce: errand.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(errand.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url, errand };
  } catch (error) {
    return logAndRefuse(error);
  }
}

type Claims = Readonly<Record<string, unknown>>;

const TRUE_VALUES: readonly unknown[] = [true, "true", 1, "1"];

/**
 * Whether the provider vouches for the address: by `email_verified`, or by Microsoft Entra's
 * `xms_edov` (the tenant owns the address's domain). The `email_verified` of a multi-tenant
 * provider is not trusted, because each tenant sets it.
 */
const isEmailVerified = (claims: Claims, isMultiTenant: boolean): boolean =>
  TRUE_VALUES.includes(claims.xms_edov) ||
  (!isMultiTenant && TRUE_VALUES.includes(claims.email_verified));

const emailIn = ({ email }: Claims): string | null =>
  typeof email === "string" && email.trim() !== "" ? email.trim().toLowerCase() : null;

/** The identity that the provider returned. */
export type Arrival = {
  readonly identity: Identity;
  /** The email address in the claims. */
  readonly email: string | null;
  readonly isVouched: boolean;
};

async function readArrival(
  env: Cloudflare.Env,
  { server, template }: Provider,
  claims: oauth.IDToken,
  accessToken: string,
): Promise<Arrival> {
  const identity = { issuer: claims.iss, subject: claims.sub };
  const isMultiTenant = template !== null;
  const arrivalFrom = (source: Claims): Arrival => {
    const email = emailIn(source);
    return { identity, email, isVouched: email !== null && isEmailVerified(source, isMultiTenant) };
  };
  const first = arrivalFrom(claims);
  if (first.isVouched || !server.userinfo_endpoint) return first;
  try {
    const client = clientOf(env);
    const userInfo = await oauth.userInfoRequest(server, client, accessToken, options(env));
    const info = arrivalFrom(
      await oauth.processUserInfoResponse(server, client, claims.sub, userInfo),
    );
    return info.isVouched || first.email === null ? info : first;
  } catch (error) {
    // The ID token is enough: a linked identity needs no address.
    logAndRefuse(error);
    return first;
  }
}

/** Exchanges the authorization code and returns the identity. */
export async function completeAuthorization(
  env: Cloudflare.Env,
  url: URL,
  back: string,
  errand: PendingAuthorization | null,
): Promise<Arrival | Refusal> {
  if (errand === null || url.searchParams.get("state") !== errand.state) return NOT_OURS;
  try {
    const provider = await discover(env);
    const client = clientOf(env);
    const parameters = oauth.validateAuthResponse(provider.server, client, url, errand.state);
    const response = await oauth.authorizationCodeGrantRequest(
      provider.server,
      client,
      secretOf(env, provider.server),
      parameters,
      back,
      errand.verifier,
      options(env),
    );
    const issuer = await readIssuer(provider, response);
    const expected = { expectedNonce: errand.nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, response, expected);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) return FAILED;
    return await readArrival(env, provider, claims, tokens.access_token);
  } catch (error) {
    return logAndRefuse(error);
  }
}
