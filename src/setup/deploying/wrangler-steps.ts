// The steps of a deployment that wrangler itself does: restore point, migrations, upload of code and secrets.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEPLOYMENT_SECRETS } from "../../domain/operations/deployment-secrets.ts";
import { runWrangler } from "../processes/wrangler.ts";
import { withMissing } from "../secrets.ts";
import type { CloudflareClient } from "./cloudflare-api.ts";
import { MAIL_KEYS } from "./plan.ts";
import { DeployRefusal, explainOutput, refuse } from "./refusals.ts";
import type { Settings } from "./settings.ts";

/** Secrets that a deployment takes from the environment of the command. */
const FROM_ENVIRONMENT = [...DEPLOYMENT_SECRETS, "BACKUP_KEY"] as const;

/** Runs wrangler. Throws with its output if it fails. @returns its standard output */
async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const outcome = await runWrangler(args, { environment });
  if (outcome.code === 0) return outcome.output;
  const written = `${outcome.output}${outcome.errors}`;
  const explained = explainOutput(written);
  throw new DeployRefusal(
    `wrangler ${args[0]} ${args[1] ?? ""} failed:\n${written}${explained === null ? "" : `\n${explained}`}`,
  );
}

/** The bookmark to which the database can be restored, as it is now. */
export async function readRestorePoint(config: string): Promise<string> {
  const output = await run(["d1", "time-travel", "info", "DB", "--json", "--config", config]);
  const { bookmark } = JSON.parse(output) as { readonly bookmark: string };
  return bookmark;
}

/** Applies the migrations that the database does not have. @returns their names */
export async function applyMigrations(config: string): Promise<readonly string[]> {
  const output = await run(["d1", "migrations", "apply", "DB", "--remote", "--config", config]);
  return [...new Set([...output.matchAll(/\b\d{4}_\w+\.sql\b/g)].map(([name]) => name))];
}

/** The secrets to upload: generated ones that the worker lacks, and those of the environment. */
async function secretsToUpload(client: CloudflareClient, settings: Settings) {
  const path = `/accounts/${settings.account_id}/workers/scripts/${settings.name}/secrets`;
  const found = await client.get<readonly { readonly name: string }[]>(path);
  if (found.refusal && found.refusal.status !== 404) {
    refuse("The worker's secrets could not be listed", found.refusal);
  }
  const existing = new Set(found.refusal ? [] : found.result.map(({ name }) => name));
  const stored = Object.fromEntries([...existing].map((name) => [name, "stored"]));
  const generated = Object.entries(await withMissing(stored)).filter(([it]) => !existing.has(it));
  const given = FROM_ENVIRONMENT.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  return { existing, uploaded: Object.fromEntries([...generated, ...given]) };
}

/** An entry of the file in which wrangler reports what it did. */
type Report = {
  readonly type: string;
  readonly version_id?: string;
  readonly targets?: readonly string[];
};

export type Upload = {
  readonly versionId: string;
  /** The addresses that the worker got; none of a version that was only uploaded. */
  readonly targets: readonly string[];
  readonly secrets: readonly string[];
  /** Whether e-mail goes by a provider other than Cloudflare. */
  readonly hasMailProvider: boolean;
};

/** Uploads the worker with its secrets: as the deployed version, or beside it. */
export async function upload(
  client: CloudflareClient,
  settings: Settings,
  config: string,
  kind: "deploy" | "version",
): Promise<Upload> {
  const { existing, uploaded } = await secretsToUpload(client, settings);
  const folder = mkdtempSync(join(tmpdir(), "tocsin-deploy-"));
  try {
    const secrets = join(folder, "secrets.json");
    const report = join(folder, "report.ndjson");
    writeFileSync(secrets, JSON.stringify(uploaded), { mode: 0o600 });
    const command = kind === "deploy" ? ["deploy"] : ["versions", "upload"];
    const flags = Object.keys(uploaded).length > 0 ? ["--secrets-file", secrets] : [];
    await run([...command, "--config", config, ...flags], { WRANGLER_OUTPUT_FILE_PATH: report });
    const lines = readFileSync(report, "utf8").trim().split("\n");
    const entries = lines.map((line): Report => JSON.parse(line));
    const entry = entries.find((it) => it.version_id !== undefined);
    return {
      versionId: entry?.version_id ?? "",
      targets: entry?.targets ?? [],
      secrets: Object.keys(uploaded),
      hasMailProvider: MAIL_KEYS.some((name) => existing.has(name) || name in uploaded),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Splits requests between versions, in percent. */
export async function shiftTraffic(
  config: string,
  shares: Readonly<Record<string, number>>,
): Promise<void> {
  const versions = Object.entries(shares).map(([id, percentage]) => `${id}@${percentage}%`);
  await run(["versions", "deploy", ...versions, "--yes", "--config", config]);
}

/** Applies cron triggers, routes and queue consumers, which a version does not carry. */
export async function applyTriggers(config: string): Promise<void> {
  await run(["triggers", "deploy", "--config", config]);
}
