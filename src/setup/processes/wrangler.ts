// Runs wrangler in this project on this Node, without prompts or telemetry.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";

/** The project's root directory, with `wrangler.toml` and `migrations`. */
export const root = resolve(import.meta.dirname, "../../..");

/** Wrangler's entry point; running it directly saves the process of its `bin`. A server need not have it. */
export const wranglerEntry = (): string => createRequire(import.meta.url).resolve("wrangler");

/** Local traces slow requests down two- to threefold; the rest would access the network. */
export const QUIET = {
  X_LOCAL_OBSERVABILITY: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

export type WranglerOutcome = {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
};

export type WranglerRun = {
  /** Ends the command. */
  readonly signal?: AbortSignal | undefined;
  /** Its standard input: a secret passed here appears in no process list. */
  readonly input?: string;
  /** Variables beside this process's own. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Runs one wrangler command to its end, or until the signal. `CI` disables prompts. */
export function runWrangler(
  args: readonly string[],
  { signal, input = "", environment = {} }: WranglerRun = {},
): Promise<WranglerOutcome> {
  const child = spawn(process.execPath, ["--no-warnings", wranglerEntry(), ...args], {
    cwd: root,
    env: { ...process.env, ...QUIET, CI: "true", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  // Wrangler may exit before it has read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  let output = "";
  let errors = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code: code ?? 1, output, errors }));
  });
}
