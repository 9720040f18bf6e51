// A person adds an address on a messaging app in a browser, proves it by its code, and removes it.
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const USER_KEY = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";

describe.skipIf(chromiumPath === null)("addresses in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("an address is added, confirmed by its code, and removed", async () => {
    const page = await stage.signIn("cleo@example.com", { viewport: { width: 390, height: 844 } });
    page.on("dialog", (dialog) => dialog.accept());
    await page.goto("/settings");
    await page.getByRole("link", { name: "Add Pushover" }).click();
    await page.getByLabel("User key").fill("too short");
    await page.getByRole("button", { name: "Add and send code" }).click();
    await page.getByText("User key must be 30 letters and digits.").waitFor();
    await saveScreenshot(page, "address-fault-390");
    await expectAccessible(page);
    await page.getByLabel("User key").fill(USER_KEY);
    await page.getByLabel("Name").fill("Cleo’s phone");
    await page.getByRole("button", { name: "Add and send code" }).click();
    await page.getByText("Code sent by Pushover.").waitFor();
    const panel = page.locator("#addresses");
    await panel.getByText("not confirmed").waitFor();
    await saveScreenshot(page, "address-code-390");
    const code = /^\d{6}/.exec(stage.textsTo(USER_KEY).at(-1)?.body ?? "")?.[0] ?? "";
    await page.getByLabel("Code sent to Cleo’s phone").fill(code);
    await page.getByRole("button", { name: "Confirm address" }).click();
    await panel.getByText("working").waitFor();
    expect(await page.content()).not.toContain(USER_KEY);
    await page.setViewportSize({ width: 1440, height: 900 });
    await saveScreenshot(page, "address-working-1440");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Remove address" }).click();
    await page.getByText("Address removed.").waitFor();
    expect(await panel.getByText("Cleo’s phone").count()).toBe(0);
  });
});
