// Live updates of the console: what another person does is seen without reloading and without
// polling; one's own step keeps the page, its scroll position and the focus.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

/** Shorter than the polling interval of a page (ms), and longer than the pause between refreshes. */
const MOMENT_MS = 2_000;
const POLL_INTERVAL_MS = 11_000;

const PHONE = { viewport: { width: 390, height: 844 } };

/** Opens a page whose clock stands still, so that it never polls; waits for its connection. */
async function openConnected(path: string, options = {}): Promise<Page> {
  const page = await stage.signIn("ada@example.com", options);
  await page.clock.install();
  const opened = page.waitForEvent("websocket");
  await page.goto(path);
  await (await opened).waitForEvent("framereceived");
  await page.clock.pauseAt(Date.now() + MOMENT_MS);
  await mark(page);
  return page;
}

/** Marks the document, to find out whether the page was loaded again. */
const mark = (page: Page) => page.evaluate("window.isMarked = true");
const isMarked = (page: Page) => page.evaluate("window.isMarked === true");

/** Lets the page's timers run for a moment until it shows the text. */
async function seen(page: Page, text: string, scope = "#current"): Promise<void> {
  const found = page.locator(scope).getByText(text, { exact: true }).first();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(200);
        return found.isVisible();
      },
      { timeout: 60_000 },
    )
    .toBe(true);
}

