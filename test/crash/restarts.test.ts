// What goes on while connections end and the worker is restarted. Live updates: two browsers and a phone show an alert, and see every change of it, in
// order, over a lost connection, sockets that the server closes, a reset of the object that holds
// them, and a deploy. Polling is switched off in the pages: what they show was pushed to them.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../browser/chromium.ts";
import { sized } from "../support/generated/sizes.ts";
import {
  type Built,
  deleteState,
  EMAIL,
  freePort,
  PASSWORD,
  type Running,
  startWorker,
} from "../support/worker/dev-worker.ts";
import { buildCrashWorker } from "./shared-build.ts";

/** Seen one by one between faults, and made while a fault lasts: 5 × 32 + 4 × 10 = 200 or 23. */
const PER_FAULT = sized({ connected: 3, missed: 2 }, { connected: 32, missed: 10 });
/** Two steps of a bulk operation, or five. */
const BULK_ALERTS = sized(60, 200);

const STEPS = ["acknowledge", "resolve", "reopen"] as const;
const STEP_NAMES = ["Acknowledged", "Resolved", "Reopened"] as const;
const STATUSES = ["acknowledged", "resolved", "open"] as const;

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let built: Built;
let running: Running;
let browser: Browser;
let port: number;
let version = 0;

async function deploy(): Promise<void> {
  version += 1;
  const base = `http://127.0.0.1:${port}`;
  const variables = {
    ...{ PUBLIC_URL: base, RATE_LIMITS: "off", RESEND_API_KEY: "none", PROVIDER: base },
    ...{ LINK_SECRET: "only the tests sign with this", CLOCK_AHEAD_MS: String(version) },
  };
  running = await startWorker(built, port, variables, "/sign-in");
}

