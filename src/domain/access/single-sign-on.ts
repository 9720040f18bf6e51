// Whether a deployment has single sign-on. Pure: its settings are passed in.

type Settings = {
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_NAME?: string;
};

/** The provider's name on the sign-in button; null if none is configured. */
export function singleSignOnName({
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_NAME,
}: Settings): string | null {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !URL.canParse(OIDC_ISSUER)) return null;
  return OIDC_NAME || new URL(OIDC_ISSUER).hostname;
}
