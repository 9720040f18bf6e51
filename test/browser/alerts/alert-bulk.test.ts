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
    await page.getByText("23 alerts · as of").waitFor();
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
});
