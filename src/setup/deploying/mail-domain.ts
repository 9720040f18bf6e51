// Checks whether Cloudflare lets the deployment send e-mail from its address, and says what to do if not.

import type { CloudflareClient } from "./cloudflare-api.ts";
import { MAIL_KEYS } from "./plan.ts";
import type { Settings } from "./settings.ts";

type Zone = { readonly id: string; readonly name: string };
type Subdomain = { readonly name: string; readonly enabled?: boolean };

/** The domains from which the account may send e-mail; null if that cannot be told. */
async function readSendingDomains(
  client: CloudflareClient,
  account: string,
): Promise<readonly string[] | null> {
  const zones = await client.get<readonly Zone[]>(`/accounts/${account}/email/sending/zones`);
  if (zones.refusal) return null;
  const domains: string[] = [];
  for (const { id } of zones.result) {
    const path = `/zones/${id}/email/sending/subdomains`;
    const subdomains = await client.get<readonly Subdomain[]>(path);
    if (subdomains.refusal) return null;
    domains.push(...subdomains.result.filter((it) => it.enabled).map((it) => it.name));
  }
  return domains;
}

/** What has to be done before e-mail is sent; null if nothing. */
export async function adviseOnMail(
  client: CloudflareClient,
  { account_id: account, email_from: from, plan }: Settings,
  hasMailProvider: boolean,
): Promise<string | null> {
  if (from === undefined) {
    return "E-mail has no sender yet: deploy again with --email-from.";
  }
  if (hasMailProvider) return null;
  if (plan === "free") {
    return `E-mail needs a provider on the free plan: give ${MAIL_KEYS.join(" or ")} in the environment and deploy again.`;
  }
  const domain = from.slice(from.indexOf("@") + 1);
  const domains = await readSendingDomains(client, account);
  if (domains?.includes(domain)) return null;
  const uncertain = domains === null ? " Your sign-in cannot read whether that is done." : "";
  return (
    `E-mail from ${from} needs its domain to be enabled: npx wrangler email sending enable ${domain}.` +
    ` Or give RESEND_API_KEY or MAILGUN_API_KEY in the environment and deploy again.${uncertain}`
  );
}