describe.skipIf(chromiumPath === null)("live updates of the console", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("show the steps of others on a list and on a phone, in order, without reloading", async () => {
    const alert = await stage.raise("Seen by everybody");
    const path = `/alerts/${alert.prefix_id}`;
    const [list, phone] = [
      await openConnected("/alerts?status=all"),
      await openConnected(path, PHONE),
    ];
    await phone.evaluate(`
      window.statuses = ["open"];
      const read = () => {
        const now = document.querySelector(".lead .badge.state").textContent;
        if (window.statuses.at(-1) !== now) window.statuses.push(now);
      };
      new MutationObserver(read).observe(document.body, {
        subtree: true, childList: true, characterData: true,
      });
    `);
    const row = `#row-${alert.prefix_id}`;
    for (const [step, status] of [
      ["acknowledge", "acknowledged"],
      ["resolve", "resolved"],
      ["reopen", "open"],
    ] as const) {
      await stage.api("POST", `/alerts/${alert.id}/${step}`);
      await seen(phone, status, ".lead");
      await seen(list, status, row);
    }
    const statuses = await phone.evaluate("window.statuses");
    expect(statuses).toEqual(["open", "acknowledged", "resolved", "open"]);
    expect(await list.title()).toMatch(/^\([\d+]+\) Alerts/);
    await stage.api("POST", `/alerts/${alert.id}/comments`, { body: "Replaced the lamp" });
    await seen(phone, "Replaced the lamp");
    const other = await stage.raise("Raised meanwhile");
    await seen(list, "Raised meanwhile", `#row-${other.prefix_id}`);
    expect(await isMarked(list)).toBe(true);
    expect(await isMarked(phone)).toBe(true);
  });

  test("of one's own step come at once, and keep the page, the scroll position and the focus", async () => {
    for (let i = 0; i < 12; i += 1) await stage.raise(`One of many ${i}`);
    const alert = await stage.raise("In the middle");
    for (let i = 12; i < 20; i += 1) await stage.raise(`One of many ${i}`);
    const page = await openConnected("/alerts?q=i&sort=newest");
    const row = page.locator(`#row-${alert.prefix_id}`);
    const button = row.getByRole("button", { name: "Acknowledge" });
    await button.scrollIntoViewIfNeeded();
    const scroll = await page.evaluate("window.scrollY");
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/acknowledge", async (route) => {
      await held;
      await route.continue();
    });
    await button.focus();
    await page.keyboard.press("Enter");
    // Before the server has answered.
    expect(await row.locator(".badge.state").textContent()).toBe("acknowledged");
    expect(await row.getByRole("button", { name: "Sending…" }).getAttribute("aria-disabled")).toBe(
      "true",
    );
    release();
    await page.getByText("Alert acknowledged").waitFor();
    await seen(page, "acknowledged", `#row-${alert.prefix_id} .badge:not(.expected)`);
    const holdsFocus = `document.querySelector("#row-${alert.prefix_id}").contains(document.activeElement)`;
    await expect
      .poll(
        async () => {
          await page.clock.runFor(200);
          return page.evaluate(holdsFocus);
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(await page.evaluate("window.scrollY")).toBe(scroll);
    expect(await isMarked(page)).toBe(true);
  });

  test("take back a step that the server refuses, and say why", async () => {
    const alert = await stage.raise("Answered by somebody else");
    const page = await openConnected(`/alerts/${alert.prefix_id}`);
    await page.route("**/acknowledge", async (route) => {
      await stage.api("POST", `/alerts/${alert.id}/resolve`);
      await route.continue();
    });
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page
      .locator("#toast")
      .getByText(/is resolved; only/)
      .waitFor();
    await seen(page, "resolved", ".lead");
    expect(await isMarked(page)).toBe(true);
  });

  test("undo an answer on a phone, with and without scripts", async () => {
    const status = async (id: string) => (await stage.api("GET", `/alerts/${id}`)).status;
    const alert = await stage.raise("Acknowledged by mistake");
    const phone = await openConnected(`/alerts/${alert.prefix_id}`, PHONE);
    const widthOf = async (name: string) =>
      (await phone.getByRole("button", { name }).boundingBox())?.width ?? 0;
    expect(await widthOf("Acknowledge")).toBeGreaterThan(2 * (await widthOf("Escalate")));
    await phone.getByRole("button", { name: "Acknowledge" }).click();
    await phone.locator("#toast").getByRole("button", { name: "Undo" }).click();
    await seen(
      phone,
      "Undone. The alert is open. The people who are asked now are notified again.",
      "#toast",
    );
    expect(await status(alert.id)).toBe("open");
    expect(await isMarked(phone)).toBe(true);
    const plain = await stage.signIn("ada@example.com", { ...PHONE, javaScriptEnabled: false });
    await plain.goto(`/alerts/${alert.prefix_id}`);
    await plain.getByRole("button", { name: "More actions" }).click();
    await plain.getByRole("button", { name: "Resolve" }).click();
    await plain.getByRole("button", { name: "Undo" }).click();
    await plain.getByText("Undone. The alert is open.").waitFor();
    expect(await status(alert.id)).toBe("open");
  });

  test("fall back to polling when the WebSocket is refused", async () => {
    const page = await stage.signIn();
    let attempts = 0;
    await page.routeWebSocket("**/live*", (socket) => {
      attempts += 1;
      socket.close();
    });
    await page.clock.install();
    await page.goto("/alerts?sort=newest");
    await expect.poll(() => attempts).toBeGreaterThan(0);
    await page.clock.pauseAt(Date.now() + MOMENT_MS);
    await stage.raise("Found by polling");
    await page.clock.fastForward(POLL_INTERVAL_MS);
    await page.getByRole("link", { name: "Found by polling" }).waitFor();
  });

  test("connect again after the connection was lost, and show what was missed", async () => {
    const page = await stage.signIn();
    let isDown = false;
    await page.routeWebSocket("**/live*", (socket) => {
      if (isDown) socket.close();
      else {
        const server = socket.connectToServer();
        drop = () => {
          server.close();
          socket.close();
        };
      }
    });
    let drop = () => {};
    await page.clock.install();
    await page.goto("/alerts?sort=newest");
    await expect.poll(async () => drop.toString().includes("server")).toBe(true);
    await page.clock.pauseAt(Date.now() + MOMENT_MS);
    isDown = true;
    drop();
    await stage.raise("Missed while offline");
    isDown = false;
    await seen(page, "Missed while offline");
  });
});
