// The instrumented worker under `wrangler dev`, on an empty database of its own that is thrown away afterwards.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { firstAccount } from "../../src/setup/first-account.ts";
import { insert, migrate } from "../../src/setup/local-database.ts";

const root = resolve(import.meta.dirname, "../..");

export type Server = {
  readonly url: string;
  readonly key: string;
  readonly accountUserId: string;
  stop(): void;
};

/** The worker's own configuration, with the instruments in front and one more object. */
function configuration(main: string): string {
  const own = readFileSync(join(root, "wrangler.toml"), "utf8");
  return own
    .replace('main = "src/index.ts"', `main = "${main}"`)
    .replace('migrations_dir = "migrations"', 'migrations_dir = "../../migrations"')
    .replace('directory = "src/', 'directory = "../../src/')
    .replace("bindings = [", 'bindings = [\n  { name = "EMPTY", class_name = "EmptyObject" },')
    .concat('\n[exports.EmptyObject]\ntype = "durable-object"\nstorage = "sqlite"\n');
}

const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");

const QUIET = { X_LOCAL_OBSERVABILITY: "false", WRANGLER_SEND_METRICS: "false", CI: "true" };

/** Bundles the worker once: a bench must not be restarted by an edit. Returns the configuration that runs it. */
function build(folder: string): string {
  const source = join(folder, "source.toml");
  writeFileSync(source, configuration("../../test/bench/worker.ts"));
  const parameters = [
    wrangler,
    "deploy",
    "--dry-run",
    "-c",
    source,
    "--outdir",
    join(folder, "built"),
  ];
  const env = { ...process.env, ...QUIET };
  const { status, stderr } = spawnSync(process.execPath, parameters, {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const config = join(folder, "wrangler.toml");
  writeFileSync(config, `no_bundle = true\n${configuration("built/worker.js")}`);
  return config;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let waits = 0; waits < 300; waits += 1) {
    if (child.exitCode !== null) throw new Error(`wrangler ended with code ${child.exitCode}`);
    const answer = await fetch(`${url}/bench/empty`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("the worker did not come up");
}

/** Starts the worker on a port; the first account is made before. */
export async function startServer(port: number): Promise<Server> {
  const folder = join(root, ".wrangler/bench");
  mkdirSync(folder, { recursive: true });
  const state = mkdtempSync(join(folder, "state-"));
  const config = build(folder);
  await migrate(state);
  const people = { account: "Bench", person: "Bea Bench", email: "bea@example.com" };
  const first = firstAccount(people, Date.now());
  insert(state, first.statements);
  const child = spawn(
    process.execPath,
    [
      ...[wrangler, "dev", "-c", config, "--ip", "127.0.0.1", "--port", String(port)],
      ...["--inspector-port", "0", "--persist-to", state, "--show-interactive-dev-session=false"],
      ...["--var", "RATE_LIMITS:off", "--log-level", "error"],
    ],
    {
      cwd: root,
      detached: true,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, ...QUIET },
    },
  );
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(url, child);
  } catch (error) {
    stop();
    throw error;
  }
  return { url, key: first.apiKey, accountUserId: first.accountUserId, stop };
}
