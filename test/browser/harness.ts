// A real browser against the real worker, which all files share (`shared-stage.ts`): what a test has of its own is the
// contexts that it opens.
import { readFileSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { type Mail, mailsIn, type Text, textsIn } from "./outside.ts";
import { PASSWORD } from "./people.ts";
import type { Served } from "./shared-stage.ts";

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

/** Connects to the browser. */
async function openStage(): Promise<Stage> {
  const shared = inject("stage");
  if (shared === null) throw new Error("there is no browser");
  const { demo } = shared;
  const browser = await chromium.connect(shared.browser);
  const complaints: string[] = [];
  const open: Stage["open"] = async (options = {}) => {
    const context = await browser.newContext({ baseURL: demo.base_url, ...options });
    context.setDefaultTimeout(120_000);
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
    ...shared,
    browser,
    complaints,
    open,
    api,
    raise: (title) =>
      api("POST", "/alerts", { title, urgency: "high", destination_team_ids: [demo.team_id] }),
    mailsTo: (address) =>
      mailsIn(readFileSync(shared.output, "utf8")).filter(({ to }) => to.includes(address)),
    textsTo: (number) => textsIn(shared.texts).filter(({ to }) => to === number),
    signIn: async (email = "ada@example.com", options = {}, password = PASSWORD) => {
      const page = await (await open(options)).newPage();
      await page.goto("/sign-in");
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((url) => url.pathname !== "/sign-in");
      return page;
    },
    close: () => browser.close(),
  };
}
