// Runs `npm run deploy`'s command against the stand-in, as a person at a machine that is signed in.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../source/source-files.ts";
import type { CloudflareApi } from "./cloudflare.ts";

export type DeployOutcome = { readonly code: number; readonly output: string };

/** A machine from which is deployed: its settings and its environment stay from one run to the next. */
export function deployingMachine(api: CloudflareApi) {
  const folder = mkdtempSync(join(tmpdir(), "tocsin-deploying-"));
  const settingsPath = join(folder, "deployment.json");
  mkdirSync(join(folder, "config"));
  const environment = {
    XDG_CONFIG_HOME: join(folder, "config"),
    CLOUDFLARE_API_BASE_URL: api.url,
    CLOUDFLARE_API_TOKEN: "only the stand-in knows this",
  };
  const deploy = (
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<DeployOutcome> => {
    const command = ["--no-warnings", "src/setup/deploying/deploy.ts", ...args];
    const { CLOUDFLARE_ACCOUNT_ID: _, ...own } = process.env;
    const child = spawn(process.execPath, [...command, "--settings", settingsPath, "--no-check"], {
      cwd: root,
      env: { ...own, ...environment, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output += data;
      });
    }
    return new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", (code) => done({ code: code ?? 1, output }));
    });
  };
  return { deploy, environment, settings: () => JSON.parse(readFileSync(settingsPath, "utf8")) };
}
