// `npm run setup`: creates the first account, its admin and their API key in a deployment's
// database. Prints key and password once; only hashes are sent and stored.

import { hashPassword } from "../db/access/passwords.ts";
import { parseSetupArguments, SETUP_USAGE, type SetupArguments } from "./arguments.ts";
import { buildFirstAccount } from "./first-account.ts";
import { inlineParameters } from "./inline-parameters.ts";
import { migrate } from "./local-database.ts";
import { runWrangler } from "./processes/wrangler.ts";
import { newPassword, putMissingSecrets } from "./secrets.ts";

/** Runs statements with wrangler as one batch; returns the rows of each. Throws on failure. */
async function execute(
  options: SetupArguments,
  sql: string,
): Promise<readonly (readonly object[])[]> {
  const target = options.remote ? ["--remote"] : ["--local", "--persist-to", options.state];
  const command = ["d1", "execute", "DB", ...target, "--json", "--command", sql];
  const { code, output, errors } = await runWrangler(command);
  if (code !== 0) throw new Error(`the database did not take it:\n${output}${errors}`);
  const answers = JSON.parse(output) as readonly { readonly results: readonly object[] }[];
  return answers.map(({ results }) => results);
}

/** Credentials of the first person. */
type Credentials = { readonly apiKey: string; readonly password: string };

/** Creates the account and returns its credentials; null if the email is already in use. */
async function createAccount(options: SetupArguments): Promise<Credentials | null> {
  if (!options.remote) await migrate(options.state);
  const owner = "select id from user_emails where email = ? and verified_at is not null";
  const lookUp = { sql: owner, params: [options.email] };
  const [owners = []] = await execute(options, inlineParameters(lookUp));
  if (owners.length > 0) return null;
  const { name: account, person, email } = options;
  const password = newPassword();
  const passwordHash = await hashPassword(password, 1);
  const named = { account, person, email, passwordHash };
  const { statements, apiKey } = buildFirstAccount(named, Date.now());
  await execute(options, statements.map(inlineParameters).join("; "));
  return { apiKey, password };
}

/** Runs the command and returns its exit code. */
async function run(options: SetupArguments): Promise<number> {
  const target = options.remote ? "the deployed database" : "the local database";
  if (options.remote) {
    const put = await putMissingSecrets();
    if (put.length > 0) console.log(`The worker has got its secrets: ${put.join(", ")}.`);
  }
  const credentials = await createAccount(options);
  if (credentials === null) {
    console.error(`${options.email} belongs to an account of ${target} already; nothing was made`);
    return 1;
  }
  console.log(`${options.name} is in ${target}, and ${options.person} is its admin.`);
  console.log(`Their API key, shown this once: ${credentials.apiKey}`);
  console.log(
    `Their password, for their first sign-in as ${options.email}: ${credentials.password}`,
  );
  return 0;
}

const options = parseSetupArguments(process.argv.slice(2));
if ("refused" in options) {
  console.error(`${options.refused}\n${SETUP_USAGE}`);
  process.exitCode = 2;
} else {
  process.exitCode = await run(options).catch((error: Error) => {
    console.error(error.message);
    return 1;
  });
}
