// Runs `wrangler dev` as a child process: starts it, waits for it, stops its process group.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import type { StartArguments } from "../arguments.ts";
import { QUIET, root, WRANGLER } from "./wrangler.ts";

export const ADDRESS = "127.0.0.1";

/** Time to stop before the process group is killed (ms); accepted requests are on disk by then. */
const STOP_TIMEOUT_MS = 5000;

export type DevServer = {
  /** Resolves when requests are served; never, if the server ends before that. */
  readonly ready: Promise<void>;
  /** The exit code, once the server and its children have ended. */
  readonly ended: Promise<number>;
  readonly stop: () => void;
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
export function variablesOf(
  { port, rateLimits, allowedHosts }: StartArguments,
  secrets: Readonly<Record<string, string>>,
): readonly string[] {
  return [
    `RATE_LIMITS:${rateLimits ? "on" : "off"}`,
    "LOG_PAGES:on",
    ...(allowedHosts.length > 0 ? [`ALLOWED_HOSTS:${allowedHosts.join(",")}`] : []),
    `PUBLIC_URL:http://${ADDRESS}:${port}`,
    ...Object.entries(secrets).map(([name, value]) => `${name}:${value}`),
  ];
}

/** Starts the worker with the secrets of its state; its output is inherited. */
export function startDevServer(
  options: StartArguments,
  secrets: Readonly<Record<string, string>>,
): DevServer {
  const { port, state } = options;
  const variables = variablesOf(options, secrets);
  const child = spawn(
    process.execPath,
    [
      ...[
        "--no-warnings",
        "--import",
        join(import.meta.dirname, "kill-with-parent.ts"),
        WRANGLER,
        "dev",
      ],
      ...["--ip", ADDRESS, "--port", String(port), "--inspector-port", "0"],
      ...["--persist-to", state, "--show-interactive-dev-session=false"],
      ...variables.flatMap((variable) => ["--var", variable]),
    ],
    {
      cwd: root,
      env: { ...process.env, ...QUIET },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Own process group, so that it can be killed as a whole.
      detached: true,
    },
  );
  const ready = new Promise<void>((done) => {
    child.on("message", (message) => {
      if (String(message).includes("DEV_SERVER_READY")) waitForResponse(port).then(done, () => {});
    });
  });
  const ended = new Promise<number>((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => {
      killGroup(child);
      done(code ?? 1);
    });
  });
  const stop = () => {
    child.kill("SIGTERM");
    setTimeout(() => killGroup(child), STOP_TIMEOUT_MS).unref();
  };
  return { ready, ended, stop };
}
