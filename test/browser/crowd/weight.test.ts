// What pages cost in a large account, as counts: requests, bytes of the first load, bytes of HTML,
// and whether anything moves after it was shown.
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const MAX_REQUESTS = 4;
/** Compressed, of everything that a page loads without a cache. */
const MAX_LOADED = 60_000;
/** Of a list, not compressed. */
const MAX_HTML = 30_000;

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
  "/absences",
  "/on-call",
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

type Cost = { requests: number; loaded: number; html: number; shifted: number };

/** Opens a page without a cache, and counts what it loads. */
async function costOf(page: Page, path: string): Promise<Cost> {
  const cost: Cost = { requests: 0, loaded: 0, html: 0, shifted: 0 };
  const bodies: Promise<void>[] = [];
  const count = (response: import("playwright-core").Response) => {
    cost.requests += 1;
    bodies.push(
      response.body().then((body) => {
        const isDocument = response.request().resourceType() === "document";
        if (isDocument) cost.html += body.length;
        cost.loaded += brotliCompressSync(body).length;
      }),
    );
  };
  page.on("response", count);
  await page.goto(path, { waitUntil: "networkidle" });
  await Promise.all(bodies);
  page.off("response", count);
  cost.shifted = Number(await page.evaluate("window.shifted"));
  return cost;
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

  test.each([390, 1440])("every page is light, and nothing moves, at %i pixels", async (width) => {
    const page = await stage.signIn("cleo@example.com", { viewport: { width, height: 900 } });
    await page.addInitScript(WATCH_SHIFTS);
    await page.routeWebSocket("**/live*", (socket) => socket.close());
    await page.goto("/alerts");
    const alert = await page.locator("[data-open]").first().getAttribute("href");
    await page.goto("/schedules");
    const schedule = await page.locator("td a").first().getAttribute("href");
    await page.goto("/teams");
    const team = await page.locator("td a").first().getAttribute("href");
    await page.goto("/routers");
    const router = await page.locator("td a").first().getAttribute("href");
    const others = [alert, schedule, `${schedule}/rotations/new`, team, router];
    const costs = new Map<string, Cost>();
    for (const path of [...LISTS, ...FORMS, ...others]) {
      if (path === null) throw new Error("a list is empty");
      costs.set(path, await costOf(page, path));
      await saveScreenshot(page, `crowd-${path}-${width}`);
    }
    console.log(table(costs));
    const over = (bound: (cost: Cost) => boolean) =>
      [...costs].filter(([, cost]) => bound(cost)).map(([path]) => path);
    expect(over(({ requests }) => requests > MAX_REQUESTS)).toEqual([]);
    expect(over(({ loaded }) => loaded > MAX_LOADED)).toEqual([]);
    expect(over(({ shifted }) => shifted > 0)).toEqual([]);
    const lists = over(({ html }) => html > MAX_HTML).filter((path) => LISTS.includes(path));
    expect(lists).toEqual([]);
  });
});
