// Creates an account with its admin in a database, local or deployed, by wrangler.
import { hashPassword } from "../features/access/sessions/passwords.ts";
import { buildFirstAccount } from "./first-account.ts";
import { inlineParameters } from "./inline-parameters.ts";
import { runWrangler } from "./processes/wrangler.ts";
import { newPassword } from "./secrets.ts";

/** Which database: wrangler's flags for it. */
export type DatabaseTarget = readonly string[];

/** Credentials of the first person. */
export type Credentials = { readonly apiKey: string; readonly password: string };

type FirstAccountNames = {
  readonly account: string;
  readonly person: string;
  readonly email: string;
};

/** Runs statements as one batch; returns the rows of each. Throws on failure. */
async function execute(
  target: DatabaseTarget,
  sql: string,
): Promise<readonly (readonly object[])[]> {
  const command = ["d1", "execute", "DB", ...target, "--json", "--command", sql];
  const { code, output, errors } = await runWrangler(command);
  if (code !== 0) throw new Error(`the database did not take it:\n${output}${errors}`);
  const answers = JSON.parse(output) as readonly { readonly results: readonly object[] }[];
  return answers.map(({ results }) => results);
}

/** Creates the account and returns its credentials; null if the email is already in use. */
export async function createAccount(
  target: DatabaseTarget,
  named: FirstAccountNames,
): Promise<Credentials | null> {
  const owner = "select id from user_emails where email = ? and verified_at is not null";
  const lookUp = { sql: owner, params: [named.email] };
  const [owners = []] = await execute(target, inlineParameters(lookUp));
  if (owners.length > 0) return null;
  const password = newPassword();
  const passwordHash = await hashPassword(password, 1);
  const { statements, apiKey } = buildFirstAccount({ ...named, passwordHash }, Date.now());
  await execute(target, statements.map(inlineParameters).join("; "));
  return { apiKey, password };
}
