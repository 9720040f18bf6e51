// `npm run setup`: the first account, its admin and their key in a deployment's database. Prints key and password once;
// only hashes are sent and stored.

import { hashPassword } from "../db/passwords.ts";
import { parseSetupArguments, SETUP_USAGE, type SetupArguments } from "./arguments.ts";
import { firstAccount } from "./first-account.ts";
import { withLiterals } from "./literal.ts";
import { migrate } from "./local-database.ts";
import { newPassword, putMissingSecrets } from "./secrets.ts";
import { runWrangler } from "./wrangler.ts";

/** Runs statements by wrangler, as one batch; the rows of each. Throws with wrangler's words. */
async function execute(
  given: SetupArguments,
  sql: string,
): Promise<readonly (readonly object[])[]> {
  const where = given.remote ? ["--remote"] : ["--local", "--persist-to", given.state];
  const command = ["d1", "execute", "DB", ...where, "--json", "--command", sql];
  const { code, output, errors } = await runWrangler(command);
  if (code !== 0) throw new Error(`the database did not take it:\n${output}${errors}`);
  const answers = JSON.parse(output) as readonly { readonly results: readonly object[] }[];
  return answers.map(({ results }) => results);
}

/** What the first person begins with. */
type Secrets = { readonly apiKey: string; readonly password: string };

/** The secrets of the account that was made; null when the e-mail belongs to somebody already. */
async function setUp(given: SetupArguments): Promise<Secrets | null> {
  if (!given.remote) await migrate(given.state);
  const owner = "select id from user_emails where email = ? and verified_at is not null";
  const lookUp = { sql: owner, params: [given.email] };
  const [owners = []] = await execute(given, withLiterals(lookUp));
  if (owners.length > 0) return null;
  const { name: account, person, email } = given;
  const password = newPassword();
  const passwordHash = await hashPassword(password, 1);
  const named = { account, person, email, passwordHash };
  const { statements, apiKey } = firstAccount(named, Date.now());
  await execute(given, statements.map(withLiterals).join("; "));
  return { apiKey, password };
}

/** The command: what it says, and its exit code. */
async function run(given: SetupArguments): Promise<number> {
  const where = given.remote ? "the deployed database" : "the local database";
  if (given.remote) {
    const put = await putMissingSecrets();
    if (put.length > 0) console.log(`The worker has got its secrets: ${put.join(", ")}.`);
  }
  const secrets = await setUp(given);
  if (secrets === null) {
    console.error(`${given.email} belongs to an account of ${where} already; nothing was made`);
    return 1;
  }
  console.log(`${given.name} is in ${where}, and ${given.person} is its admin.`);
  console.log(`Their API key, shown this once: ${secrets.apiKey}`);
  console.log(`Their password, for their first sign-in as ${given.email}: ${secrets.password}`);
  return 0;
}

const given = parseSetupArguments(process.argv.slice(2));
if ("refused" in given) {
  console.error(`${given.refused}\n${SETUP_USAGE}`);
  process.exitCode = 2;
} else {
  process.exitCode = await run(given).catch((error: Error) => {
    console.error(error.message);
    return 1;
  });
}
