// What pages cost in a large account, as counts: requests, bytes of the first load, bytes of HTML,
// and whether anything moves after it was shown.
import { brotliCompressSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const MAX_REQUESTS = 4;
/** Compressed, of everything that a page loads without a cache. */
const MAX_LOADED = 60_000;
/** Of a list, not compressed. */
const MAX_HTML = 30_000;
/** In turns: each page is visited once. */
const WIDTHS = [390, 1440];

const LISTS = [
  "/alerts",
  "/people",
  "/teams",
  "/schedules",
  "/escalation_policies",
  "/integrations",
  "/routers",
  "/notification_rules",
  "/maintenance_windows",
  "/broadcasts",
  "/api_keys",
  "/covers",
  "/cover_requests",
  "/on-call",
  "/readiness",
  "/drills",
  "/company_holidays",
  "/alerts/filters",
];

const FORMS = [
  "/alerts/new",
  "/teams/new",
  "/escalation_policies/new",
  "/routers/new",
  "/notification_rules/new",
  "/integrations/new",
  "/integrations/new?type=webhook",
  "/maintenance_windows/new",
  "/broadcasts/new",
  "/covers/new",
  "/people/import",
  "/absences",
  "/settings",
  "/on-call/mine",
  "/configuration",
  "/reports",
];

/** Collects how far anything moved without input. */
const WATCH_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
`;

type Cost = {
  readonly requests: number;
  readonly loaded: number;
  readonly html: number;
  readonly shifted: number;
  readonly urls: readonly string[];
};

/** The compressed sizes of assets, whose addresses change with their content. */
const compressed = new Map<string, number>();

function compressedSize(url: string, body: Buffer): number {
  const known = compressed.get(url);
  if (known !== undefined) return known;
  const size = brotliCompressSync(body).length;
  if (new URL(url).pathname.startsWith("/assets/")) compressed.set(url, size);
  return size;
}

/**
 * Opens a page without a cache, and counts what it loads: requests until nothing more is requested,
 * bytes until the page is complete. What is loaded later, such as the calendar, delays nothing.
 */
async function costOf(page: Page, path: string): Promise<Cost> {
  const responses: Response[] = [];
  const collect = (response: Response) => responses.push(response);
  page.on("response", collect);
  await page.goto(path, { waitUntil: "load" });
  const first = [...responses];
  const bodies = await Promise.all(first.map((response) => response.body()));
  // The others request nothing after they are complete, but for live updates.
  if (path.startsWith("/schedules/")) await page.waitForLoadState("networkidle");
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  page.off("response", collect);
  const [html] = bodies;
  return {
    requests: responses.length,
    loaded: first.reduce(
      (sum, response, i) => sum + compressedSize(response.url(), bodies[i] ?? Buffer.alloc(0)),
      0,
    ),
    html: html?.length ?? 0,
    shifted: Number(await page.evaluate("window.shifted")),
    urls: responses.map((response) => new URL(response.url()).pathname),
  };
}

const table = (costs: ReadonlyMap<string, Cost>) =>
  [...costs]
    .map(
      ([path, { requests, loaded, html, shifted }]) =>
        `${path.padEnd(36)} ${requests} requests, ${(loaded / 1000).toFixed(1)} KB, HTML ${(html / 1000).toFixed(1)} KB, moved ${shifted.toFixed(4)}`,
    )
    .join("\n");

describe.skipIf(chromiumPath === null)("with 200 people, 60 schedules and 500 alerts", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("every page is light, and nothing moves", async () => {
    const page = await stage.signIn("cleo@example.com");
    await page.waitForLoadState("networkidle");
    await page.addInitScript(WATCH_SHIFTS);
    await page.routeWebSocket("**/live*", (socket) => socket.close());
    await page.goto("/alerts");
    const alert = await page.locator(".alert-title").first().getAttribute("href");
    await page.goto("/schedules");
    const schedule = await page.locator("td a").first().getAttribute("href");
    await page.goto("/teams");
    const team = await page.locator("td a").first().getAttribute("href");
    await page.goto("/routers");
    const router = await page.locator("td a").first().getAttribute("href");
    const others = [alert, schedule, `${schedule}/rotations/new`, team, router];
    const costs = new Map<string, Cost>();
    const paths = selectSome([...LISTS, ...FORMS, ...others], 12, 0);
    for (const [at, path] of paths.entries()) {
      if (path === null) throw new Error("a list is empty");
      const width = WIDTHS[at % 2] ?? 0;
      await page.setViewportSize({ width, height: 900 });
      costs.set(path, await costOf(page, path));
      await saveScreenshot(page, `crowd-${path}-${width}`);
    }
    console.log(table(costs));
    const over = (bound: (cost: Cost) => boolean) =>
      [...costs].filter(([, cost]) => bound(cost)).map(([path]) => path);
    const many = [...costs.values()].filter(({ requests }) => requests > MAX_REQUESTS);
    expect(many.map(({ urls }) => urls)).toEqual([]);
    expect(over(({ loaded }) => loaded > MAX_LOADED)).toEqual([]);
    expect(over(({ shifted }) => shifted > 0)).toEqual([]);
    const bounded = [...LISTS, "/absences", "/reports"];
    expect(over(({ html }) => html > MAX_HTML).filter((path) => bounded.includes(path))).toEqual(
      [],
    );
  });
});
