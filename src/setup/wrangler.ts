// How wrangler is run: in this project, on this Node, asking nothing and telling nobody.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root: where `wrangler.toml` and `migrations` are. */
export const root = resolve(import.meta.dirname, "../..");

/** Wrangler's own entrance; run directly, it is one process less than its `bin`. */
export const WRANGLER = fileURLToPath(import.meta.resolve("wrangler"));

/** Local traces cost a factor of two to three; the rest would go out to the network. */
export const QUIET = {
  X_LOCAL_OBSERVABILITY: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

export type Outcome = { readonly code: number; readonly output: string; readonly errors: string };

/**
 * Runs one command of wrangler to its end; `CI` keeps it from asking. Ended early by the signal.
 *
 * @param input what it reads: a secret goes there, and so into no list of processes
 */
export function runWrangler(
  args: readonly string[],
  signal?: AbortSignal,
  input = "",
): Promise<Outcome> {
  const child = spawn(process.execPath, ["--no-warnings", WRANGLER, ...args], {
    cwd: root,
    env: { ...process.env, ...QUIET, CI: "true" },
    stdio: ["pipe", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  // Wrangler may have ended before it has read what it does not want.
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
