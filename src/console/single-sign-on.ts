// Signing in with somebody else's word for who a person is (OpenID Connect): one provider for the deployment, not one
// per account. A person is shared between accounts, so a provider that one account chose could open all the others.
import * as oauth from "oauth4webapi";
import { type Refusal, refuse } from "../domain/refusal.ts";

const TIMEOUT_MS = 10_000;

/** What is kept in the browser between leaving for the provider and coming back. */
export type Errand = {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
  /** The page that they wanted. */
  readonly to: string;
};

/** What the provider is called on the button; null where the deployment has none. */
export function singleSignOnName({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME }: Cloudflare.Env) {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !URL.canParse(OIDC_ISSUER)) return null;
  return OIDC_NAME || new URL(OIDC_ISSUER).hostname;
}

const FAILED = refuse("unavailable", "the sign-in provider did not answer as it should; try again");
const NOT_OURS = refuse("unauthenticated", "this sign-in was not begun here, or too long ago");
const UNVERIFIED = refuse(
  "unauthenticated",
  "the sign-in provider does not vouch for an e-mail address of yours",
);

const patience = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) });

async function discover({ OIDC_ISSUER = "" }: Cloudflare.Env): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(OIDC_ISSUER);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, patience()));
}

const clientOf = ({ OIDC_CLIENT_ID = "" }: Cloudflare.Env) => ({ client_id: OIDC_CLIENT_ID });

function secretOf({ OIDC_CLIENT_SECRET }: Cloudflare.Env, server: oauth.AuthorizationServer) {
  if (!OIDC_CLIENT_SECRET) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(OIDC_CLIENT_SECRET)
    : oauth.ClientSecretPost(OIDC_CLIENT_SECRET);
}

/** The log says that it failed and where, never a code or a token. */
function failed(error: unknown): Refusal {
  const name = error instanceof Error ? error.name : "unknown";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  console.warn({ message: "single sign-on failed", error: `${name} ${code}`.trim() });
  return FAILED;
}

/** Where the browser goes, and what it has to bring back. `back` is our address that it returns to. */
export async function leaveFor(
  env: Cloudflare.Env,
  back: string,
  to: string,
): Promise<{ readonly url: URL; readonly errand: Errand } | Refusal> {
  try {
    const server = await discover(env);
    const errand: Errand = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      to,
    };
    const url = new URL(server.authorization_endpoint ?? "");
    const asked = {
      ...clientOf(env),
      redirect_uri: back,
      response_type: "code",
      scope: "openid email",
      state: errand.state,
      nonce: errand.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(errand.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return { url, errand };
  } catch (error) {
    return failed(error);
  }
}

type Claims = Readonly<Record<string, unknown>>;

const verifiedEmail = ({ email, email_verified: verified }: Claims): string | null =>
  typeof email === "string" && (verified === true || verified === "true")
    ? email.trim().toLowerCase()
    : null;

/** The address that the provider vouches for, of who comes back from it. */
export async function comeBack(
  env: Cloudflare.Env,
  url: URL,
  back: string,
  errand: Errand | null,
): Promise<string | Refusal> {
  if (errand === null || url.searchParams.get("state") !== errand.state) return NOT_OURS;
  try {
    const server = await discover(env);
    const client = clientOf(env);
    const parameters = oauth.validateAuthResponse(server, client, url, errand.state);
    const secret = secretOf(env, server);
    const { verifier, nonce } = errand;
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      parameters,
      back,
      verifier,
      patience(),
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const got = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
    const claims = oauth.getValidatedIdTokenClaims(got);
    if (claims === undefined) return FAILED;
    const email = verifiedEmail(claims);
    if (email !== null || !server.userinfo_endpoint) return email ?? UNVERIFIED;
    const asked = await oauth.userInfoRequest(server, client, got.access_token, patience());
    const info = await oauth.processUserInfoResponse(server, client, claims.sub, asked);
    return verifiedEmail(info) ?? UNVERIFIED;
  } catch (error) {
    return failed(error);
  }
}
