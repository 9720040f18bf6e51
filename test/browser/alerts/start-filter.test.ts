// The list of alerts opens with the filter that the browser starts with, and every other list stays in reach.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const PATH = "/alerts?urgency=critical";

const queryOf = (page: Page) => new URL(page.url()).search;

async function saveFilter(page: Page, name: string): Promise<void> {
  await page.goto(PATH);
  await page.getByText("Save this filter").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Save filter" }).click();
  await page.getByText(`Filter ${name} saved.`).waitFor();
}

/** Presses the button of the only saved filter. */
async function start(page: Page): Promise<void> {
  await page.goto("/alerts/filters");
  await page.getByRole("button", { name: "Start with this filter" }).click();
  await page.getByText("Alerts opens with the chosen filter.").waitFor();
}

describe.skipIf(chromiumPath === null)("a saved filter as the start page", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("is chosen, left, undone, and ends with the filter", async () => {
    const page = await stage.signIn("ada@example.com", {
      viewport: { width: 390, height: 844 },
    });
    await page.goto("/alerts");
    expect(queryOf(page)).toBe("");
    await saveFilter(page, "Critical");
    await start(page);
    await page.getByRole("button", { name: "Start without a filter" }).waitFor();
    await expectAccessible(page);
    await saveScreenshot(page, "start-filter-390");
    const saved = page.getByRole("navigation", { name: "Saved filters" });
    await page.goto(PATH);
    await saved.getByRole("link", { name: "Critical start" }).waitFor();
    await expectAccessible(page);

    // The list without a query leads to it; each way out of it stays out.
    const main = page.getByRole("navigation", { name: "Main" });
    await page.goto("/readiness");
    await main.getByRole("link", { name: "Alerts" }).click();
    await page.waitForURL(`**${PATH}`);
    await page.getByRole("navigation", { name: "Status" }).getByText("Resolved").click();
    await page.waitForURL(/status=resolved/);
    await page.getByRole("navigation", { name: "Status" }).getByText("Active").click();
    await page.waitForURL(/status=active/);
    await page.goto("/alerts?tag=no-such-tag");
    await page.getByRole("link", { name: "Clear filter" }).click();
    await page.waitForURL(/alerts\?status=active$/);
    expect(await page.getByLabel("Any urgency").inputValue()).toBe("");
    await page.goto("/alerts?q=nothing-like-it");
    await page.getByRole("link", { name: "Show active alerts" }).click();
    await page.waitForURL(/alerts\?status=active$/);
    await page.getByRole("link", { name: "Edit saved filters" }).click();
    await page.getByRole("button", { name: "Start without a filter" }).click();
    await page.getByText("Alerts opens without a filter.").waitFor();
    await page.goto("/alerts");
    expect(queryOf(page)).toBe("");

    await start(page);
    await page.goto("/alerts");
    expect(queryOf(page)).toBe("?urgency=critical");
    await page.goto("/alerts/filters");
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No saved filters").waitFor();
    await page.goto("/alerts");
    expect(queryOf(page)).toBe("");
  });
});
