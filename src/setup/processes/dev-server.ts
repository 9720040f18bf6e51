// Runs `wrangler dev` as a child process: starts it, waits for it, stops its process group.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { StartArguments } from "../arguments.ts";
import { readBaseConfig } from "../deploying/base-config.ts";
import { buildingConfig } from "../modules.ts";
import { WorkerOutput } from "./worker-output.ts";
import { QUIET, root, wranglerEntry } from "./wrangler.ts";

export const ADDRESS = "127.0.0.1";

/** Where wrangler reads variables for local trials of providers; it need not exist. */
const LOCAL_VARIABLES = join(root, ".dev.vars");

/** Time to stop before the process group is killed (ms); accepted requests are on disk by then. */
const STOP_TIMEOUT_MS = 5000;

export type DevServer = {
  /** Resolves when requests are served; never, if the server ends before that. */
  readonly ready: Promise<void>;
  /** The exit code, once the server and its children have ended. */
  readonly ended: Promise<number>;
  readonly stop: () => void;
  /** Shows what is printed from now on. What was printed before is shown only if the server ends first. */
  readonly showOutput: () => void;
};

/** Whether the port can be listened on. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, ADDRESS, () => server.close(() => resolve(true)));
  });
}

/** Kills the rest of the child's process group, which may be empty. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}

/** Resolves at the first response: wrangler reports ready a second before the worker is. */
async function waitForResponse(port: number): Promise<void> {
  const response = await fetch(`http://${ADDRESS}:${port}/`);
  await response.body?.cancel();
}

/** The worker's variables in the form of `--var`. */
export function variablesOf({ port, rateLimits, allowedHosts }: StartArguments): readonly string[] {
  return [
    `RATE_LIMITS:${rateLimits ? "on" : "off"}`,
    "LOG_PAGES:on",
    ...(allowedHosts.length > 0 ? [`ALLOWED_HOSTS:${allowedHosts.join(",")}`] : []),
    `PUBLIC_URL:http://${ADDRESS}:${port}`,
  ];
}

/** A file with secrets, for its owner alone: arguments would be in the list of processes. */
function writeSecrets(state: string, secrets: Readonly<Record<string, string>>): string {
  const file = join(state, "secrets.env");
  const lines = Object.entries(secrets).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}\n`,
  );
  mkdirSync(state, { recursive: true });
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  return file;
}

/** Writes the configuration of a worker that runs here. */
function writeLocalConfig(): string {
  const file = join(root, ".wrangler/local.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(buildingConfig(readBaseConfig()))}\n`);
  return file;
}

/** Passes output on, by lines, once it is asked to; until then it holds it. */
function passOn(stream: Readable | null, write: (line: string) => void) {
  const output = new WorkerOutput();
  let held: string[] | null = [];
  stream?.setEncoding("utf8").on("data", (text: string) => {
    for (const line of output.read(text)) {
      if (held === null) write(line);
      else held.push(line);
    }
  });
  return {
    /** From now on, without what it holds. */
    begin: () => {
      held = null;
    },
    flush: () => {
      for (const line of held ?? []) write(line);
      held = null;
    },
  };
}

/** Starts the worker with the secrets of its state. */
export function startDevServer(
  options: StartArguments,
  secrets: Readonly<Record<string, string>>,
): DevServer {
  const { port, state } = options;
  const child = spawn(
    process.execPath,
    [
      ...[
        "--no-warnings",
        "--import",
        join(import.meta.dirname, "kill-with-parent.ts"),
        wranglerEntry(),
        "dev",
        "--config",
        writeLocalConfig(),
      ],
      ...["--ip", ADDRESS, "--port", String(port), "--inspector-port", "0"],
      ...["--persist-to", state, "--show-interactive-dev-session=false"],
      ...variablesOf(options).flatMap((variable) => ["--var", variable]),
      // Of several files the last one counts.
      ...[writeSecrets(state, secrets), LOCAL_VARIABLES].flatMap((file) =>
        existsSync(file) ? ["--env-file", file] : [],
      ),
    ],
    {
      cwd: root,
      env: { ...process.env, ...QUIET },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Own process group, so that it can be killed as a whole.
      detached: true,
    },
  );
  const outputs = [
    passOn(child.stdout, (line) => console.log(line)),
    passOn(child.stderr, (line) => console.error(line)),
  ];
  const ready = new Promise<void>((done) => {
    child.on("message", (message) => {
      if (String(message).includes("DEV_SERVER_READY")) waitForResponse(port).then(done, () => {});
    });
  });
  const ended = new Promise<number>((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => {
      killGroup(child);
      for (const it of outputs) it.flush();
      done(code ?? 1);
    });
  });
  const stop = () => {
    child.kill("SIGTERM");
    setTimeout(() => killGroup(child), STOP_TIMEOUT_MS).unref();
  };
  const showOutput = () => {
    for (const it of outputs) it.begin();
  };
  return { ready, ended, stop, showOutput };
}
