// A real browser against the real worker. Where no Chromium is installed, the tests say so and are skipped.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { root } from "../support/source-files.ts";
import { type Mail, mailsIn, startTelephone, type Text } from "./outside.ts";
import { PASSWORD } from "./people.ts";

const PLACES = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Chromium's path; null where there is none. */
export const chromiumPath = PLACES.find((path) => path !== "" && existsSync(path)) ?? null;

if (chromiumPath === null) {
  console.warn("No Chromium is installed here: the console is not tried in a browser.");
}

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
  readonly integration_url: string;
};

type Served = {
  readonly demo: Demo;
  readonly secrets: Readonly<Record<string, string>>;
  readonly accountId: string;
};

export type Stage = Served & {
  readonly browser: Browser;
  /** What a browser was told or asked for that it should not have been; empty at the end of each test. */
  readonly complaints: string[];
  readonly open: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** A page on which somebody has signed in; with the password that everybody has, unless with another. */
  readonly signIn: (
    email?: string,
    options?: BrowserContextOptions,
    password?: string,
  ) => Promise<Page>;
  /** The mails to an address so far. */
  readonly mailsTo: (address: string) => readonly Mail[];
  /** The texts to a number so far. */
  readonly textsTo: (number: string) => readonly Text[];
  readonly api: (method: string, path: string, body?: unknown) => Promise<any>;
  /** Raises an alert for the team that Ada is on call for first; answers with it. */
  readonly raise: (title: string) => Promise<any>;
  readonly close: () => Promise<void>;
};

const freePort = () =>
  new Promise<number>((found) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => found(port));
    });
  });

type Output = { text: string };

function servedBy(child: ChildProcess, output: Output): Promise<Served> {
  return new Promise((found, fail) => {
    const note = (chunk: Buffer) => {
      output.text += chunk.toString();
      const line = /^served (\{.*\})$/m.exec(output.text)?.[1];
      if (line) found(JSON.parse(line) as Served);
    };
    child.stdout?.on("data", note);
    child.stderr?.on("data", note);
    const said = () => output.text.slice(-4_000);
    child.on("exit", () => fail(new Error(`the worker was not served:\n${said()}`)));
    setTimeout(() => fail(new Error(`the worker is not there:\n${said()}`)), START_MS).unref();
  });
}

/** What a browser says of a connection that was broken on purpose, and of refusals. */
const EXPECTED = /ERR_|Failed to fetch|htmx:error: timeout|status of (4|5)\d\d/;

/** What a page must never do: be refused by its own policy, throw, or ask another host. */
function listen(context: BrowserContext, baseUrl: string, complaints: string[]): void {
  context.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !EXPECTED.test(text)) complaints.push(text);
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(baseUrl)) {
      complaints.push(`asked ${request.url()}`);
    }
  });
}

/** A stage for the tests of a file, and the end of each of them: nothing open, and nothing to complain of. */
export function onStage(give: (stage: Stage) => void): void {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await openStage();
    give(stage);
  }, 300_000);
  afterAll(() => stage?.close(), 60_000);
  afterEach(async () => {
    for (const context of stage?.browser.contexts() ?? []) await context.close();
    expect(stage?.complaints.splice(0)).toEqual([]);
  });
}

/** Starts worker and browser. */
async function openStage(): Promise<Stage> {
  execFileSync(process.execPath, [join(root, "src/reference/page.ts")]);
  execFileSync(process.execPath, [join(root, "src/console/build.ts")]);
  const state = mkdtempSync(join(tmpdir(), "tocsin-browser-"));
  const serve = join(import.meta.dirname, "serve.ts");
  const port = String(await freePort());
  const telephone = await startTelephone();
  const variables = JSON.stringify(telephone.variables);
  const child = spawn(process.execPath, ["--no-warnings", serve, state, port, variables], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output: Output = { text: "" };
  const served = await servedBy(child, output);
  const { demo } = served;
  const browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: FLAGS });
  const complaints: string[] = [];
  const open: Stage["open"] = async (options = {}) => {
    const context = await browser.newContext({ baseURL: demo.base_url, ...options });
    context.setDefaultTimeout(40_000);
    listen(context, demo.base_url, complaints);
    return context;
  };
  const api: Stage["api"] = async (method, path, body) => {
    const response = await fetch(`${demo.base_url}/api/v4${path}`, {
      method,
      headers: { Authorization: `Bearer ${demo.api_key}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  return {
    ...served,
    browser,
    complaints,
    open,
    api,
    raise: (title) =>
      api("POST", "/alerts", { title, urgency: "high", destination_team_ids: [demo.team_id] }),
    mailsTo: (address) => mailsIn(output.text).filter(({ to }) => to.includes(address)),
    textsTo: (number) => telephone.texts.filter(({ to }) => to === number),
    signIn: async (email = "ada@example.com", options = {}, password = PASSWORD) => {
      const page = await (await open(options)).newPage();
      await page.goto("/sign-in");
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((url) => url.pathname !== "/sign-in");
      return page;
    },
    close: async () => {
      await browser.close();
      const gone = new Promise((done) => child.once("exit", done));
      child.stdin?.end();
      await gone;
      telephone.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
