// One alert on a telephone: its steps are in a bar and a sheet, within the reach of a thumb.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible, expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

/** Opens a new alert's page, and counts the taps on it. */
async function openAlert(title: string, options: Parameters<Stage["signIn"]>[1] = {}) {
  const alert = await stage.raise(title);
  const page = await stage.signIn("ada@example.com", { viewport: PHONE, ...options });
  await page.goto(`/alerts/${alert.prefix_id}`);
  await page.waitForLoadState();
  return { alert, page };
}

const sheetOf = (page: Page) => page.locator("#more");
const openSheet = (page: Page) => page.getByRole("button", { name: "More actions" }).click();

describe.skipIf(chromiumPath === null)("an alert's page", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(["light", "dark"] as const)("has its steps on the first screen: %s", async (scheme) => {
    const { page } = await openAlert("Error rate of checkout-api above 5 %", {
      colorScheme: scheme,
    });
    const bar = page.locator(".answers");
    for (const name of ["Acknowledge", "Escalate", "More actions"]) {
      const box = await bar.getByRole("button", { name }).boundingBox();
      expect([name, (box?.y ?? 0) + (box?.height ?? 0) <= PHONE.height]).toEqual([name, true]);
      expect(box?.height).toBeGreaterThanOrEqual(44);
    }
    await expectAccessible(page);
    await saveScreenshot(page, `alert-page-${scheme}-390`);
    await openSheet(page);
    for (const name of ["Resolve", "Pass on", "1 hour", "Hand off", "Add as responder", "Merge"])
      await sheetOf(page).getByRole("button", { name, exact: true }).waitFor();
    await expectNoViolations(page);
    await saveScreenshot(page, `alert-sheet-${scheme}-390`);
    await page.getByRole("button", { name: "Close" }).click();
    await page.setViewportSize(DESK);
    await expectAccessible(page);
    await saveScreenshot(page, `alert-page-${scheme}-1440`);
    // On a desk nothing has to be opened.
    for (const name of ["Escalate", "Resolve", "1 hour", "Hand off", "Merge"]) {
      const box = await page.getByRole("button", { name, exact: true }).boundingBox();
      expect([name, (box?.y ?? DESK.height) < DESK.height]).toEqual([name, true]);
    }
    expect(await page.getByRole("button", { name: "More actions" }).isVisible()).toBe(false);
  });

  test("a snooze takes two taps, and is called one", async () => {
    const { page } = await openAlert("Snoozed by two taps");
    await openSheet(page);
    await page.getByRole("button", { name: "1 hour" }).click();
    await page.getByText(/Alert snoozed until .*\d\d:\d\d/).waitFor();
    await page.locator(".heading .badge", { hasText: /snoozed until/ }).waitFor();
    expect(await page.getByRole("button", { name: "Acknowledge" }).count()).toBe(0);
    await page.getByRole("button", { name: "End snooze" }).click();
    await page.locator(".heading .badge", { hasText: "acknowledged" }).waitFor();
  });

  test("the sheet works by keyboard, and survives a refresh of the page", async () => {
    const { alert, page } = await openAlert("Handed off by keyboard");
    const opener = page.getByRole("button", { name: "More actions" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await sheetOf(page).waitFor({ state: "visible" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await sheetOf(page).waitFor({ state: "hidden" });
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe("More actions");
    await page.keyboard.press("Enter");
    await page.getByLabel("Note").fill("It is the fuse");
    await stage.api("POST", `/alerts/${alert.id}/comments`, { body: "A change elsewhere" });
    await page.locator("#comments").getByText("A change elsewhere").waitFor({ state: "attached" });
    expect(await sheetOf(page).isVisible()).toBe(true);
    expect(await page.getByLabel("Note").inputValue()).toBe("It is the fuse");
    await page.getByLabel("Person or team").selectOption({ label: "Mo Mate" });
    await page.getByRole("button", { name: "Hand off" }).click();
    await page.getByText("Alert handed off.").waitFor();
  });

  test("an alert is merged into one of several of its title, told apart by team and time", async () => {
    const leader = await stage.raise("Twice the same title");
    const { page } = await openAlert("Twice the same title");
    await openSheet(page);
    const field = page.getByRole("combobox", { name: "Merge into" });
    await field.fill("twice the same");
    const found = page.getByRole("option", { name: "Twice the same title" });
    await found.waitFor();
    expect(await found.count()).toBe(1);
    expect(await found.innerText()).toMatch(/ · \w+ \d+ \w+ \d\d:\d\d · open$/);
    await found.click();
    await page.getByRole("button", { name: "Merge" }).click();
    await page.waitForURL(`**/alerts/${leader.prefix_id}`);
    await page.getByText("Alert merged into this one.").waitFor();
  });

  test("the sheet opens without scripts, and a snooze may end at a time of one's own", async () => {
    const { alert, page } = await openAlert("Snoozed without scripts", {
      javaScriptEnabled: false,
    });
    await openSheet(page);
    await page
      .getByLabel("Snooze until")
      .fill(new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16));
    await page.getByRole("button", { name: "Snooze" }).click();
    await page.getByText(/Alert snoozed until/).waitFor();
    const { snoozed_until: until } = await stage.api("GET", `/alerts/${alert.id}`);
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(86_400_000);
    await openSheet(page);
    await page.getByRole("link", { name: "List the alerts" }).click();
    await page.waitForURL(/whole=merge#merge/);
    await sheetOf(page).getByRole("button", { name: "Merge" }).waitFor();
  });

  test("whom it is for is wrapped where there is no room for it", async () => {
    const alert = await stage.api("POST", "/alerts", {
      ...{ title: "For a team and two people", urgency: "silent" },
      destination_team_ids: [stage.demo.team_id],
      destination_account_user_ids: stage.demo.account_user_ids,
    });
    const page = await stage.signIn("ada@example.com", { viewport: PHONE });
    await page.goto(`/alerts/${alert.prefix_id}`);
    const facts = page.locator(".heading .alert-facts > span").last();
    const box = await facts.boundingBox();
    expect(box?.height).toBeGreaterThan(30);
    expect((box?.x ?? 0) + (box?.width ?? PHONE.width)).toBeLessThanOrEqual(PHONE.width);
  });

  test("similar alerts stand beside it with who resolved them, and stay when it is refreshed", async () => {
    const first = await stage.raise("Replica 1 lags by 40 s");
    await stage.api("POST", `/alerts/${first.id}/comments`, { body: "Restarted the replica" });
    await stage.api("POST", `/alerts/${first.id}/resolve`);
    await stage.raise("Replica without a number lags");
    const { alert, page } = await openAlert("Replica 2 lags by 55 s");
    const panel = page.locator("#similar");
    await panel.getByText("1 other in the last 30 days").waitFor();
    await panel.getByText(/ago, resolved by Ada .*after \d+ s/).waitFor();
    await panel.getByText("Restarted the replica").waitFor();
    await expectAccessible(page);
    await stage.api("POST", `/alerts/${alert.id}/comments`, { body: "A change elsewhere" });
    await page.locator("#comments").getByText("A change elsewhere").waitFor();
    expect(await panel.getByRole("listitem").count()).toBe(1);
    await page.setViewportSize(DESK);
    await expectAccessible(page);
    await saveScreenshot(page, "alert-similar-1440");
    await panel.getByRole("link", { name: first.title }).click();
    await page.waitForURL(`**/alerts/${first.id}`);
    // An alert without any has no panel.
    const { page: alone } = await openAlert("Nothing is like this one");
    await alone.locator("#comments").waitFor();
    expect(await alone.getByText("Similar alerts").count()).toBe(0);
  });
});
