// `npm start`: runs the whole service locally. Applies migrations, starts the worker, and creates
// demo data in an empty database; existing data is preserved. Stops everything it started on exit.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseStartArguments, START_USAGE, type StartArguments } from "./arguments.ts";
import {
  callsWith,
  createDemo,
  type Demo,
  describeDemo,
  FIRST_ACCOUNTS,
  type FirstCredentials,
  SECOND_PERSON,
  withBaseUrl,
} from "./demo.ts";
import { exitForHelp } from "./help.ts";
import { discard, insert, isEmpty, migrate } from "./local-database.ts";
import { ADDRESS, isPortFree, startDevServer } from "./processes/dev-server.ts";
import { root } from "./processes/wrangler.ts";
import { localSecrets, newPassword } from "./secrets.ts";
import { untilStopped } from "./stopped.ts";

/** Where clients look for the demo; a copy of the file in the state directory. */
const DEMO_FILE = join(root, ".wrangler/demo.json");

const withoutDemo = (baseUrl: string) =>
  `Tocsin is ready on ${baseUrl}\nIts accounts were not made by this command: use a key of theirs.`;

/** Creates the first accounts in an empty database and returns their credentials. */
async function makeFirstAccounts(
  state: string,
  secret: string | undefined,
): Promise<readonly FirstCredentials[]> {
  if (!isEmpty(state)) return [];
  // Loading Drizzle takes a second; later starts do not need it.
  const { buildFirstAccount, buildColleague } = await import("./first-account.ts");
  const { hashPassword } = await import("../features/access/sessions/passwords.ts");
  const now = Date.now();
  const created = await Promise.all(
    FIRST_ACCOUNTS.map(async (named, i) => {
      const password = newPassword();
      const passwordHash = await hashPassword(password, 1);
      const signsIn = { passwordHash, passwordExpired: false };
      const account = buildFirstAccount({ ...named, ...signsIn }, now, secret);
      const first = { ...account, email: named.email, password };
      if (i > 0) return first;
      const mate = buildColleague(account.accountId, { ...SECOND_PERSON, ...signsIn }, now, secret);
      return { ...first, colleague: mate };
    }),
  );
  const statements = created.flatMap((it) => [
    ...it.statements,
    ...("colleague" in it ? it.colleague.statements : []),
  ]);
  insert(state, statements);
  return created;
}

/** Adds a month of data to the demo. */
async function addMonth(state: string, demo: Demo, { accountId, apiKey }: FirstCredentials) {
  const { createMonth } = await import("./month/month.ts");
  const [ada = "", mo = ""] = demo.account_user_ids;
  const [{ person, email }] = FIRST_ACCOUNTS;
  const people = [
    { id: ada, name: person, email },
    { id: mo, name: SECOND_PERSON.person, email: SECOND_PERSON.email },
  ];
  const calls = callsWith(demo.base_url, apiKey);
  insert(state, await createMonth(calls, demo, { accountId, people }, Date.now()));
}

/** Creates the demo or reads the stored one; null if this command did not fill the state. */
async function makeOrReadDemo(
  { state, demo: isMonth }: StartArguments,
  baseUrl: string,
  beginnings: readonly FirstCredentials[],
): Promise<Demo | null> {
  const [first, other] = beginnings;
  if (first && other) {
    const demo = await createDemo(baseUrl, first, other, !isMonth, Date.now());
    if (isMonth) await addMonth(state, demo, first);
    return demo;
  }
  const path = join(state, "demo.json");
  return existsSync(path) ? withBaseUrl(JSON.parse(readFileSync(path, "utf8")), baseUrl) : null;
}

function saveDemo(state: string, demo: Demo): void {
  const path = join(state, "demo.json");
  writeFileSync(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  mkdirSync(dirname(DEMO_FILE), { recursive: true });
  copyFileSync(path, DEMO_FILE);
}

/** Serves until stopped and returns the exit code. `whenReady` runs once requests are served. */
async function serve(
  options: StartArguments,
  secrets: Awaited<ReturnType<typeof localSecrets>>,
  stopped: AbortSignal,
  whenReady: () => Promise<void>,
): Promise<number> {
  const server = startDevServer(options, secrets);
  stopped.addEventListener("abort", server.stop);
  const ended = server.ended.then((code) => (stopped.aborted ? 0 : code));
  const earlyExit = await Promise.race([server.ready, ended]);
  if (earlyExit !== undefined) return earlyExit;
  try {
    await whenReady();
    server.showOutput();
  } catch (error) {
    server.stop();
    if ((await ended) === 0 && stopped.aborted) return 0;
    throw error;
  }
  return ended;
}

/** Runs the command; returns its exit code. A failed first start leaves the database empty. */
async function start(options: StartArguments, stopped: AbortSignal): Promise<number> {
  const { port, state } = options;
  if (!(await isPortFree(port))) {
    console.error(`port ${port} is in use; choose another: npm start -- --port ${port + 1}`);
    return 1;
  }
  const { buildAssets } = await import("./assets.ts");
  await Promise.all([migrate(state), buildAssets()]);
  if (stopped.aborted) return 0;
  const secrets = await localSecrets(state);
  const beginnings = await makeFirstAccounts(state, secrets.LINK_SECRET);
  let isComplete = beginnings.length === 0;
  const baseUrl = `http://${ADDRESS}:${port}`;
  try {
    return await serve(options, secrets, stopped, async () => {
      const demo = await makeOrReadDemo(options, baseUrl, beginnings);
      if (demo) saveDemo(state, demo);
      isComplete = true;
      console.log(`\n${demo ? describeDemo(demo) : withoutDemo(baseUrl)}\n`);
    });
  } finally {
    if (!isComplete) discard(state);
  }
}

exitForHelp(START_USAGE);
const options = parseStartArguments(process.argv.slice(2));
if ("refused" in options) {
  console.error(`${options.refused}\n${START_USAGE}`);
  process.exitCode = 2;
} else {
  const stopped = untilStopped();
  process.exitCode = await start(options, stopped).catch((error: Error) => {
    if (stopped.aborted) return 0;
    console.error(error.message);
    return 1;
  });
}
