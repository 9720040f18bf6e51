// Checks the domain of the deployment's address before wrangler attaches it. Without a terminal, wrangler replaces DNS
// records of the name and takes it from another worker without a question.

import type { CloudflareClient } from "./cloudflare-api.ts";
import { DeployRefusal, refuse } from "./refusals.ts";
import type { Settings } from "./settings.ts";

type Zone = { readonly id: string; readonly name: string };
type Domain = { readonly hostname: string; readonly service: string };
type DnsRecord = { readonly type: string; readonly content?: string };

/** The domains that a host is part of, the longest first: `a.b.c` → `a.b.c`, `b.c`. */
function domainsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join("."));
}

/** The zone of the host in the account. Throws `DeployRefusal` if there is none. */
async function findZone(client: CloudflareClient, account: string, host: string): Promise<Zone> {
  for (const name of domainsOf(host)) {
    const path = `/zones?name=${encodeURIComponent(name)}&account.id=${account}`;
    const found = await client.get<readonly Zone[]>(path);
    if (found.refusal) refuse("The domains of the account could not be listed", found.refusal);
    const zone = found.result.find((it) => it.name === name);
    if (zone !== undefined) return zone;
  }
  throw new DeployRefusal(
    `${host} is in no domain of this Cloudflare account. Add its domain to the account, or deploy without --url.`,
  );
}

/** Throws `DeployRefusal` if the name has DNS records, which would be replaced. */
async function refuseExistingRecords(
  client: CloudflareClient,
  zone: Zone,
  host: string,
): Promise<void> {
  const path = `/zones/${zone.id}/dns_records?name=${encodeURIComponent(host)}`;
  const found = await client.get<readonly DnsRecord[]>(path);
  if (found.refusal) {
    throw new DeployRefusal(
      `Whether ${host} has DNS records could not be read ("${found.refusal.message}"), and they would be replaced. ` +
        "If it has none or they may go, deploy with --replace-dns.",
    );
  }
  if (found.result.length === 0) return;
  const records = found.result.map(({ type, content = "" }) => `${type} ${content}`).join(", ");
  throw new DeployRefusal(
    `${host} has DNS records (${records}), which this would replace. Deploy with --replace-dns if they may go.`,
  );
}

/**
 * Checks that the address may be attached to the worker: at workers.dev always; a domain of the account's only if it has no
 * other use.
 */
export async function checkCustomDomain(
  client: CloudflareClient,
  { account_id: account, name, public_url: url }: Settings,
  mayReplace: boolean,
): Promise<void> {
  const host = url === undefined ? "" : new URL(url).host;
  if (host === "" || host.endsWith(".workers.dev")) return;
  const zone = await findZone(client, account, host);
  const path = `/accounts/${account}/workers/domains?hostname=${encodeURIComponent(host)}`;
  const found = await client.get<readonly Domain[]>(path);
  if (found.refusal) refuse("The workers' domains could not be listed", found.refusal);
  const attached = found.result.find((it) => it.hostname === host);
  if (attached?.service === name || mayReplace) return;
  if (attached !== undefined) {
    throw new DeployRefusal(
      `${host} belongs to the worker ${attached.service}. Deploy with --replace-dns to take it over.`,
    );
  }
  await refuseExistingRecords(client, zone, host);
}
