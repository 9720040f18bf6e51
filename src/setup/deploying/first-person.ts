// The first account of a deployment: decided before anything is created, made after everything else.
import type { CloudflareClient } from "./cloudflare-api.ts";
import type { DeployArguments } from "./deploy-arguments.ts";
import type { Ask } from "./questions.ts";
import { DeployRefusal, refuse } from "./refusals.ts";
import { emailAddress, type Settings } from "./settings.ts";

export type FirstPerson = {
  readonly account: string;
  readonly person: string;
  readonly email: string;
};

/** Whether the deployment has an account already. Reads only, since nothing may exist yet. */
async function hasAccount(client: CloudflareClient, settings: Settings): Promise<boolean> {
  const { account_id: account, name } = settings;
  const path = `/accounts/${account}/d1/database`;
  type Found = readonly { readonly uuid: string; readonly name: string }[];
  const found = await client.get<Found>(`${path}?name=${encodeURIComponent(name)}&per_page=100`);
  if (found.refusal) refuse("The databases of the account could not be listed", found.refusal);
  const database = found.result.find((it) => it.name === name);
  if (database === undefined) return false;
  type Rows = readonly { readonly results: readonly object[] }[];
  const sql = "select id from accounts limit 1";
  const rows = await client.post<Rows>(`${path}/${database.uuid}/query`, { sql });
  // A deployment that stopped before its migrations has no such table.
  if (rows.refusal?.message.includes("no such table")) return false;
  if (rows.refusal) refuse(`The database ${name} could not be read`, rows.refusal);
  return (rows.result[0]?.results.length ?? 0) > 0;
}

/**
 * Who will be the first admin; null if the deployment has an account, or shall have none.
 *
 * @throws DeployRefusal that names the missing flags where nobody can be asked
 */
export async function decideFirstPerson(
  client: CloudflareClient,
  settings: Settings,
  args: DeployArguments,
  ask: Ask | null,
): Promise<FirstPerson | null> {
  const { accountName, person, email, createsAccount } = args;
  if (!createsAccount || (await hasAccount(client, settings))) return null;
  if (ask === null) {
    const missing = [
      ...(accountName === "" ? ["--account-name"] : []),
      ...(email === "" ? ["--email"] : []),
    ];
    if (missing.length > 0) {
      throw new DeployRefusal(
        `The first deployment creates an account and its admin: ${missing.join(" and ")} missing.`,
      );
    }
  }
  const account =
    accountName || ((await ask?.({ text: "The first account is called (your company)" })) ?? "");
  const address =
    email || ((await ask?.({ text: "E-mail of its admin", schema: emailAddress })) ?? "");
  const fallback = address.split("@")[0] ?? address;
  const called = person || ((await ask?.({ text: "Name of its admin", fallback })) ?? fallback);
  return { account, person: called, email: address.toLowerCase() };
}
