// `npm run setup`: creates the first account, its admin and their API key in a deployment's
// database. Prints key and password once; only hashes are sent and stored.

import { parseSetupArguments, SETUP_USAGE, type SetupArguments } from "./arguments.ts";
import { createAccount } from "./create-account.ts";
import { deploymentConfigPath } from "./deploying/deployment-config.ts";
import { exitForHelp } from "./help.ts";
import { migrate } from "./local-database.ts";
import { putMissingSecrets } from "./secrets.ts";

/** Prepares the database, and returns wrangler's flags for it. */
async function prepare({ remote, state }: SetupArguments): Promise<readonly string[]> {
  if (!remote) {
    await migrate(state);
    return ["--local", "--persist-to", state];
  }
  const config = ["--config", deploymentConfigPath()];
  const put = await putMissingSecrets(config);
  if (put.length > 0) console.log(`Secrets added to the worker: ${put.join(", ")}.`);
  return ["--remote", ...config];
}

/** Runs the command and returns its exit code. */
async function run(options: SetupArguments): Promise<number> {
  const database = options.remote ? "the deployed database" : "the local database";
  const { name: account, person, email } = options;
  const credentials = await createAccount(await prepare(options), { account, person, email });
  if (credentials === null) {
    console.error(`${email} already belongs to an account of ${database}; nothing was created`);
    return 1;
  }
  console.log(`${account} is in ${database}, and ${person} is its admin.`);
  console.log(`Their API key, shown this once: ${credentials.apiKey}`);
  console.log(`Their password, for their first sign-in as ${email}: ${credentials.password}`);
  return 0;
}

exitForHelp(SETUP_USAGE);
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
