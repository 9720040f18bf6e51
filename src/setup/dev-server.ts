// `wrangler dev` as a child: started, waited for, and ended with everything it started.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import type { StartArguments } from "./arguments.ts";
import { QUIET, root, WRANGLER } from "./wrangler.ts";

export const ADDRESS = "127.0.0.1";

/** How long a stop may take before it is a kill; what was accepted is on disk by then. */
const PATIENCE_MS = 5000;

export type DevServer = {
  /** Settles when requests are answered; never, when it ends before that. */
  readonly ready: Promise<void>;
  /** The exit code, once it and all it started have ended. */
  readonly ended: Promise<number>;
  readonly stop: () => void;
};

/** Whether somebody can listen there now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once("error", () => answer(false));
    server.listen(port, ADDRESS, () => server.close(() => answer(true)));
  });
}

/** Ends what is left of the child's process group; an empty group is no error. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

/** Settles at the first answer: wrangler says that it is ready a second before the worker is. */
async function firstAnswer(port: number): Promise<void> {
  const response = await fetch(`http://${ADDRESS}:${port}/`);
  await response.body?.cancel();
}

/** The worker's variables, each as `--var` takes it. */
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

/** Starts the worker, with the secrets of its state. Its output goes where ours goes. */
export function startDevServer(
  given: StartArguments,
  secrets: Readonly<Record<string, string>>,
): DevServer {
  const { port, state } = given;
  const variables = variablesOf(given, secrets);
  const child = spawn(
    process.execPath,
    [
      ...["--no-warnings", "--import", join(import.meta.dirname, "leash.ts"), WRANGLER, "dev"],
      ...["--ip", ADDRESS, "--port", String(port), "--inspector-port", "0"],
      ...["--persist-to", state, "--show-interactive-dev-session=false"],
      ...variables.flatMap((variable) => ["--var", variable]),
    ],
    {
      cwd: root,
      env: { ...process.env, ...QUIET },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // A group of its own, which can be ended as one.
      detached: true,
    },
  );
  const ready = new Promise<void>((done) => {
    child.on("message", (message) => {
      if (String(message).includes("DEV_SERVER_READY")) firstAnswer(port).then(done, () => {});
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
    setTimeout(() => killGroup(child), PATIENCE_MS).unref();
  };
  return { ready, ended, stop };
}
