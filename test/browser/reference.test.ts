// The API reference in a browser, with its Content-Security-Policy: it loads nothing from other
// hosts, follows the system's colour scheme, and is accessible.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectSome } from "../support/generated/sizes.ts";
import { root } from "../support/source/source-files.ts";
import { chromiumPath } from "./chromium.ts";

const assets = join(root, "src/reference/assets");
/** What is deployed: with the files that are made. */
const built = join(root, "dist/assets");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const [, POLICY = ""] =
  /^\/docs\*\n\s+Content-Security-Policy: (.+)$/m.exec(
    readFileSync(join(assets, "_headers"), "utf8"),
  ) ?? [];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

/** Allows for a busy machine, on which the page renders slowly. */
const TIMEOUT_MS = 60_000;

/** Swagger UI nests the link to an operation in the button that opens it. */
const IGNORED_RULES = ["nested-interactive"];

/** The document with only the operations on alerts, since all sections render alike. */
function documentOfAlerts(): string {
  const document = JSON.parse(readFileSync(join(built, "openapi.json"), "utf8")) as {
    paths: Record<string, unknown>;
  };
  const paths = Object.entries(document.paths).filter(([path]) => /^\/api\/v4\/alerts/.test(path));
  return JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
}

/** Serves the static files as Cloudflare does; the page does not need the worker. */
function serveAssets(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = extname(pathname) === "" ? `${pathname}.html` : pathname;
    const type = TYPES[extname(file)] ?? "text/plain";
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY });
    response.end(file === "/openapi.json" ? documentOfAlerts() : readFileSync(join(built, file)));
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
  return violations
    .filter(({ id }) => !IGNORED_RULES.includes(id))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(", ")}`);
}

describe.skipIf(chromiumPath === null)("the API reference in a browser", () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

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

  test("loads nothing from other hosts and is accessible in light and dark mode", async () => {
    const page = await browser.newPage({ colorScheme: "light" });
    page.setDefaultTimeout(TIMEOUT_MS);
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(`${origin}/`)) {
        elsewhere.push(request.url());
      }
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await page.goto(`${origin}/docs`);
    for (const operation of ["listAlerts", "createAlert"]) {
      await page.locator(`#operations-Alerts-${operation} .opblock-summary-control`).click();
    }
    await page.locator("#operations-Alerts-createAlert pre.microlight").first().waitFor();
    for (const colorScheme of selectSome(["light", "dark"] as const, 1, 0)) {
      await page.emulateMedia({ colorScheme });
      await page
        .locator(colorScheme === "dark" ? "html.dark-mode" : "html:not(.dark-mode)")
        .waitFor();
      await expect.poll(() => violationsOf(page), { timeout: TIMEOUT_MS }).toEqual([]);
    }
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
