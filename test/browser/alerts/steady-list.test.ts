// Nothing moves under a finger: aimed at a button, then an alert arrives or leaves, then pressed.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

const raise = (title: string, urgency: string): Promise<any> =>
  stage.api("POST", "/alerts", { title, urgency, destination_team_ids: [stage.demo.team_id] });

const statusOf = async ({ id }: { readonly id: string }): Promise<string> =>
  (await stage.api("GET", `/alerts/${id}`)).status;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The middle of a row's first button. */
async function aimAt(page: Page, alert: { readonly prefix_id: string }) {
  const box = await page.locator(`#row-${alert.prefix_id} button`).first().boundingBox();
  if (box === null) throw new Error("there is no button");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const news = (page: Page) => page.locator(".news button");

async function openList(options = {}): Promise<Page> {
  const page = await stage.signIn("ada@example.com", options);
  page.setDefaultTimeout(20_000);
  const opened = page.waitForEvent("websocket");
  await page.goto("/alerts?scope=all&q=steady");
  await opened;
  return page;
}

describe.skipIf(chromiumPath === null)("the list under a finger or a mouse", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("stays in place under a mouse: three aimed clicks of three hit", async () => {
    const made = [];
    for (const i of [1, 2, 3]) made.push(await raise(`Steady ${i}`, "low"));
    const page = await openList();
    for (const [i, alert] of made.entries()) {
      const { x, y } = await aimAt(page, alert);
      await page.mouse.move(x, y);
      const [first, other] = [
        await raise(`Steady newcomer ${i}`, "critical"),
        await raise(`Steady passer-by ${i}`, "critical"),
      ];
      await news(page).getByText("2 new alerts", { exact: true }).waitFor();
      await stage.api("POST", `/alerts/${other.id}/resolve`);
      await news(page).getByText("1 new alert", { exact: true }).waitFor();
      expect(await aimAt(page, alert)).toEqual({ x, y });
      await page.mouse.click(x, y);
      await expect.poll(() => statusOf(alert)).toBe("acknowledged");
      expect(await statusOf(first)).toBe("open");
      // Away from the list, it moves on.
      await page.mouse.move(5, 5);
      await news(page).waitFor({ state: "hidden" });
      await page.locator(`#row-${first.prefix_id}`).waitFor();
      expect(await page.locator(".alerts > .alert").first().getAttribute("class")).toMatch(
        /critical/,
      );
    }
    const { x, y } = await aimAt(page, made[0]);
    await page.mouse.move(x, y);
    const last = await raise("Steady, asked for", "critical");
    await news(page).click();
    await page.locator(`#row-${last.prefix_id}`).waitFor();
    const { data } = await stage.api("GET", "/alerts?q=steady&limit=100");
    for (const { id, status } of data)
      if (status !== "resolved") await stage.api("POST", `/alerts/${id}/resolve`);
  });

  test("ignores a tap on what has just come to its place", async () => {
    const made = [await raise("Steady tap one", "low"), await raise("Steady tap two", "low")];
    const page = await openList(PHONE);
    // The row above leaves just before the tap: its place is another alert's.
    await page.evaluate(`
      document.addEventListener("htmx:after:swap", () => {
        const row = document.querySelector("#row-${made[1].prefix_id}");
        window.swaps = (window.swaps ?? 0) + (row.previousElementSibling === null);
      });
    `);
    const { x, y } = await aimAt(page, made[0]);
    await page.evaluate(`
      new MutationObserver((_, observer) => {
        if (document.querySelector("#row-${made[0].prefix_id}")) return;
        observer.disconnect();
        window.hit = document.elementFromPoint(${x}, ${y});
        window.hit.dispatchEvent(new PointerEvent("click", {
          bubbles: true, cancelable: true, detail: 1, clientX: ${x}, clientY: ${y},
        }));
        window.tapped = true;
      }).observe(document.body, { subtree: true, childList: true });
    `);
    await stage.api("POST", `/alerts/${made[0].id}/resolve`);
    await expect.poll(() => page.evaluate("window.tapped === true")).toBe(true);
    expect(await page.evaluate("window.hit.textContent.trim()")).toBe("Acknowledge");
    const tappedAt = await page.evaluate<number>("performance.now()");
    await expect
      .poll(() => page.evaluate<number>("performance.now()"))
      .toBeGreaterThan(tappedAt + 500);
    expect(await statusOf(made[1])).toBe("open");
    // Later, the same tap counts.
    await page.touchscreen.tap(x, y);
    await expect.poll(() => statusOf(made[1])).toBe("acknowledged");
    await stage.api("POST", `/alerts/${made[1].id}/resolve`);
  });

  test.each([
    ["its page", (id: string) => `/alerts/${id}`],
    ["the list", () => "/alerts?scope=all&q=steady"],
  ])("a double tap on Acknowledge resolves nothing on %s", async (_, path) => {
    const alert = await raise("Steady twice", "high");
    const page = await stage.signIn("ada@example.com", PHONE);
    await page.goto(path(alert.prefix_id));
    const row = page.locator(`#row-${alert.prefix_id}`);
    const bar = (await row.count()) > 0 ? row : page.locator(".answers");
    const acknowledge = bar.getByRole("button", { name: "Acknowledge" });
    const box = await acknowledge.boundingBox();
    if (box === null) throw new Error("there is no button");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // At once where another button has come to the place of the first one, however long that took.
    await page.evaluate(`
      document.addEventListener("htmx:after:swap", () => {
        const hit = document.elementFromPoint(${x}, ${y})?.closest("button");
        if (hit?.textContent.trim() !== "Resolve" || "isIgnored" in window) return;
        const tap = { bubbles: true, cancelable: true, detail: 1, clientX: ${x}, clientY: ${y} };
        window.isIgnored = !hit.dispatchEvent(new PointerEvent("click", tap));
      });
    `);
    await page.route("**/acknowledge", async (route) => {
      await new Promise((done) => setTimeout(done, 1_600));
      await route.continue();
    });
    await page.touchscreen.tap(x, y);
    await expect.poll(() => page.evaluate("window.isIgnored"), { timeout: 20_000 }).toBe(true);
    expect(await statusOf(alert)).toBe("acknowledged");
    await stage.api("POST", `/alerts/${alert.id}/resolve`);
  });

  test("says that something came which is on another page", async () => {
    const made = [];
    for (let i = 0; i < 21; i += 1) made.push(await raise(`Steady crowd ${i}`, "high"));
    const page = await openList();
    made.push(await raise("Steady late", "high"));
    await news(page).getByText("1 new alert", { exact: true }).click();
    await page.getByRole("link", { name: "Steady late" }).waitFor();
    for (const { id } of made) await stage.api("POST", `/alerts/${id}/resolve`);
  });
});
