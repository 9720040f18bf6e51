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
/** A team's page also requests the shifts of its calendar, once everything else is there. */
const maxRequests = (path: string) => MAX_REQUESTS + (path.startsWith("/teams/tem_") ? 1 : 0);
/** Compressed, of everything that a page loads without a cache. */
const MAX_LOADED = 60_000;
/** Of a list, not compressed. */
const MAX_HTML = 30_000;
const WIDTHS = [390, 1440];
/** Taller than any page but the lists: what moves below the fold counts too. */
const HEIGHT = 4_000;

const LISTS = [
  "/",
  "/alerts",
  "/people",
  "/integrations",
  "/routers",
  "/notification_rules",
  "/calendars?view=windows",
  "/broadcasts",
  "/api_keys",
  "/absences",
  "/on-call",
  "/readiness",
  "/readiness?view=drills",
  "/calendars",
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
  "/broadcasts?add=1",
  "/absences?add=1",
  "/settings",
  "/configuration",
  "/reports",
];

/** Collects what moved without input; the footer may, when what is above it is drawn. */
const WATCH_SHIFTS = `
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const from = ({ left, top }) => left + "," + top;
      window.moved.push(
        ...sources.filter(({ node }) => !node?.matches?.("footer")).map(
          ({ node, previousRect, currentRect }) =>
            from(previousRect) + " to " + from(currentRect) + ": " +
            node?.textContent?.trim().slice(0, 40),
        ),
      );
    }
  }).observe({ type: "layout-shift", buffered: true });
`;

const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length > 0) resolve();
  }).observe({ type: "paint", buffered: true });
})`;

/**
 * Holds scripts back until the page is painted, as on a slow network: what they add or take away
 * would go unnoticed where they happen to be faster.
 */
async function holdScripts(page: Page): Promise<void> {
  await page.route("**/assets/**/*.js", async (route) => {
    await page.evaluate(PAINTED);
    await route.continue();
  });
}

type Cost = {
  readonly path: string;
  readonly requests: number;
  readonly loaded: number;
  readonly html: number;
  /** What moved, and how far. */
  readonly moved: readonly string[];
  readonly urls: readonly string[];
};

/** Pages that request something when they are complete: the calendar, or a picture of the absence. */
const LATER = /^\/(?:schedules\/|teams\/tem_|absences\?add)/;

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
  if (LATER.test(path)) await page.waitForLoadState("networkidle");
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  page.off("response", collect);
  const [html] = bodies;
  return {
    path,
    requests: responses.length,
    loaded: first.reduce(
      (sum, response, i) => sum + compressedSize(response.url(), bodies[i] ?? Buffer.alloc(0)),
      0,
    ),
    html: html?.length ?? 0,
    moved: await page.evaluate<string[]>("window.moved"),
    urls: responses.map((response) => new URL(response.url()).pathname),
  };
}

const table = (costs: ReadonlyMap<string, Cost>) =>
  [...costs]
    .map(
      ([visit, { requests, loaded, html, moved }]) =>
        `${visit.padEnd(46)} ${requests} requests, ${(loaded / 1000).toFixed(1)} KB, HTML ${(html / 1000).toFixed(1)} KB, ${moved.length} moved`,
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
    await holdScripts(page);
    await page.routeWebSocket("**/live*", (socket) => socket.close());
    await page.goto("/alerts?scope=all");
    const alert = await page.locator(".alert-title").first().getAttribute("href");
    await page.goto("/on-call?scope=all");
    const team = await page.locator("td a").first().getAttribute("href");
    await page.goto(team ?? "");
    const schedule = await page.locator("#schedule .panel-title a").getAttribute("href");
    await page.goto("/routers");
    const router = await page.locator("td a").first().getAttribute("href");
    const others = [alert, schedule, `${schedule}/rotations/new`, team, router];
    const costs = new Map<string, Cost>();
    const visits = [...LISTS, ...FORMS, ...others].flatMap((path) =>
      WIDTHS.map((width) => ({ path, width })),
    );
    for (const { path, width } of selectSome(visits, 12, 0)) {
      if (path === null) throw new Error("a list is empty");
      await page.setViewportSize({ width, height: HEIGHT });
      costs.set(`${path} (${width} px)`, await costOf(page, path));
      await saveScreenshot(page, `crowd-${path}-${width}`);
    }
    console.log(table(costs));
    const over = (bound: (cost: Cost) => boolean) =>
      [...costs.values()].filter(bound).map(({ path, urls, moved }) => ({ path, urls, moved }));
    expect(over(({ path, requests }) => requests > maxRequests(path))).toEqual([]);
    expect(over(({ loaded }) => loaded > MAX_LOADED)).toEqual([]);
    expect(over(({ moved }) => moved.length > 0)).toEqual([]);
    const bounded = [...LISTS, "/reports"];
    expect(over(({ path, html }) => html > MAX_HTML && bounded.includes(path))).toEqual([]);
  });
});
