// Every region of a page that polls, with all kinds of polling failures: the region keeps its
// content, and a banner shows the failure until polling works again. After the session ends, a poll
// redirects to the sign-in page and back.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { selectSome } from "../support/generated/sizes.ts";
import { filesBelow, root } from "../support/source/source-files.ts";
import { chromiumPath } from "./chromium.ts";
import { onStage, passTime, type Stage } from "./harness.ts";
import { PASSWORD } from "./people.ts";

let stage: Stage;

/** Polling regions by source file: the path of a page, and the selector. */
const REGIONS: Readonly<Record<string, readonly [() => Promise<string>, string]>> = {
  "home.tsx": [async () => "/", "#current"],
  "alerts.tsx": [async () => "/alerts", "#current"],
  "alert.tsx": [async () => `/alerts/${(await stage.raise("Disk full")).prefix_id}`, "#current"],
  "on-call.tsx": [async () => "/on-call", "#current"],
  "drills.tsx": [
    async () => {
      const path = `/teams/${stage.demo.team_id}/drills`;
      return `/readiness?view=drills&drill=${(await stage.api("POST", path, {})).prefix_id}`;
    },
    "#current",
  ],
  "settings.tsx": [
    async () => `/settings?test=${(await stage.raise("A test page")).id}`,
    "#current",
  ],
  "integration-log.tsx": [async () => `/integrations/${stage.demo.integration_id}`, "#log"],
  "broadcast.tsx": [
    async () => {
      const [id] = stage.demo.account_user_ids;
      const body = {
        title: "All hands",
        description: "Read this",
        destination_account_user_ids: [id],
      };
      return `/broadcasts/${(await stage.api("POST", "/broadcasts", body)).prefix_id}`;
    },
    "#current",
  ],
};

/** Longer than the polling interval of any region (ms). */
const POLL_INTERVAL_MS = 61_000;
/** Longer than the timeout of a poll (ms). */
const OVER_TIMEOUT_MS = 16_000;

type Fault = {
  readonly answer: (route: Route) => Promise<unknown>;
  readonly says: RegExp;
  readonly waits?: number;
};

const html = { contentType: "text/html" };
const FAULTS: Readonly<Record<string, Fault>> = {
  "a 500": {
    answer: (route) => route.fulfill({ status: 500, body: "<p>It broke.</p>", ...html }),
    says: /The service has a problem \(500\)\. Last updated at \d\d:/,
  },
  "a 503 that looks like the page": {
    answer: (route) =>
      route.fulfill({ status: 503, body: '<p id="current"></p><p id="log"></p>', ...html }),
    says: /The service has a problem \(503\)\. Last updated at \d\d:/,
  },
  "a 404": {
    answer: (route) => route.fulfill({ status: 404, body: "<p>Gone.</p>", ...html }),
    says: /This page cannot be updated \(404\)/,
  },
  "an answer without the region": {
    answer: (route) => route.fulfill({ status: 200, body: "<p>A captive portal.</p>", ...html }),
    says: /the answer was another page/,
  },
  "an empty answer": {
    answer: (route) => route.fulfill({ status: 200, body: "" }),
    says: /the answer was another page/,
  },
  "no answer in time": {
    answer: async () => {},
    says: /The service is not responding\. Last updated at \d\d:/,
    waits: OVER_TIMEOUT_MS,
  },
  "a broken connection": {
    answer: (route) => route.abort("connectionreset"),
    says: /No connection\. Last updated at \d\d:/,
  },
};

const banner = (page: Page) => page.locator("#connection");

/** Answers all polls of the page with a failure; the returned function ends it. */
async function breakPolls(page: Page, answer: Fault["answer"]): Promise<() => Promise<void>> {
  const handler = (route: Route) =>
    route.request().headers()["hx-request"] ? answer(route) : route.continue();
  await page.route("**/*", handler);
  return () => page.unroute("**/*", handler);
}

async function openRegion(file: string) {
  const [path, selector] = REGIONS[file] ?? [];
  if (path === undefined || selector === undefined) throw new Error(file);
  const page = await stage.signIn();
  // A live update refreshes the region at any time.
  await page.routeWebSocket("**/live*", (socket) => socket.close());
  await page.clock.install();
  const url = await path();
  await page.goto(url);
  const region = page.locator(selector);
  await region.waitFor();
  return { page, region, url };
}

async function waitForPoll(page: Page): Promise<void> {
  await passTime(page, POLL_INTERVAL_MS);
  await banner(page).waitFor({ state: "hidden" });
}

/** The text of a region; how long it is until something is counted down. */
const textOf = async (region: Locator): Promise<string> =>
  (await region.innerText()).replace(/\bin \d+ (?:s|min)\b/g, "soon");

describe.skipIf(chromiumPath === null)("polling regions of the console", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("are all listed in this test", () => {
    const polled = filesBelow("src/console", ".tsx").filter(({ path }) =>
      /hx-get=|<Current\b/.test(readFileSync(join(root, path), "utf8")),
    );
    const names = polled.map(({ path }) => path.split("/").at(-1));
    expect(names.sort()).toEqual(Object.keys(REGIONS).sort());
  });

  // Under `npm test`, each region with two of the faults, and each fault in at least one region.
  test.each(
    selectSome(
      Object.keys(REGIONS).map(
        (file, i) => [file, selectSome(Object.entries(FAULTS), 2, i)] as const,
      ),
      4,
      0,
    ),
  )("%s keeps its content when polling fails", async (file, faults) => {
    const { page, region } = await openRegion(file);
    for (const [name, { answer, says, waits }] of faults) {
      const before = await textOf(region);
      expect(before.trim(), name).not.toBe("");
      const restore = await breakPolls(page, answer);
      const polled = page.waitForRequest((request) => "hx-request" in request.headers());
      await passTime(page, POLL_INTERVAL_MS);
      await polled;
      if (waits) await passTime(page, waits);
      await banner(page).getByText(says).waitFor();
      expect(await textOf(region), name).toBe(before);
      await restore();
      await waitForPoll(page);
    }
    const before = await textOf(region);
    await page.context().setOffline(true);
    await banner(page).getByText("No connection").waitFor();
    await passTime(page, POLL_INTERVAL_MS);
    expect(await textOf(region)).toBe(before);
    await page.context().setOffline(false);
    await waitForPoll(page);
  });

  test.each(selectSome(Object.keys(REGIONS), 1, 0))(
    "%s redirects to the sign-in page and back after the session ends",
    async (file) => {
      const { page, region, url } = await openRegion(file);
      await page.context().clearCookies();
      await passTime(page, POLL_INTERVAL_MS);
      await page.waitForURL((it) => it.pathname === "/sign-in");
      await page.getByLabel("E-mail").fill("ada@example.com");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((it) => `${it.pathname}${it.search}` === url);
      await region.waitFor();
    },
  );

  test("a button pressed after the session ended redirects to the sign-in page", async () => {
    const alert = await stage.raise("Too late");
    const page = await stage.signIn();
    // A live update would notice before.
    await page.routeWebSocket("**/live*", (socket) => socket.close());
    await page.goto(`/alerts/${alert.prefix_id}`);
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.waitForURL((it) => it.pathname === "/sign-in");
    expect(new URL(page.url()).searchParams.get("to")).toBe(`/alerts/${alert.prefix_id}`);
  });

  test("a calendar that cannot be loaded shows an error", async () => {
    const page = await stage.signIn();
    await page.route("**/assets/hashed/calendar-*", (route) => route.abort());
    await page.goto(`/schedules/${stage.demo.schedule_id}`);
    await banner(page).getByText("The calendar could not be loaded").waitFor();
  });
});
