// Decides the settings of a deployment: those of an earlier one, then the flags, then answers. Refuses what was fixed by the
// first deployment.

import type { CloudflareClient } from "./cloudflare-api.ts";
import type { DeployArguments } from "./deploy-arguments.ts";
import { decidePlan } from "./plan.ts";
import type { Ask } from "./questions.ts";
import { DeployRefusal, refuse } from "./refusals.ts";
import { emailAddress, readSettings, type Settings } from "./settings.ts";

const FIXED = ["name", "account_id", "jurisdiction", "location"] as const;

/** The settings that an earlier deployment wrote. Throws if a flag contradicts what is fixed. */
function readEarlier({ settings: path, given }: DeployArguments): Settings | null {
  const stored = readSettings(path);
  if (stored === null) return null;
  if ("refused" in stored) throw new DeployRefusal(stored.refused);
  for (const key of FIXED) {
    if (given[key] !== undefined && given[key] !== stored[key]) {
      throw new DeployRefusal(
        `${path} says ${key} ${stored[key] ?? "none"}, which was fixed by the first deployment; ` +
          `${given[key]} needs a deployment of its own: --name with another --settings file.`,
      );
    }
  }
  return stored;
}

type Account = { readonly id: string; readonly name: string };

/** Cloudflare's account to deploy to: the named one, or the only one, or the chosen one. */
async function decideAccount(
  client: CloudflareClient,
  named: string | undefined,
  ask: Ask | null,
): Promise<string> {
  const given = named ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  if (given) return given;
  const found = await client.get<readonly Account[]>("/accounts?per_page=50");
  if (found.refusal) refuse("Your Cloudflare accounts could not be listed", found.refusal);
  const [only, ...others] = found.result;
  if (only === undefined) throw new DeployRefusal("Your sign-in has no Cloudflare account.");
  if (others.length === 0) return only.id;
  const list = found.result.map((it) => `  ${it.id}  ${it.name}`).join("\n");
  if (ask === null) {
    throw new DeployRefusal(`Give one of your accounts by --cloudflare-account:\n${list}`);
  }
  console.log(`Your Cloudflare accounts:\n${list}`);
  const id = await ask({ text: "Deploy to the account with the id", fallback: only.id });
  if (found.result.some((it) => it.id === id)) return id;
  throw new DeployRefusal(`${id} is not one of your accounts.`);
}

/** The address at workers.dev; undefined while the account has no subdomain there. */
export async function workersDevUrl(
  client: CloudflareClient,
  { account_id: account, name }: Pick<Settings, "account_id" | "name">,
): Promise<string | undefined> {
  const path = `/accounts/${account}/workers/subdomain`;
  const found = await client.get<{ readonly subdomain?: string }>(path);
  const subdomain = found.refusal ? undefined : found.result.subdomain;
  return subdomain ? `https://${name}.${subdomain}.workers.dev` : undefined;
}

/** Asks for the sender of e-mail; undefined if that is to be decided later. */
async function decideSender(ask: Ask | null, plan: Settings["plan"]): Promise<string | undefined> {
  if (ask === null) return undefined;
  const where =
    plan === "free" ? "that your provider of e-mail sends for" : "in your Cloudflare account";
  const text = `E-mail is sent from (an address of a domain ${where}; or: later)`;
  const answer = await ask({ text, fallback: "later", schema: emailAddress });
  return answer === "later" ? undefined : answer;
}

/** The settings to deploy with. Throws `DeployRefusal`. */
export async function decideSettings(
  client: CloudflareClient,
  args: DeployArguments,
  ask: Ask | null,
): Promise<Settings> {
  const earlier = readEarlier(args);
  const { given } = args;
  if (earlier !== null) {
    const url = given.public_url ?? earlier.public_url ?? (await workersDevUrl(client, earlier));
    return { ...earlier, ...given, ...(url && { public_url: url }) };
  }
  const name = given.name ?? "tocsin";
  const account_id = await decideAccount(client, given.account_id, ask);
  const plan = given.plan ?? (await decidePlan(client, account_id, ask));
  const url = given.public_url ?? (await workersDevUrl(client, { account_id, name }));
  const sender = given.email_from ?? (await decideSender(ask, plan));
  return {
    archive: true,
    ...given,
    name,
    account_id,
    plan,
    ...(url && { public_url: url }),
    ...(sender && { email_from: sender }),
  };
}
