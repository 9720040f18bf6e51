// Deploys a version beside the one that serves, tests it without giving it requests, then shifts all requests to it. A
// version with new object classes cannot be deployed so; it replaces the old one at once.

import { readBaseConfig } from "./base-config.ts";
import { type Check, checkDeployment } from "./check-deployment.ts";
import type { CloudflareClient } from "./cloudflare-api.ts";
import { DeployRefusal } from "./refusals.ts";
import type { Settings } from "./settings.ts";
import { applyTriggers, shiftTraffic, type Upload, upload } from "./wrangler-steps.ts";

type Deployments = {
  readonly deployments: readonly {
    readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
  }[];
};
type WorkerSettings = {
  readonly bindings: readonly { readonly type: string; readonly class_name?: string }[];
};

/** The version that serves most requests; null before the first deployment. */
async function servingVersion(client: CloudflareClient, path: string): Promise<string | null> {
  const found = await client.get<Deployments>(`${path}/deployments`);
  const versions = found.refusal ? [] : (found.result.deployments[0]?.versions ?? []);
  const [serving] = [...versions].sort((a, b) => b.percentage - a.percentage);
  return serving?.version_id ?? null;
}

/** Names of the object classes of this version that the deployed one does not have. */
async function newClasses(client: CloudflareClient, path: string): Promise<readonly string[]> {
  const found = await client.get<WorkerSettings>(`${path}/settings`);
  const deployed = new Set(found.refusal ? [] : found.result.bindings.map((it) => it.class_name));
  const { exports = {} } = readBaseConfig() as {
    readonly exports?: Readonly<Record<string, object>>;
  };
  return Object.keys(exports).filter((name) => !deployed.has(name));
}

export type GradualOutcome =
  | { readonly kind: "shifted"; readonly upload: Upload }
  /** It has to be deployed at once, and why. */
  | { readonly kind: "not_possible"; readonly why: string };

/** Uploads, tests and shifts. Throws `DeployRefusal` if the version does not answer: the old one goes on serving. */
export async function deployGradually(
  client: CloudflareClient,
  settings: Settings,
  config: string,
  check: (version: string) => Promise<Check> = (id) => checkVersion(settings, id),
): Promise<GradualOutcome> {
  const path = `/accounts/${settings.account_id}/workers/scripts/${settings.name}`;
  const serving = await servingVersion(client, path);
  if (serving === null) return { kind: "not_possible", why: "nothing is deployed yet" };
  const classes = await newClasses(client, path);
  if (classes.length > 0) {
    return { kind: "not_possible", why: `it has new kinds of objects: ${classes.join(", ")}` };
  }
  const uploaded = await upload(client, settings, config, "version");
  const { versionId } = uploaded;
  await shiftTraffic(config, { [versionId]: 0, [serving]: 100 });
  const { isReady, text } = await check(versionId);
  if (!isReady) {
    await shiftTraffic(config, { [serving]: 100 });
    throw new DeployRefusal(
      `Version ${versionId} does not pass its test: ${text}. Version ${serving} goes on serving all requests.`,
    );
  }
  await shiftTraffic(config, { [versionId]: 100 });
  await applyTriggers(config);
  return { kind: "shifted", upload: uploaded };
}

function checkVersion({ public_url: url, name }: Settings, id: string): Promise<Check> {
  if (url === undefined) return Promise.resolve({ isReady: false, text: "its address is unknown" });
  return checkDeployment({ url, version: { worker: name, id }, attempts: 6, pauseMs: 5_000 });
}
