// Signing in with somebody else's word for who a person is (OpenID Connect): one provider for the deployment, not one
// per account. A person is shared between accounts, so a provider that one account chose could open all the others.

/** What the provider is called on the button; null where the deployment has none. */
export function singleSignOnName({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_NAME }: Cloudflare.Env) {
  return OIDC_ISSUER && OIDC_CLIENT_ID ? OIDC_NAME || new URL(OIDC_ISSUER).hostname : null;
}
