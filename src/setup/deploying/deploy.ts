// `npm run deploy`: creates what the deployment lacks, applies the migrations, uploads the worker, creates the first account.
// Each step finds what an earlier run did, so it can be run again after anything.
import { buildAssets } from "../assets.ts";
import { createAccount } from "../create-account.ts";
import { exitForHelp } from "../help.ts";
import { readBaseConfig } from "./base-config.ts";
import { checkDeployment } from "./check-deployment.ts";
import { type CloudflareClient, signIn } from "./cloudflare-api.ts";
import { checkCustomDomain } from "./custom-domain.ts";
import { decideSettings, workersDevUrl } from "./decide-settings.ts";
import { DEPLOY_USAGE, type DeployArguments, parseDeployArguments } from "./deploy-arguments.ts";
import { writeDeploymentConfig } from "./deployment-config.ts";
import { decideFirstPerson, type FirstPerson } from "./first-person.ts";
import { deployGradually } from "./gradual-deployment.ts";
import { adviseOnMail } from "./mail-domain.ts";
import { describeFreePlan } from "./plan.ts";
import { questionsAtTerminal } from "./questions.ts";
import { DeployRefusal } from "./refusals.ts";
import {
  type DeployStep,
  ensureBucket,
  ensureDatabase,
  ensureQueue,
  queueNames,
} from "./resources.ts";
import { type Settings, writeSettings } from "./settings.ts";
import { isArchived, unknownVariables } from "./worker-config.ts";
import { applyMigrations, readRestorePoint, type Upload, upload } from "./wrangler-steps.ts";

const say = (text: string) => console.log(text);
const report = ({ text, isNew }: DeployStep) => say(`${isNew ? "Created" : "Found"}: ${text}`);

/** Finds or creates the resources. The settings are written as soon as something exists. */
async function ensureResources(
  client: CloudflareClient,
  decided: Settings,
  path: string,
): Promise<{ readonly settings: Settings; readonly isNewDatabase: boolean }> {
  const database = await ensureDatabase(client, decided);
  report(database);
  const settings = { ...decided, database_id: database.id };
  writeSettings(path, settings);
  for (const name of queueNames(settings.name)) report(await ensureQueue(client, settings, name));
  if (isArchived(settings)) report(await ensureBucket(client, settings));
  return { settings, isNewDatabase: database.isNew };
}

/** Uploads the worker as asked: tested before it serves, or at once. */
async function uploadAs(
  client: CloudflareClient,
  settings: Settings,
  config: string,
  { isGradual }: DeployArguments,
): Promise<Upload> {
  if (isGradual) {
    const outcome = await deployGradually(client, settings, config);
    if (outcome.kind === "shifted") return outcome.upload;
    say(`Deployed at once: ${outcome.why}.`);
  }
  return upload(client, settings, config, "deploy");
}

/** Uploads the worker; a second time if its address is known only after the first. */
async function deployWorker(
  client: CloudflareClient,
  settings: Settings,
  args: DeployArguments,
): Promise<{ readonly settings: Settings; readonly uploaded: Upload }> {
  const uploaded = await uploadAs(client, settings, writeDeploymentConfig(settings), args);
  say(`Deployed: worker ${settings.name}, version ${uploaded.versionId}`);
  if (uploaded.secrets.length > 0) say(`Secrets set: ${uploaded.secrets.join(", ")}`);
  if (settings.public_url !== undefined) return { settings, uploaded };
  const url = uploaded.targets.find((it) => it.startsWith("https://"));
  const public_url = url ?? (await workersDevUrl(client, settings));
  if (public_url === undefined) return { settings, uploaded };
  const addressed = { ...settings, public_url };
  writeSettings(args.settings, addressed);
  await upload(client, addressed, writeDeploymentConfig(addressed), "deploy");
  return { settings: addressed, uploaded };
}

/** Creates the first account and prints its credentials, this once. */
async function createFirst(first: FirstPerson, config: string, url: string): Promise<void> {
  const credentials = await createAccount(["--remote", "--config", config], first);
  if (credentials === null) {
    throw new DeployRefusal(`${first.email} already belongs to an account; none was created.`);
  }
  say(`\nCreated: account ${first.account}, admin ${first.person}`);
  say(`  Sign in:   ${url}/sign-in as ${first.email}`);
  say(`  Password:  ${credentials.password} (for one sign-in within seven days)`);
  say(`  API key:   ${credentials.apiKey} (shown this once)`);
}

async function deploy(args: DeployArguments): Promise<void> {
  const client = await signIn();
  if (client === null) {
    throw new DeployRefusal(
      "You are not signed in to Cloudflare: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.",
    );
  }
  const ask = questionsAtTerminal(args.isSilent);
  const decided = await decideSettings(client, args, ask);
  const unknown = unknownVariables(readBaseConfig(), decided);
  if (unknown.length > 0) {
    throw new DeployRefusal(`${args.settings} has variables that do not exist: ${unknown}`);
  }
  if (decided.plan === "free") say(`${describeFreePlan(decided)}\n`);
  await checkCustomDomain(client, decided, args.mayReplaceDns);
  const first = await decideFirstPerson(client, decided, args, ask);
  const { settings, isNewDatabase } = await ensureResources(client, decided, args.settings);
  const config = writeDeploymentConfig(settings);
  if (!isNewDatabase) {
    const bookmark = await readRestorePoint(config);
    say(`Restore point of the database before this deployment: ${bookmark}`);
    say(
      `  to go back: npx wrangler d1 time-travel restore ${settings.name} --bookmark=${bookmark}`,
    );
  }
  await buildAssets();
  const migrations = await applyMigrations(config);
  say(migrations.length > 0 ? `Applied: ${migrations.join(", ")}` : "No new migrations");
  const { settings: deployed, uploaded } = await deployWorker(client, settings, args);
  const url = deployed.public_url ?? "";
  if (first !== null) await createFirst(first, writeDeploymentConfig(deployed), url);
  await conclude(client, deployed, uploaded, args);
}

/** Checks the worker and the mail domain, and says what is left to do. */
async function conclude(
  client: CloudflareClient,
  settings: Settings,
  { hasMailProvider }: Upload,
  { isChecked, settings: path }: DeployArguments,
): Promise<void> {
  const { public_url: url } = settings;
  say("");
  const advice = await adviseOnMail(client, settings, hasMailProvider);
  if (advice !== null) say(`To do: ${advice}`);
  if (url === undefined) {
    say(
      "To do: the worker has no address. Deploy again with --url, or create a workers.dev subdomain.",
    );
  } else if (isChecked) {
    const { isReady, text } = await checkDeployment({ url, attempts: 12, pauseMs: 5_000 });
    say(isReady ? `Tocsin answers at ${url}` : `Tocsin does not answer at ${url} yet: ${text}`);
    if (!isReady) process.exitCode = 1;
  } else {
    say(`Tocsin is deployed to ${url}`);
  }
  say(
    `The decisions are in ${path}: no secrets; commit it. Run the command again after each change.`,
  );
}

exitForHelp(DEPLOY_USAGE);
const args = parseDeployArguments(process.argv.slice(2));
if ("refused" in args) {
  console.error(`${args.refused}\n\n${DEPLOY_USAGE}`);
  process.exitCode = 2;
} else {
  await deploy(args).catch((error: unknown) => {
    if (!(error instanceof DeployRefusal)) throw error;
    console.error(
      `\n${error.message}\nRun the command again once that is mended; it goes on from here.`,
    );
    process.exitCode = 1;
  });
}
