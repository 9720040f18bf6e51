// Runs the worker as `wrangler dev` does with its own database: built once, started any number of
// times on the same state, and killed with SIGKILL.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join, relative, resolve } from "node:path";
import { hashPassword } from "../../../src/features/access/sessions/passwords.ts";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import { buildFirstAccount } from "../../../src/setup/first-account.ts";
import { insert, migrate } from "../../../src/setup/local-database.ts";
import { buildModules, moduleConfig } from "../../../src/setup/modules.ts";
import { memoryFolder } from "../local/memory.ts";
import type { WorkerStart } from "./run-worker.ts";

const root = resolve(import.meta.dirname, "../../..");
const RUN_WORKER = join(import.meta.dirname, "run-worker.ts");
const QUIET = {
  ...{ X_LOCAL_OBSERVABILITY: "false", WRANGLER_SEND_METRICS: "false", CI: "true" },
  WRANGLER_LOG: "error",
};

/** How the first account's person signs in. */
export const EMAIL = "bea@example.com";
export const PASSWORD = "a lamp that never goes out";

export type Built = {
  readonly config: string;
  /** The folder of its storage. */
  readonly state: string;
  readonly key: string;
  readonly accountUserId: string;
};

/** The folder of that name below `.wrangler`. */
function folderOf(name: string): string {
  const folder = join(root, ".wrangler", name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A new folder for a worker's storage. `below`: where it is unless there is room in memory. */
const newState = (below: string): string =>
  mkdtempSync(join(memoryFolder() ?? below, "tocsin-state-"));

/**
 * Bundles the worker, so that edits do not restart it, and creates its database with a first
 * account.
 *
 * @param name the name of its folder below `.wrangler`; its storage is in memory where there is room
 * @param main its entry point, relative to the root
 * @param adjusted changes the configuration
 */
export async function buildWorker(
  name: string,
  main: string,
  adjusted: (own: string) => string = (own) => own,
): Promise<Built> {
  const below = folderOf(name);
  // The measurements do not use static assets, so an empty folder is enough.
  mkdirSync(join(root, "dist/assets"), { recursive: true });
  const state = newState(below);
  const folder = relative(root, join(below, "built"));
  const base = readBaseConfig(adjusted(readFileSync(join(root, "wrangler.toml"), "utf8")));
  await Promise.all([buildModules(main, folder, base), migrate(state)]);
  const config = join(below, "wrangler.json");
  writeFileSync(
    config,
    JSON.stringify(moduleConfig(base, join(folder, `${basename(main, ".ts")}.js`))),
  );
  const passwordHash = await hashPassword(PASSWORD, 1);
  const people = { account: "Acme", person: "Bea Bench", email: EMAIL };
  const first = buildFirstAccount({ ...people, passwordHash, passwordExpired: false }, Date.now());
  insert(state, first.statements);
  return { config, state, key: first.apiKey, accountUserId: first.accountUserId };
}

/** The same worker with a copy of its storage, which nothing has open. */
export function copyState(built: Built, name: string): Built {
  const state = newState(folderOf(name));
  cpSync(built.state, state, { recursive: true });
  return { ...built, state };
}

/** Deletes a worker's storage. */
export function deleteState({ state }: Built): void {
  rmSync(state, { recursive: true, force: true, maxRetries: 5 });
}

/** Finds a free port. */
export function freePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => found(port));
    });
  });
}

export type Running = {
  readonly url: string;
  /** The process group of wrangler and the runtime. */
  readonly group: number;
  /** Kills wrangler and the runtime with SIGKILL. Resolves when they have ended. */
  readonly kill: () => Promise<void>;
};

/**
 * Starts the worker and waits until it responds.
 *
 * @param variables override those of the configuration
 * @param path the path that is polled; any status below 500 means ready
 */
export async function startWorker(
  { config, state }: Built,
  port: number,
  variables: Readonly<Record<string, string>>,
  path: string,
): Promise<Running> {
  const child = spawn(
    process.execPath,
    [
      // Ends wrangler with this process even if this process is killed.
      ...["--no-warnings", "--import", join(root, "src/setup/processes/kill-with-parent.ts")],
      ...[RUN_WORKER, JSON.stringify({ config, port, state, variables } satisfies WorkerStart)],
    ],
    {
      cwd: root,
      // Its own process group, which is killed as a whole.
      detached: true,
      stdio: ["ignore", "ignore", process.env.CRASH_LOG ? "inherit" : "ignore", "ipc"],
      env: { ...process.env, ...QUIET },
    },
  );
  const gone = new Promise<void>((done) => child.once("close", () => done()));
  const killGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  // Runs before the exit listener that deletes its storage.
  process.prependOnceListener("exit", killGroup);
  const kill = async () => {
    killGroup();
    process.off("exit", killGroup);
    await gone;
    await untilGone(port);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url + path, child);
  } catch (error) {
    await kill();
    throw error;
  }
  return { url, group: child.pid ?? 0, kill };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let waits = 0; waits < 4_800; waits += 1) {
    if (child.exitCode !== null) throw new Error(`wrangler ended with code ${child.exitCode}`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer && answer.status < 500) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the worker did not come up");
}

/**
 * Waits until the port is free: the runtime is a separate process of the group, whose memory a busy machine
 * takes long to free before it closes the port.
 */
async function untilGone(port: number): Promise<void> {
  for (let waits = 0; waits < 4_800; waits += 1) {
    const answers = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (!answers) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`something still listens on port ${port}`);
}
