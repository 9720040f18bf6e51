// Runs `npm run serve` on a state of its own, as an operator does: started any number of times, stopped or killed.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hashPassword } from "../../../src/features/access/sessions/passwords.ts";
import { buildFirstAccount } from "../../../src/setup/first-account.ts";
import { insert, migrate } from "../../../src/setup/local-database.ts";
import { memoryFolder } from "../local/memory.ts";
import { EMAIL, freePort, PASSWORD } from "../worker/dev-worker.ts";

const root = resolve(import.meta.dirname, "../../..");
const SERVE = join(root, "src/setup/serve/serve.ts");

/** How the server signs links; the same for every state. */
const LINK_SECRET = "only the tests sign with this secret";

export type Place = {
  /** The folder with the state and the file of variables. */
  readonly folder: string;
  readonly state: string;
  readonly config: string;
  readonly port: number;
  readonly url: string;
};

/**
 * Makes a folder for a server.
 *
 * @param variables of its file, with mode 0600
 * @param below where it is; by default in memory, where there is room
 */
export async function makePlace(
  variables: Readonly<Record<string, string>>,
  below = memoryFolder() ?? tmpdir(),
): Promise<Place> {
  const folder = mkdtempSync(join(below, "tocsin-serve-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const place = { folder, state: join(folder, "state"), config: join(folder, "tocsin.env") };
  const all = { PUBLIC_URL: url, LINK_SECRET, ...variables };
  const lines = Object.entries(all).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  writeFileSync(place.config, lines.join(""), { mode: 0o600 });
  return { ...place, port, url };
}

export const removePlace = ({ folder }: Place): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** Creates the state with an account, as a server that has run before has it. Its admin signs in by `EMAIL` and `PASSWORD`. */
export async function makeAccount({ state }: Place) {
  await migrate(state);
  const names = { account: "Acme", person: "Bea Bench", email: EMAIL };
  const signsIn = { passwordHash: await hashPassword(PASSWORD, 1), passwordExpired: false };
  const first = buildFirstAccount({ ...names, ...signsIn }, Date.now(), LINK_SECRET);
  insert(state, first.statements);
  return { key: first.apiKey, accountUserId: first.accountUserId };
}

type Line = { readonly message?: string } & Readonly<Record<string, unknown>>;

export type Server = {
  /** The process that listens, which has started the others. */
  readonly pid: number;
  /** The lines of its output so far. */
  readonly lines: readonly Line[];
  /** What it wrote to its error output. */
  readonly errors: () => string;
  /** Asks it to end; resolves with its exit code. */
  readonly stop: () => Promise<number | null>;
  /** Kills the process that listens; resolves once the others have ended too. */
  readonly kill: () => Promise<void>;
};

/** Runs the command to its end or until it is ready. @returns its exit code if it has ended */
export async function startServer(
  { config, state, port, url }: Place,
  ...more: readonly string[]
): Promise<Server & { readonly exitCode: number | null }> {
  const flags = ["--config", config, "--state", state, "--port", String(port), ...more];
  // Ends with this process even if this process is killed.
  const guard = ["--import", join(root, "src/setup/processes/kill-with-parent.ts")];
  const child = spawn(process.execPath, ["--no-warnings", ...guard, SERVE, ...flags], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  const lines: Line[] = [];
  let [rest, errors] = ["", ""];
  const output = Promise.withResolvers<void>();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) lines.push(readLine(part));
    if (lines.some(({ message }) => message === "ready")) output.resolve();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = new Promise<number | null>((done) => child.once("exit", done));
  const end = () => child.kill("SIGKILL");
  process.prependOnceListener("exit", end);
  const ended = exited.finally(() => process.off("exit", end));
  await Promise.race([output.promise, ended]);
  const isClosed = () => whenClosed(child);
  return {
    ...{ pid: child.pid ?? 0, lines, errors: () => errors, exitCode: child.exitCode },
    stop: async () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
      await isClosed();
      await untilRefused(url);
    },
  };
}

/** The process id of the runtime of a server that runs: the child of its child. */
export function runtimeOf({ config }: Place): number {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const processes = [...listed.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)];
  const childOf = (parent: string | undefined) => processes.find((it) => it[2] === parent)?.[1];
  const listening = processes.find(([, , , args]) => args?.includes(config))?.[1];
  return Number(childOf(childOf(listening)));
}

/** Signs in to the console by its form. */
export const signIn = ({ url }: Pick<Place, "url">, email: string, password: string) =>
  fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url },
    body: new URLSearchParams({ email, password, to: "/" }),
  });

/** A line that is no JSON object fails the test that reads it. */
function readLine(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return { message: `not JSON: ${text}` };
  }
}

/** Its output is closed once the processes that share it have ended. */
const whenClosed = ({ stdout }: ChildProcess) =>
  new Promise<void>((done) => {
    if (stdout === null || stdout.closed) done();
    else stdout.once("close", () => done());
  });

async function untilRefused(url: string): Promise<void> {
  while (
    await fetch(url).then(
      () => true,
      () => false,
    )
  ) {
    await new Promise((done) => setTimeout(done, 25));
  }
}