async function api(method: string, path: string, body?: object): Promise<Record<string, any>> {
  const response = await fetch(`${running.url}/api/v4${path}`, {
    method,
    headers: { Authorization: `Bearer ${built.key}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text);
}

/** What a page shows of the alert after each number of changes; no two are the same. */
const shownAfter = (changes: number): string => {
  const edits = Math.ceil(changes / 2);
  const steps = Math.floor(changes / 2);
  return `Swell ${edits}: ${STATUSES[(steps + 2) % 3]}`;
};

/** Makes the nth change: the odd ones edit the title, the even ones are steps. */
const change = (id: string, nth: number) =>
  nth % 2 === 1
    ? api("PUT", `/alerts/${id}`, { title: `Swell ${(nth + 1) / 2}` })
    : api("POST", `/alerts/${id}/${STEPS[(nth / 2 - 1) % 3]}`);

/** A page that records everything that it shows of the alert. */
type Watching = {
  readonly name: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** The number of WebSockets on which it has received messages. */
  readonly connections: () => number;
};

async function watch(name: string, path: string, scope: string, options: object) {
  const context = await browser.newContext({
    baseURL: running.url,
    serviceWorkers: "block",
    ...options,
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.addInitScript(`
    document.addEventListener("every", (event) => event.stopImmediatePropagation(), true);
    window.seen = [];
    document.addEventListener("DOMContentLoaded", () => {
      const read = () => {
        const title = document.querySelector(${JSON.stringify(`${scope} :is(h1, .alert-title)`)});
        const badge = document.querySelector(${JSON.stringify(`${scope} .badge.state`)});
        if (title === null || badge === null) return;
        const now = title.textContent.trim() + ": " + badge.textContent.trim();
        if (window.seen.at(-1) !== now) window.seen.push(now);
      };
      read();
      new MutationObserver(read).observe(document.body, {
        subtree: true, childList: true, characterData: true,
      });
    });
  `);
  let connected = 0;
  page.on("websocket", (socket) => {
    socket.once("framereceived", () => {
      connected += 1;
    });
  });
  await page.goto(path);
  await expect.poll(() => connected, { timeout: 120_000 }).toBe(1);
  return { name, page, context, connections: () => connected } satisfies Watching;
}

const seenBy = ({ page }: Watching) => page.evaluate<string[]>("window.seen");

/** Waits until each page shows the state after a number of changes. */
async function untilSeen(pages: readonly Watching[], changes: number): Promise<void> {
  for (const watching of pages) {
    await expect
      .poll(async () => (await seenBy(watching)).at(-1), {
        ...{ timeout: 120_000, interval: 20 },
        message: `${watching.name} after ${changes} changes`,
      })
      .toBe(shownAfter(changes));
  }
}

beforeAll(async () => {
  if (chromiumPath === null) return;
  built = await buildCrashWorker("live");
  port = await freePort();
  await deploy();
  browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
});

afterAll(async () => {
  await browser?.close();
  await running?.kill();
  if (built) deleteState(built);
});

describe.skipIf(chromiumPath === null)("live updates over faults", () => {
  test("are seen in two browsers and on a phone, in order, none lost", async () => {
    const alert = await api("POST", "/alerts", {
      title: "Swell 0",
      urgency: "silent",
      destination_account_user_ids: [built.accountUserId],
    });
    const path = `/alerts/${alert.prefix_id}?whole=timeline`;
    const pages = [
      await watch("the list", "/alerts?status=all", `#row-${alert.prefix_id}`, DESKTOP),
      await watch("the alert", path, "#current", DESKTOP),
      await watch("the phone", path, "#current", PHONE),
    ] as const;
    const [, , phone] = pages;
    let made = 0;
    const makeSeen = async (by: readonly Watching[], count: number) => {
      for (let i = 0; i < count; i += 1) {
        made += 1;
        await change(alert.id, made);
        await untilSeen(by, made);
      }
    };
    const missed: [after: number, until: number][] = [];
    const fail = async (begin: () => Promise<unknown>) => {
      await makeSeen(pages, PER_FAULT.connected);
      const after = made;
      await begin();
      for (let i = 0; i < PER_FAULT.missed; i += 1) {
        made += 1;
        await change(alert.id, made);
      }
      await untilSeen(pages, made);
      missed.push([after, made]);
    };
    const failLive = (fault: string) => () =>
      fetch(`${running.url}/crash/live/${fault}/${alert.account_id}`);

    // The others see what the phone misses one by one.
    await makeSeen(pages, PER_FAULT.connected);
    const offlineAfter = made;
    await phone.context.setOffline(true);
    await makeSeen([pages[0], pages[1]], PER_FAULT.missed);
    expect((await seenBy(phone)).at(-1)).toBe(shownAfter(offlineAfter));
    await phone.context.setOffline(false);
    await untilSeen(pages, made);
    const whileOffline = [offlineAfter, made] as const;

    await fail(failLive("close"));
    await fail(failLive("reset"));
    await fail(async () => {
      await running.kill();
      await deploy();
    });
    await makeSeen(pages, PER_FAULT.connected);

    const all = Array.from({ length: made + 1 }, (_, changes) => shownAfter(changes));
    for (const watching of pages) {
      const seen = await seenBy(watching);
      const order = seen.map((it) => all.indexOf(it));
      expect(order, watching.name).toEqual(order.toSorted((a, b) => a - b));
      const gaps = watching === phone ? [whileOffline, ...missed] : missed;
      const isMissable = (nth: number) => gaps.some(([from, to]) => nth > from && nth < to);
      const unseen = all.flatMap((it, nth) => (seen.includes(it) || isMissable(nth) ? [] : [nth]));
      expect(unseen, watching.name).toEqual([]);
    }
    // Each fault ended the connections, so that what came after it needed others.
    for (const { name, connections } of pages) expect(connections(), name).toBeGreaterThan(3);
    // What a page missed is in the timeline that it shows now.
    for (const { page } of [pages[1], phone]) {
      const lines = (await page.locator(".timeline li").allTextContents()).toReversed();
      expect(lines.filter((it) => /Changed by/.test(it))).toHaveLength(Math.ceil(made / 2));
      const steps = lines.flatMap(
        (it) => /(Acknowledged|Resolved|Reopened) by/.exec(it)?.[1] ?? [],
      );
      expect(steps).toEqual(
        Array.from({ length: Math.floor(made / 2) }, (_, nth) => STEP_NAMES[nth % 3]),
      );
    }
  });
});

test.skipIf(chromiumPath === null)(
  "a bulk operation goes on after a kill: each alert is answered once, and counted",
  async () => {
    const titles = Array.from({ length: BULK_ALERTS }, (_, nth) => `Bulk ${nth}`);
    const alertIds: string[] = [];
    for (const title of titles) {
      const destination_account_user_ids = [built.accountUserId];
      const draft = { title, urgency: "silent", tags: ["bulk"], destination_account_user_ids };
      alertIds.push((await api("POST", "/alerts", draft)).id);
    }
    const { id } = await api("POST", "/bulk_operations", {
      action: "acknowledge",
      filter: { tags: "bulk" },
    });
    // Some are answered, and their step is not finished.
    await expect
      .poll(
        () => api("GET", "/alerts?tags=bulk&status=acknowledged").then((it) => it.total_count),
        {
          ...{ timeout: 120_000, interval: 1 },
        },
      )
      .toBeGreaterThan(0);
    await running.kill();
    await deploy();
    await expect
      .poll(() => api("GET", `/bulk_operations/${id}`), { timeout: 120_000, interval: 100 })
      .toMatchObject({ status: "finished" });
    const { refusals, ...counts } = await api("GET", `/bulk_operations/${id}`);
    expect(refusals).toEqual([]);
    expect(counts).toMatchObject({ changed_count: BULK_ALERTS, unchanged_count: 0 });
    for (const alertId of alertIds) {
      const { details } = await api("GET", `/logs/${alertId}`);
      const messages = details.sublogs.map(({ message }: { message: string }) => message);
      expect(messages.filter((it: string) => it.startsWith("Acknowledged by"))).toHaveLength(1);
    }
  },
);
