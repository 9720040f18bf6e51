// `npm start`: the whole service on this machine. Migrates, starts the worker, and on an empty database makes a
// demonstration; another start keeps what is there. Ends with everything it started.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseStartArguments, START_USAGE, type StartArguments } from "./arguments.ts";
import {
  type Beginning,
  type Demo,
  FIRST_ACCOUNTS,
  invitation,
  MATE,
  makeDemo,
  movedTo,
} from "./demo.ts";
import { ADDRESS, isPortFree, startDevServer } from "./dev-server.ts";
import { discard, insert, isEmpty, migrate } from "./local-database.ts";
import { localSecrets, newPassword } from "./secrets.ts";
import { untilStopped } from "./stopped.ts";
import { root } from "./wrangler.ts";

/** Where clients look; a copy of the one that lies beside the state it belongs to. */
const DEMO_FILE = join(root, ".wrangler/demo.json");

const NO_DEMO = "The database holds accounts that this command did not make; use a key of theirs.";

/** Gives an empty database its first accounts; the keys of none if it has some already. */
async function makeFirstAccounts(state: string): Promise<readonly Beginning[]> {
  if (!isEmpty(state)) return [];
  // Drizzle is a second of loading, which a start on filled state is spared.
  const { firstAccount, firstColleague } = await import("./first-account.ts");
  const { hashPassword } = await import("../db/passwords.ts");
  const made = await Promise.all(
    FIRST_ACCOUNTS.map(async (named, i) => {
      const password = newPassword();
      const passwordHash = await hashPassword(password, 1);
      const account = { ...named, passwordHash, passwordExpired: false };
      const first = { ...firstAccount(account, Date.now()), email: named.email, password };
      return i === 0
        ? { ...first, colleague: firstColleague(first.accountId, MATE, Date.now()) }
        : first;
    }),
  );
  const statements = made.flatMap((it) => [
    ...it.statements,
    ...("colleague" in it ? it.colleague.statements : []),
  ]);
  insert(state, statements);
  return made;
}

/** The state's demonstration, made or found, at the address it now has; none if somebody else filled the state. */
async function demoOf(
  state: string,
  baseUrl: string,
  beginnings: readonly Beginning[],
): Promise<Demo | null> {
  const [first, other] = beginnings;
  if (first && other) return makeDemo(baseUrl, first, other, Date.now());
  const kept = join(state, "demo.json");
  return existsSync(kept) ? movedTo(JSON.parse(readFileSync(kept, "utf8")), baseUrl) : null;
}

function keep(state: string, demo: Demo): void {
  const kept = join(state, "demo.json");
  writeFileSync(kept, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  mkdirSync(dirname(DEMO_FILE), { recursive: true });
  copyFileSync(kept, DEMO_FILE);
}

/** Serves until it is stopped; the exit code. `whenReady` runs once requests are answered. */
async function serve(
  given: StartArguments,
  stopped: AbortSignal,
  whenReady: () => Promise<void>,
): Promise<number> {
  const server = startDevServer(given, await localSecrets(given.state));
  stopped.addEventListener("abort", server.stop);
  const ended = server.ended.then((code) => (stopped.aborted ? 0 : code));
  const early = await Promise.race([server.ready, ended]);
  if (early !== undefined) return early;
  try {
    await whenReady();
  } catch (error) {
    server.stop();
    if ((await ended) === 0 && stopped.aborted) return 0;
    throw error;
  }
  return ended;
}

/** The whole command; its exit code. An empty database is left with its demonstration or as it was. */
async function start(given: StartArguments, stopped: AbortSignal): Promise<number> {
  const { port, state } = given;
  if (!(await isPortFree(port))) {
    console.error(`port ${port} is in use; choose another: npm start -- --port ${port + 1}`);
    return 1;
  }
  await migrate(state, stopped);
  if (stopped.aborted) return 0;
  const beginnings = await makeFirstAccounts(state);
  let isWhole = beginnings.length === 0;
  const baseUrl = `http://${ADDRESS}:${port}`;
  try {
    return await serve(given, stopped, async () => {
      const demo = await demoOf(state, baseUrl, beginnings);
      if (demo) keep(state, demo);
      isWhole = true;
      console.log(`\nTocsin is ready on ${baseUrl}\n${demo ? invitation(demo) : NO_DEMO}\n`);
    });
  } finally {
    if (!isWhole) discard(state);
  }
}

const given = parseStartArguments(process.argv.slice(2));
if ("refused" in given) {
  console.error(`${given.refused}\n${START_USAGE}`);
  process.exitCode = 2;
} else {
  const stopped = untilStopped();
  process.exitCode = await start(given, stopped).catch((error: Error) => {
    if (stopped.aborted) return 0;
    console.error(error.message);
    return 1;
  });
}
