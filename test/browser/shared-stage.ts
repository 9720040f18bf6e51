// Starts and stops what the browser tests share: one browser, in which every test has its own contexts,
// and a worker with demo data for each file that runs at the same time, since the tests of all files
// are the same people there.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { root } from "../support/source/source-files.ts";
import { chromiumPath } from "./chromium.ts";
import { startTelephone } from "./outside.ts";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const START_MS = 240_000;

type Demo = {
  readonly base_url: string;
  readonly api_key: string;
  readonly member_api_key: string;
  readonly account_user_ids: readonly [string, string];
  readonly team_id: string;
  readonly schedule_id: string;
  readonly escalation_policy_id: string;
  readonly integration_id: string;
  readonly integration_url: string;
};

export type Served = {
  readonly demo: Demo;
  readonly secrets: Readonly<Record<string, string>>;
  readonly accountId: string;
};

/** A worker with its data. */
export type World = Served & {
  /** The file with the worker's output. */
  readonly output: string;
  /** The file with the SMS sent, one JSON line each. */
  readonly texts: string;
};

/** The data that the tests need to connect. */
type SharedStage = {
  /** The browser's WebSocket endpoint. */
  readonly browser: string;
  readonly worlds: readonly World[];
};

declare module "vitest" {
  export interface ProvidedContext {
    stage: SharedStage | null;
  }
}

const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => found(port));
    });
  });

function waitUntilServed(child: ChildProcess, file: string): Promise<Served> {
  return new Promise((found, fail) => {
    let printed = "";
    const record = (chunk: Buffer) => {
      appendFileSync(file, chunk);
      printed += chunk.toString();
      const line = /^served (\{.*\})$/m.exec(printed)?.[1];
      if (line) found(JSON.parse(line) as Served);
    };
    child.stdout?.on("data", record);
    child.stderr?.on("data", record);
    const tail = () => printed.slice(-4_000);
    child.on("exit", () => fail(new Error(`the worker exited:\n${tail()}`)));
    setTimeout(
      () => fail(new Error(`the worker did not start in time:\n${tail()}`)),
      START_MS,
    ).unref();
  });
}

/** Starts a worker in a folder of its own. Returns its data, and a function that stops it. */
async function startWorld(folder: string): Promise<readonly [World, () => Promise<void>]> {
  mkdirSync(folder);
  const [output, texts] = [join(folder, "output"), join(folder, "texts")];
  for (const file of [output, texts]) writeFileSync(file, "");
  const telephone = await startTelephone(texts);
  const child = spawn(
    process.execPath,
    [
      ...["--no-warnings", join(import.meta.dirname, "serve.ts"), join(folder, "state")],
      ...[String(await freePort()), JSON.stringify(telephone.variables)],
    ],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const served = await waitUntilServed(child, output);
  const stop = async () => {
    const exited = new Promise((done) => child.once("exit", done));
    child.stdin.end();
    await exited;
    telephone.stop();
  };
  return [{ ...served, output, texts }, stop];
}

/** Starts the workers and the browser; returns a function that stops them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (chromiumPath === null) {
    if (process.env.CI) throw new Error("No Chromium is installed here.");
    console.warn("No Chromium is installed here: the browser tests are skipped.");
    project.provide("stage", null);
    return async () => {};
  }
  if (process.env.TEST_ASSETS !== "built") {
    execFileSync(process.execPath, [join(root, "src/setup/assets.ts")]);
  }
  const folder = mkdtempSync(join(tmpdir(), "tocsin-browser-"));
  const atOnce = Math.max(1, Number(project.config.maxWorkers) || 1);
  const [started, browser] = await Promise.all([
    Promise.all(Array.from({ length: atOnce }, (_, i) => startWorld(join(folder, String(i))))),
    chromium.launchServer({ executablePath: chromiumPath, args: FLAGS }),
  ]);
  project.provide("stage", {
    browser: browser.wsEndpoint(),
    worlds: started.map(([world]) => world),
  });
  return async () => {
    await browser.close();
    await Promise.all(started.map(([, stop]) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}
