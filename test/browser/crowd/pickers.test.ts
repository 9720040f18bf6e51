// Picking people among two hundred: by typing, by the keyboard, and without scripts.
import { describe, expect, test } from "vitest";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";
import { crowdName } from "./crowd-rows.ts";

let stage: Stage;

describe.skipIf(chromiumPath === null)("picking among 200 people", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("finds people while somebody types, with the keyboard alone", async () => {
    const page = await stage.signIn("cleo@example.com", { viewport: { width: 390, height: 800 } });
    await page.goto("/teams/new");
    expect(await page.locator("input").count()).toBeLessThan(40);
    await page.getByLabel("Name", { exact: true }).fill("Night watch");
    const members = page.getByRole("combobox", { name: "Search: Members" });
    await members.fill(crowdName(41));
    const option = page.getByRole("option", { name: crowdName(41) });
    await option.waitFor();
    await saveScreenshot(page, "picker-open-390");
    await expectNoViolations(page);
    await members.press("Escape");
    await option.waitFor({ state: "hidden" });
    await members.press("ArrowDown");
    await option.waitFor();
    await members.press("Enter");
    expect(await page.getByRole("checkbox", { name: crowdName(41) }).isChecked()).toBe(true);
    // Enter before the list is there picks the first that is found, and never submits.
    await members.fill(crowdName(7));
    await members.press("Enter");
    await page.getByRole("checkbox", { name: crowdName(7) }).waitFor();
    await members.fill("nobody of this name");
    await page.getByText("Nothing found.").last().waitFor();
    const schedule = page.getByRole("combobox", { name: "Schedule" });
    await schedule.fill("Team 12");
    await page.getByRole("option", { name: /^Team 12 / }).click();
    expect(await schedule.inputValue()).toMatch(/^Team 12 /);
    await page.getByRole("button", { name: "Create team" }).click();
    await page.getByText("Team created.").waitFor();
    await page.getByText("Team settings").click();
    for (const at of [7, 41]) {
      expect(await page.getByRole("checkbox", { name: crowdName(at) }).isChecked()).toBe(true);
    }
    expect(await page.getByRole("combobox", { name: "Schedule" }).inputValue()).toMatch(
      /^Team 12 /,
    );
  });

  test("searches by a button without scripts, and loses nothing of the form", async () => {
    const page = await stage.signIn("cleo@example.com", { javaScriptEnabled: false });
    await page.goto("/teams/new");
    await page.getByLabel("Name", { exact: true }).fill("Day watch");
    await page.getByLabel("Search: Members").fill(crowdName(100));
    const search = page.locator("button[name=find][value=member_account_user_ids]");
    await search.click();
    await page.getByLabel(crowdName(100)).check();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Day watch");
    await page.getByRole("button", { name: "Create team" }).click();
    // The search is still filled in, and its button is the form's first.
    await page.getByText("Team created.").waitFor();
    expect(await page.getByLabel(crowdName(100)).isChecked()).toBe(true);
  });

  test("lists are searched, sorted and paged by their address", async () => {
    const page = await stage.signIn("cleo@example.com");
    await page.goto("/people");
    await page.getByText("1–25 of 200").waitFor();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("26–50 of 200").waitFor();
    await page.getByRole("columnheader", { name: "Name" }).getByRole("link").click();
    await page.locator('th[aria-sort="descending"]').waitFor();
    await page.getByLabel("Search people").fill("okafor ana");
    await page.waitForURL(/q=okafor/);
    expect(new URL(page.url()).searchParams.get("direction")).toBe("desc");
    const rows = await page.locator("tbody tr").allTextContents();
    expect(rows.every((row) => /okafor/i.test(row) && /ana/i.test(row))).toBe(true);
    expect(rows.length).toBeGreaterThan(1);
    await page.goto("/people?q=zzz");
    await page.getByText("No people match “zzz”").waitFor();
    await expectNoViolations(page);
  });
});
