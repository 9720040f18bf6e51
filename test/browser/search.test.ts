// The search over everything: by the keyboard from any page, by the form without scripts, and on its page.
import { describe, expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { chromiumPath } from "./chromium.ts";
import { onStage, pressKey, type Stage, saveScreenshot } from "./harness.ts";

let stage: Stage;

describe.skipIf(chromiumPath === null)("one search over everything", () => {
  onStage((opened) => {
    stage = opened;
  });

  const field = { name: "Search everything" };

  test("Ctrl+K searches from any page; arrows, Enter and Escape", async () => {
    const alert = await stage.raise("Chiller of the hall at Gdańsk is too warm");
    const page = await stage.signIn();
    await page.goto("/reports");
    await pressKey(page, "Control+k");
    const search = page.getByRole("combobox", field);
    const list = page.getByRole("listbox", field);
    await list.getByRole("option", { name: "Create alert" }).waitFor();
    await page.keyboard.press("Escape");
    expect([await list.isVisible(), page.url()]).toEqual([
      false,
      expect.stringMatching("/reports"),
    ]);
    await page.keyboard.type("gdansk chiller");
    await list.getByRole("option", { name: "Gdańsk" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    expect(await search.getAttribute("aria-activedescendant")).not.toBe(null);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/alerts/${alert.prefix_id}`);
    // From inside a field, too; and what nothing is marked of leads to the page.
    await page.goto("/alerts");
    await pressKey(page, "/");
    expect(await page.evaluate("document.activeElement.closest('.filters') !== null")).toBe(true);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("gdansk");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/search?q=gdansk");
    await expectAccessible(page);
    await page.goto("/configuration");
    await pressKey(page, "/");
    await page.keyboard.type("routers");
    await list.locator("[aria-selected=true]").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/routers");
  });

  test("on a telephone it takes the bar, in the dark, without scripts it is a form", async () => {
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;
    const page = await stage.signIn("cleo@example.com", phone);
    const search = page.getByRole("combobox", field);
    await search.click();
    await page.getByRole("option", { name: "My shifts" }).waitFor();
    const box = await search.boundingBox();
    expect(box?.width).toBeGreaterThan(340);
    await expectAccessible(page);
    await saveScreenshot(page, "search-phone");
    await page.keyboard.press("Escape");
    const plain = await stage.signIn("cleo@example.com", { ...phone, javaScriptEnabled: false });
    await plain.getByRole("searchbox", field).fill("shifts");
    await plain.keyboard.press("Enter");
    await plain.waitForURL("**/search?q=shifts");
    await plain.getByRole("link", { name: "My shifts" }).click();
    await plain.waitForURL("**/absences");
  });
});
