// The documentation in a browser, with its Content-Security-Policy: it loads nothing from other hosts, is accessible in
// both themes and at both widths, moves nothing once it is drawn, and its search is used by keyboard.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectSome } from "../support/generated/sizes.ts";
import { root } from "../support/source/source-files.ts";
import { chromiumPath } from "./chromium.ts";

/** What is deployed. */
const built = join(root, "dist/assets");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [, POLICY = ""] =
  /^\/docs\*\n\s+Content-Security-Policy: (.+)$/m.exec(
    readFileSync(join(root, "src/reference/_headers"), "utf8"),
  ) ?? [];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".png": "image/png",
};

/** Allows for a busy machine, on which the page renders slowly. */
const TIMEOUT_MS = 60_000;

/** What a page loads besides itself: the styles, the script and the icon. */
const SHARED_BYTES = 24_000;

const PAGES = [
  "/docs",
  "/docs/variables",
  "/docs/channels",
  "/docs/architecture",
  "/docs/integrations",
  "/docs/rules",
  "/docs/api",
  "/docs/api/teams",
];
const WIDTHS = [390, 1440] as const;
const THEMES = ["light", "dark"] as const;
const VIEWS = PAGES.flatMap((path) =>
  WIDTHS.flatMap((width) => THEMES.map((theme) => ({ path, width, theme }))),
);

/** Serves the static files as Cloudflare does; the pages do not need the worker. */
function serveAssets(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = extname(pathname) === "" ? `${pathname}.html` : pathname;
    const type = TYPES[extname(file)] ?? "text/plain";
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY });
    response.end(readFileSync(join(built, file)));
  });
  return new Promise((listening) => {
    server.listen(0, "127.0.0.1", () => listening(server));
  });
}

/** The WCAG A and AA violations that axe finds. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })',
  )) as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(", ")}`,
  );
}

/** How much of the page has moved since it was first drawn, as browsers count it. */
const SHIFT = `new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})`;

describe.skipIf(chromiumPath === null)("the documentation in a browser", () => {
  let server: Server;
  let browser: Browser;
  let origin: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await serveAssets();
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    browser = await chromium.launch({
      executablePath: chromiumPath ?? "",
      args: ["--headless", "--no-sandbox", "--disable-gpu"],
    });
  });

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  async function open(path: string, width: number, theme: (typeof THEMES)[number]): Promise<Page> {
    const page = await browser.newPage({
      viewport: { width, height: 844 },
      colorScheme: theme,
    });
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`)) complaints.push(`requested ${request.url()}`);
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", ({ message }) => complaints.push(message));
    await page.goto(`${origin}${path}`);
    return page;
  }

  test.each(selectSome(VIEWS, 6, 0))(
    "$path is accessible and steady, $width px, $theme",
    async ({ path, width, theme }) => {
      const page = await open(path, width, theme);
      await expect.poll(() => violationsOf(page), { timeout: TIMEOUT_MS }).toEqual([]);
      expect(await page.evaluate(SHIFT)).toBe(0);
      const over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(over)).toBe(0);
      const shared = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .reduce((sum, it) => sum + (it as PerformanceResourceTiming).decodedBodySize, 0),
      );
      expect(shared).toBeGreaterThan(0);
      expect(shared).toBeLessThan(SHARED_BYTES);
      await page.close();
      expect(complaints.splice(0)).toEqual([]);
    },
  );

  test("finds an operation by keyboard, and copies its request", async () => {
    const page = await open("/docs", 1440, "light");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await page.keyboard.press("/");
    await page.keyboard.type("acknowledge alert");
    const first = page.locator(".results a").first();
    await first.waitFor();
    expect(await first.locator(".found").textContent()).toBe("Acknowledge an alert");
    await expect.poll(() => violationsOf(page), { timeout: TIMEOUT_MS }).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/api/alerts#acknowledgeAlert");
    const operation = page.locator("#acknowledgeAlert");
    await operation.locator("pre").first().hover();
    await operation.getByRole("button", { name: "Copy" }).first().click();
    await operation.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toMatch(/^curl -X POST "\$TOCSIN_URL\/api\/v4\/alerts\/\w+\/acknowledge"/);
    await page.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  test("lists all pages on a telephone, and says that nothing was found", async () => {
    const page = await open("/docs/backup", 390, "dark");
    await page.getByRole("button", { name: "Contents" }).click();
    const contents = page.getByRole("navigation", { name: "Documentation" });
    await contents.getByRole("link", { name: "Receiver" }).waitFor();
    await expect.poll(() => violationsOf(page), { timeout: TIMEOUT_MS }).toEqual([]);
    await page.keyboard.press("Escape");
    await contents.waitFor({ state: "hidden" });
    await page.getByRole("searchbox").fill("xylophone");
    await page.getByText("Nothing found for “xylophone”.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Search results" }).waitFor({ state: "hidden" });
    await page.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  test("has the theme that the console's settings chose", async () => {
    const page = await open("/docs/backup", 1440, "light");
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.evaluate('localStorage.setItem("theme", "dark")');
    await page.reload();
    expect(await background()).not.toBe(light);
    await page.close();
  });
});
