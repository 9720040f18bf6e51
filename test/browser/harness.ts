// A real browser and the real worker, which test files share (`shared-stage.ts`). Each test opens its
// own browser contexts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
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
import type { Served, World } from "./shared-stage.ts";

export type Stage = Served & {
  readonly browser: Browser;
  /** Console errors and requests to other hosts; must be empty at the end of each test. */
  readonly complaints: string[];
  readonly open: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /**
   * Signs in, and opens the page that is shown then; with the shared password by default. Without the form, which
   * the tests of the sign-in fill in.
   */
  readonly signIn: (
    email?: string,
    options?: BrowserContextOptions,
    password?: string,
  ) => Promise<Page>;
  /** The mails sent to an address so far. */
  readonly mailsTo: (address: string) => readonly Mail[];
  /** The SMS sent to a number so far. */
  readonly textsTo: (number: string) => readonly Text[];
  readonly api: (method: string, path: string, body?: unknown) => Promise<any>;
  /** Creates an alert for the team for which Ada is first on call. */
  readonly raise: (title: string) => Promise<any>;
  /** Resolves the account's active alerts: those of other files fill the list that a test looks at. */
  readonly resolveAll: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** How long a page is waited for: many times what it takes on a busy machine, so that a fault does not hold up the rest. */
const PATIENCE_MS = 60_000;

/** Console errors that intentional connection failures and error responses cause. */
const EXPECTED = /ERR_|Failed to fetch|htmx:error: timeout|status of (4|5)\d\d/;

/** Records console errors (such as CSP violations), exceptions, and requests to other hosts. */
function recordComplaints(context: BrowserContext, baseUrl: string, complaints: string[]): void {
  context.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !EXPECTED.test(text)) complaints.push(text);
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(baseUrl)) {
      complaints.push(`requested ${request.url()}`);
    }
  });
}

/** Provides a stage to a file's tests; after each, closes its contexts and checks `complaints`. */
export function onStage(use: (stage: Stage) => void): void {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await openStage();
    use(stage);
  });
  afterAll(() => stage?.close());
  afterEach(async () => {
    for (const context of stage?.browser.contexts() ?? []) await context.close();
    expect(stage?.complaints.splice(0)).toEqual([]);
  });
}

/** The world of this file: files that run at the same time have numbers of their own. */
function worldOf(worlds: readonly World[]): World {
  const world = worlds[(Number(process.env.VITEST_POOL_ID ?? 1) - 1) % worlds.length];
  if (world === undefined) throw new Error("there is no worker");
  return world;
}

/** Connects to the shared browser. */
async function openStage(): Promise<Stage> {
  const stage = inject("stage");
  if (stage === null) throw new Error("there is no browser");
  const shared = worldOf(stage.worlds);
  const { demo } = shared;
  const browser = await chromium.connect(stage.browser);
  const complaints: string[] = [];
  const open: Stage["open"] = async (options = {}) => {
    const context = await browser.newContext({
      baseURL: demo.base_url,
      // A request that passes a service worker while it starts may escape its interception.
      serviceWorkers: "block",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    recordComplaints(context, demo.base_url, complaints);
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
    resolveAll: async () => {
      const active = "/alerts?status=resolved&ops=status:ne&limit=100";
      for (;;) {
        const { data } = await api("GET", active);
        if (data.length === 0) return;
        for (const { id } of data) await api("POST", `/alerts/${id}/resolve`);
      }
    },
    mailsTo: (address) =>
      mailsIn(readFileSync(shared.output, "utf8")).filter(({ to }) => to.includes(address)),
    textsTo: (number) => textsIn(shared.texts).filter(({ to }) => to === number),
    signIn: async (email = "ada@example.com", options = {}, password = PASSWORD) => {
      const context = await open(options);
      const response = await context.request.post("/sign-in", {
        form: { email, password, to: "/alerts" },
        headers: { Origin: demo.base_url },
        maxRedirects: 0,
      });
      const { location } = response.headers();
      if (location === undefined) throw new Error(`${email}: ${await response.text()}`);
      const page = await context.newPage();
      await page.goto(location);
      return page;
    },
    close: () => browser.close(),
  };
}

/** Presses a key once the page's scripts run: before, a shortcut has no effect. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await page.waitForLoadState();
  await page.keyboard.press(key);
}

/** For tests of push notifications and of the offline page. */
export const WITH_SERVICE_WORKER = { serviceWorkers: "allow" } as const;

/** Advances a page's clock (ms) once htmx has set the timers of its polls. */
export async function passTime(page: Page, ms: number): Promise<void> {
  await page.locator("[data-htmx-powered]").first().waitFor({ state: "attached" });
  await page.clock.fastForward(ms);
}

/** Saves a screenshot of a page in the folder `SCREENSHOTS`, if it is set. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  const file = name.replace(/alt_[\w-]+|eyJ[\w.-]+/, "one").replace(/[^a-z0-9]+/gi, "-");
  await page.screenshot({ path: join(folder, `${file.replace(/^-/, "")}.png`), fullPage: true });
}
