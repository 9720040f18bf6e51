// Three consoles side by side, one of them of a telephone's size, on a worker of their own that is
// killed and started again: all see every change, in order, whatever connections are lost.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sized } from "../../support/generated/sizes.ts";
import {
  type Built,
  buildWorker,
  deleteState,
  EMAIL,
  freePort,
  PASSWORD,
  type Running,
  startWorker,
} from "../../support/worker/dev-worker.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

const CHANGES = sized(20, 200);
const TIMEOUT_MS = 120_000;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let stage: Stage;
let built: Built;
let running: Running;
let port: number;

const start = async () => {
  running = await startWorker(built, port, { RATE_LIMITS: "off" }, "/sign-in");
};

async function api(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${running.url}/api/v4${path}`, {
    method,
    headers: { Authorization: `Bearer ${built.key}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response.json();
}

type Console = {
  readonly page: Page;
  /** The numbers of the changes that it has shown, in order. */
  readonly shown: () => Promise<number[]>;
  /** Resolves when it shows a change, whether pushed or read after a reconnection. */
  readonly shows: (change: number) => Promise<unknown>;
  /** Closes its connection, and lets no other be made until the returned function is called. */
  readonly disconnect: () => () => void;
  /** Resolves with the next connection, once the server has sent something on it. */
  readonly connected: () => Promise<void>;
};

/** Signs in and opens a page, which notes the number in the alert's title whenever it changes. */
async function openConsole(path: string, title: string, viewport: typeof PHONE): Promise<Console> {
  const page = await stage.signIn(EMAIL, { viewport, baseURL: running.url }, PASSWORD);
  let isCut = false;
  let drop = () => {};
  await page.routeWebSocket("**/live*", (socket) => {
    if (isCut) {
      socket.close();
      return;
    }
    const server = socket.connectToServer();
    server.onMessage((text) => {
      for (const greet of greeted.splice(0)) greet();
      socket.send(text);
    });
    drop = () => {
      server.close();
      socket.close();
    };
  });
  const greeted: (() => void)[] = [];
  const connected = () => new Promise<void>((done) => greeted.push(done));
  const first = connected();
  await page.goto(path);
  await first;
  await page.evaluate(`
    window.isMarked = true;
    window.changes = [];
    const note = () => {
      const text = document.querySelector(${JSON.stringify(title)})?.textContent ?? "";
      const number = Number(/Change (\\d+)/.exec(text)?.[1] ?? NaN);
      if (!Number.isNaN(number) && window.changes.at(-1) !== number) window.changes.push(number);
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true, childList: true, characterData: true,
    });
  `);
  return {
    page,
    shown: () => page.evaluate("window.changes") as Promise<number[]>,
    shows: (change) =>
      expect
        .poll(() => page.evaluate("window.changes.at(-1)"), { timeout: TIMEOUT_MS, interval: 20 })
        .toBe(change),
    disconnect: () => {
      isCut = true;
      drop();
      return () => {
        isCut = false;
      };
    },
    connected,
  };
}

const numbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

describe.skipIf(chromiumPath === null)("changes seen side by side", () => {
  onStage((opened) => {
    stage = opened;
  });
  beforeAll(async () => {
    if (chromiumPath === null) return;
    built = await buildWorker("live-changes", "test/crash/worker.ts");
    port = await freePort();
    await start();
  }, 300_000);
  afterAll(async () => {
    await running?.kill();
    if (built) deleteState(built);
  }, 60_000);

  test(`${CHANGES} changes are seen everywhere, in order, over a lost connection and a restart`, async () => {
    const alert = await api("POST", "/alerts", {
      ...{ title: "Before the first", urgency: "silent" },
      destination_account_user_ids: [built.accountUserId],
    });
    const change = (i: number) => api("PUT", `/alerts/${alert.id}`, { title: `Change ${i}` });
    const ofPage = [`/alerts/${alert.prefix_id}`, "h1"] as const;
    const list = await openConsole(
      "/alerts?status=all",
      `#row-${alert.prefix_id} .alert-title`,
      DESKTOP,
    );
    const desktop = await openConsole(...ofPage, DESKTOP);
    const phone = await openConsole(...ofPage, PHONE);
    const all = [list, desktop, phone];
    const [cut, mended, restarted] = [0.25, 0.5, 0.75].map((share) => Math.floor(CHANGES * share));
    if (cut === undefined || mended === undefined || restarted === undefined) throw new Error();
    const changeAndSee = async (from: number, to: number, by: readonly Console[]) => {
      for (const i of numbers(from, to)) {
        await change(i);
        await Promise.all(by.map(({ shows }) => shows(i)));
      }
    };

    await changeAndSee(0, cut, all);
    // The phone loses its connection, and has none while a quarter of the changes are made.
    const reconnect = phone.disconnect();
    await phone.page.context().setOffline(true);
    await changeAndSee(cut, mended, [list, desktop]);
    const again = phone.connected();
    reconnect();
    await phone.page.context().setOffline(false);
    await again;
    await phone.shows(mended - 1);
    await changeAndSee(mended, restarted, all);
    // All objects and connections are gone at once, as in a deployment or when an object moves.
    const afterRestart = all.map(({ connected }) => connected());
    await running.kill();
    await start();
    await Promise.all(afterRestart);
    await changeAndSee(restarted, CHANGES, all);

    const expected = numbers(0, CHANGES);
    expect(await list.shown()).toEqual(expected);
    expect(await desktop.shown()).toEqual(expected);
    // What the phone showed meanwhile was older; it went on with the latest.
    expect(await phone.shown()).toEqual([...numbers(0, cut), ...numbers(mended - 1, CHANGES)]);
    for (const { page } of all) expect(await page.evaluate("window.isMarked")).toBe(true);
  }, 1_200_000);
});
