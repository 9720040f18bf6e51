// All alerts that match are answered by a bulk operation, and a filter is saved, from the list of
// alerts.
import { describe, expect, test } from "vitest";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const raise = (title: string) =>
  stage.api("POST", "/alerts", {
    title,
    urgency: "silent",
    tags: ["bulk"],
    destination_team_ids: [stage.demo.team_id],
  });

describe.skipIf(chromiumPath === null)("all alerts that match, in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("they are acknowledged after a question, and the refusals are listed", async () => {
    const alerts = [];
    for (let i = 0; i < 23; i += 1) alerts.push(await raise(`Bulk ${i}`));
    const page = await stage.signIn("ada@example.com", { viewport: { width: 390, height: 900 } });
    await page.routeWebSocket("**/live*", (socket) => socket.close());
    await page.goto("/alerts?tag=bulk&status=open");
    await page.getByText("Save this filter").click();
    await page.getByLabel("Name").fill("My bulk");
    await page.getByRole("button", { name: "Save filter" }).click();
    await page.getByText("Filter My bulk saved.").waitFor();
    await page.goto("/alerts");
    await page.getByRole("navigation", { name: "Saved filters" }).getByText("My bulk").click();
    await page.locator('[data-total="23"]').waitFor();
    await saveScreenshot(page, "saved-filters-390");
    await page.getByRole("checkbox").first().check();
    const bar = page.locator("#bulk");
    await bar.getByLabel("All 23 that match").check();
    await bar.getByText("All 23 alerts that match selected").waitFor();
    await saveScreenshot(page, "bulk-bar-390");
    await expectNoViolations(page);
    const late = await raise("Bulk, unseen");
    await bar.getByRole("button", { name: "Acknowledge" }).click();
    await saveScreenshot(page, "bulk-confirm-390");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Acknowledge 23 alerts" }).click();
    await page.getByText("Finished: 23 of 23 alerts done.").waitFor();
    await saveScreenshot(page, "bulk-done-390");
    await expectNoViolations(page);
    const statuses = await Promise.all(
      [alerts[0], late].map(async ({ id }) => (await stage.api("GET", `/alerts/${id}`)).status),
    );
    expect(statuses).toEqual(["acknowledged", "open"]);
    await page.getByRole("link", { name: "Show alerts" }).click();
    await page.getByRole("link", { name: "Bulk, unseen" }).waitFor();
    await page.getByRole("link", { name: "Edit saved filters" }).click();
    await expectNoViolations(page);
    await saveScreenshot(page, "saved-filters-edit-390");
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No saved filters").waitFor();
  });

  test("they are snoozed, handed off, and merged into the one that is selected", async () => {
    const tag = "flood";
    for (let i = 0; i < 22; i += 1) {
      await stage.api("POST", "/alerts", {
        ...{ title: `Flood ${i}`, urgency: "silent", tags: [tag] },
        destination_team_ids: [stage.demo.team_id],
      });
    }
    const page = await stage.signIn("ada@example.com", { viewport: { width: 390, height: 900 } });
    const bar = page.locator("#bulk");
    const select = async () => {
      await page.goto(`/alerts?tag=${tag}&scope=all`);
      await page.locator('[data-total="22"]').waitFor();
      await page.getByRole("checkbox", { name: /Flood 3$/ }).check();
      await bar.getByLabel("All 22 that match").check();
      await bar.getByText("Snooze, hand off, merge").click();
    };
    await select();
    await bar.getByRole("button", { name: "Snooze" }).click();
    await page.getByText("Choose how long to snooze the alerts.").waitFor();
    await select();
    await bar.getByLabel("Snooze for").selectOption({ label: "4 hours" });
    await bar.getByRole("button", { name: "Snooze" }).click();
    await page.getByText(/Each of them is snoozed until .* in your name/).waitFor();
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Snooze 22 alerts" }).click();
    await page.getByText("Finished: 22 of 22 alerts done.").waitFor();
    await page.getByText(/^22 until /).waitFor();
    await expectNoViolations(page);
    await select();
    await bar.getByLabel("Hand off to").selectOption({ label: "Mo Mate" });
    await bar.getByRole("button", { name: "Hand off" }).click();
    await page.getByText(/handed off to Mo Mate in your name/).waitFor();
    await page.getByRole("button", { name: "Hand off 22 alerts" }).click();
    await page.getByText("22 to Mo Mate").waitFor();
    await select();
    await bar.getByRole("button", { name: "Merge into the first" }).click();
    await page.getByText(/^21 other alerts match .* merged into Flood 3 in your name/).waitFor();
    await expectNoViolations(page);
    await saveScreenshot(page, "bulk-merge-390");
    await page.getByRole("button", { name: "Merge 21 alerts" }).click();
    await page.getByText("Finished: 21 of 21 alerts done.").waitFor();
    await page.getByRole("link", { name: "Show alerts" }).click();
    await page.locator('[data-total="1"]').waitFor();
    await page.getByRole("link", { name: "Flood 3" }).waitFor();
  });
});
