// The resources of a deployment, each found by its name or created. Running it again finds what is there.

import type { CloudflareClient } from "./cloudflare-api.ts";
import { DeployRefusal, refuse } from "./refusals.ts";
import type { Settings } from "./settings.ts";

/** What a step did, in words; `isNew` when it created something. */
export type DeployStep = { readonly text: string; readonly isNew: boolean };

type Database = {
  readonly uuid: string;
  readonly name: string;
  readonly jurisdiction?: string | null;
};

/**
 * The database of the deployment. Throws `DeployRefusal` if an existing one stays in another jurisdiction than the settings
 * say: its data and the ids of objects depend on it.
 */
export async function ensureDatabase(
  client: CloudflareClient,
  settings: Settings,
): Promise<DeployStep & { readonly id: string }> {
  const { name, account_id: account, jurisdiction, location } = settings;
  const path = `/accounts/${account}/d1/database`;
  const found = await client.get<readonly Database[]>(
    `${path}?name=${encodeURIComponent(name)}&per_page=100`,
  );
  if (found.refusal) refuse(`The databases of the account could not be listed`, found.refusal);
  const existing = found.result.find((it) => it.name === name);
  if (existing !== undefined) {
    const stored = existing.jurisdiction ?? undefined;
    if (stored !== jurisdiction) {
      throw new DeployRefusal(
        `The database ${name} ${stored ? `stays in the jurisdiction ${stored}` : "has no jurisdiction"}, and ` +
          `${jurisdiction ? `--jurisdiction ${jurisdiction}` : "none"} was asked for. It is fixed at the first ` +
          "deployment; deploy under another --name.",
      );
    }
    return { id: existing.uuid, text: `database ${name}`, isNew: false };
  }
  const created = await client.post<Database>(path, {
    name,
    ...(jurisdiction && { jurisdiction }),
    ...(location && { primary_location_hint: location }),
  });
  if (created.refusal) refuse(`The database ${name} could not be created`, created.refusal);
  return { id: created.result.uuid, text: `database ${name}`, isNew: true };
}

/** The names of the queue of pages and of its dead letters. */
export const queueNames = (name: string): readonly [string, string] => [
  `${name}-pages`,
  `${name}-pages-dead`,
];

/** How long messages stay in a queue of the free plan, which takes no other value. */
const FREE_RETENTION_SECONDS = 86_400;

/** The queue of this name. */
export async function ensureQueue(
  client: CloudflareClient,
  { account_id: account, jurisdiction, plan }: Settings,
  name: string,
): Promise<DeployStep> {
  const path = `/accounts/${account}/queues`;
  const found = await client.get<readonly { readonly queue_name: string }[]>(
    `${path}?name=${encodeURIComponent(name)}`,
  );
  if (found.refusal) refuse("The queues of the account could not be listed", found.refusal);
  if (found.result.some((it) => it.queue_name === name)) {
    return { text: `queue ${name}`, isNew: false };
  }
  const created = await client.post(path, {
    queue_name: name,
    ...(jurisdiction && { jurisdiction }),
    ...(plan === "free" && { settings: { message_retention_period: FREE_RETENTION_SECONDS } }),
  });
  if (created.refusal) refuse(`The queue ${name} could not be created`, created.refusal);
  return { text: `queue ${name}`, isNew: true };
}

export const bucketName = (name: string) => `${name}-archive`;

/** R2 has not been switched on in the account. */
const R2_OFF = 10_042;
const NO_SUCH_BUCKET = 10_006;

/** The archive's bucket. Throws `DeployRefusal` with the choice if the account has no R2. */
export async function ensureBucket(
  client: CloudflareClient,
  settings: Settings,
): Promise<DeployStep> {
  const name = bucketName(settings.name);
  const path = `/accounts/${settings.account_id}/r2/buckets`;
  const inJurisdiction: Readonly<Record<string, string>> = settings.jurisdiction
    ? { "cf-r2-jurisdiction": settings.jurisdiction }
    : {};
  const found = await client.get(`${path}/${name}`, inJurisdiction);
  if (!found.refusal) return { text: `bucket ${name}`, isNew: false };
  if (found.refusal.code === R2_OFF) {
    throw new DeployRefusal(
      "The archive needs R2, which this Cloudflare account has not switched on. Switch it on in Cloudflare's dashboard " +
        "(R2, free up to 10 GB), or deploy with --no-archive: old alerts are then removed without a copy.",
    );
  }
  if (found.refusal.code !== NO_SUCH_BUCKET && found.refusal.status !== 404) {
    refuse("The archive's bucket could not be read", found.refusal);
  }
  const created = await client.post(path, { name }, inJurisdiction);
  if (created.refusal) refuse(`The bucket ${name} could not be created`, created.refusal);
  return { text: `bucket ${name}`, isNew: true };
}
