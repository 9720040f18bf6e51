// The archive's bucket from outside the worker, local or deployed: a binding of wrangler's platform
// proxy, since its commands list no objects.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import {
  type ArchiveRecord,
  archiveFolder,
  dayFolder,
  mergedRecords,
  recordsOf,
} from "../domain/shared/archive.ts";
import { deploymentConfigPath } from "./deploying/deployment-config.ts";
import { QUIET, root } from "./processes/wrangler.ts";

type Place = {
  readonly remote: boolean;
  /** Absolute path of the local state directory. */
  readonly state: string;
};

/** What is needed of the worker's configuration. */
type Configuration = {
  readonly name?: string;
  readonly account_id?: string;
  readonly compatibility_date?: string;
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string }[];
};

/** Runs `use` with the bucket bound as `ARCHIVE`. Throws if there is none. */
export async function withArchive<Result>(
  { remote, state }: Place,
  use: (bucket: R2Bucket) => Promise<Result>,
): Promise<Result> {
  // Only records go to standard output.
  Object.assign(process.env, QUIET, { WRANGLER_LOG: "error" });
  const config: Configuration = unstable_readConfig({
    config: remote ? deploymentConfigPath() : join(root, "wrangler.toml"),
  });
  const bound = config.r2_buckets.find(({ binding }) => binding === "ARCHIVE");
  if (bound === undefined) throw new Error("the deployment has no archive");
  // The worker's other bindings are not needed, and its objects would have to be built.
  const folder = mkdtempSync(join(tmpdir(), "tocsin-archive-"));
  const configPath = join(folder, "wrangler.json");
  const { name, account_id, compatibility_date } = config;
  const r2_buckets = [{ ...bound, remote }];
  writeFileSync(configPath, JSON.stringify({ name, account_id, compatibility_date, r2_buckets }));
  try {
    const proxy = await getPlatformProxy<{ readonly ARCHIVE: R2Bucket }>({
      configPath,
      persist: { path: join(state, "v3") },
      remoteBindings: remote,
    });
    try {
      return await use(proxy.env.ARCHIVE);
    } finally {
      await proxy.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All pages of a list. */
async function listAll(bucket: R2Bucket, options: R2ListOptions) {
  const objects: R2Object[] = [];
  const folders: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await bucket.list({ ...options, ...(cursor !== undefined && { cursor }) });
    objects.push(...page.objects);
    folders.push(...page.delimitedPrefixes);
    if (!page.truncated) return { objects, folders };
    cursor = page.cursor;
  }
}

/** The days (`yyyy-mm-dd`) of an account that have archived records. */
export async function listDays(bucket: R2Bucket, account: string): Promise<string[]> {
  const prefix = archiveFolder(account);
  const { folders } = await listAll(bucket, { prefix, delimiter: "/" });
  return folders.map((folder) => folder.slice(prefix.length, -1)).sort();
}

/** The records of an account created on a day (UTC), each once: alerts, then request logs. */
export async function readDay(
  bucket: R2Bucket,
  account: string,
  day: string,
): Promise<ArchiveRecord[]> {
  const prefix = dayFolder(account, day);
  const { objects } = await listAll(bucket, { prefix });
  // Of a record that was archived repeatedly, the line written last counts.
  objects.sort((a, b) => a.uploaded.getTime() - b.uploaded.getTime());
  const alerts: ArchiveRecord[] = [];
  const logs: ArchiveRecord[] = [];
  for (const { key } of objects) {
    const object = await bucket.get(key);
    if (object === null) continue;
    const text = new Response(object.body.pipeThrough(new DecompressionStream("gzip"))).text();
    (key.startsWith(`${prefix}alerts-`) ? alerts : logs).push(...recordsOf(await text));
  }
  return [...mergedRecords(alerts), ...mergedRecords(logs)];
}
