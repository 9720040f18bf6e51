// A person who is signed in to the console in Chromium, and what their pages send.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { EMAIL, PASSWORD } from "../../support/worker/dev-worker.ts";

/** Starts Chromium during `work`. */
export async function withBrowser<Result>(
  executablePath: string,
  work: (browser: Browser) => Promise<Result>,
): Promise<Result> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Signs in; the context holds the session's cookie. */
export async function signIn(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.close();
  return context;
}

/** Opens a page; resolves when its live connection has received its first message. */
export async function openConnected(page: Page, path: string): Promise<void> {
  const greeted = new Promise<void>((done) => {
    page.on("websocket", (socket) => socket.once("framereceived", () => done()));
  });
  await page.goto(path);
  await greeted;
}

/** What a page has sent since it was opened. */
export type Traffic = {
  /** WebSocket messages sent. */
  readonly messages: () => number;
  /** WebSocket connections opened. */
  readonly connections: () => number;
  /** Resolves once every request is answered, and every ping. */
  readonly settled: () => Promise<void>;
};

/** Counts a page's traffic. Call it before the page is opened. */
export function watchTraffic(page: Page): Traffic {
  const count = { requests: 0, answered: 0, sent: 0, pongs: 0, connections: 0 };
  page.on("request", () => {
    count.requests += 1;
  });
  for (const event of ["requestfinished", "requestfailed"] as const) {
    page.on(event as "requestfinished", () => {
      count.answered += 1;
    });
  }
  page.on("websocket", (socket) => {
    count.connections += 1;
    socket.on("framesent", () => {
      count.sent += 1;
    });
    socket.on("framereceived", ({ payload }) => {
      if (payload === "pong") count.pongs += 1;
    });
  });
  return {
    messages: () => count.sent,
    connections: () => count.connections,
    settled: async () => {
      do await page.waitForTimeout(20);
      while (count.requests > count.answered || count.sent > count.pongs);
    },
  };
}
