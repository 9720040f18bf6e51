// The list of alerts with many of them: sorted, grouped, and answered several at once.
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible, expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, pressKey, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const statusOf = async (id: string) => (await stage.api("GET", `/alerts/${id}`)).status;

const raise = (title: string, urgency: string) =>
  stage.api("POST", "/alerts", {
    title,
    urgency,
    tags: ["many"],
    destination_team_ids: [stage.demo.team_id],
  });

describe.skipIf(chromiumPath === null)("the list of alerts in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  const variants = [
    ["light", 1440],
    ["dark", 390],
  ] as const;
  test.each(selectSome(variants, 1, 0))(
    "is sorted by urgency and grouped by title, and a group is resolved: %s, %i px",
    async (scheme, width) => {
      const marker = `${scheme} ${width}`;
      const first = await raise(`Disk full ${marker}`, "low");
      const second = await raise(`Out of memory ${marker}`, "critical");
      const third = await raise(`Disk full ${marker}`, "high");
      const page = await stage.signIn("ada@example.com", {
        colorScheme: scheme,
        viewport: { width, height: 900 },
      });
      await page.goto("/alerts?tag=many");
      if (width < 700) {
        expect(await page.getByLabel("Any team").isVisible()).toBe(false);
        await page.getByText("Search and filter").click();
        await saveScreenshot(page, `alerts-filters-${scheme}-${width}`);
      }
      await page.getByLabel("Search titles, tags and sources").fill(marker);
      await page.getByLabel("Newest first").selectOption("Most urgent first");
      await page.getByLabel("Not grouped").selectOption("Grouped by title");
      await page.getByRole("button", { name: "Apply" }).click();
      const headings = page.locator(".alert-group h2");
      await headings.first().waitFor();
      expect(await headings.allInnerTexts()).toEqual([
        `Out of memory ${marker} 1`,
        `Disk full ${marker} 2`,
      ]);
      await expectAccessible(page);
      await saveScreenshot(page, `alerts-grouped-${scheme}-${width}`);
      const bar = page.locator("#bulk");
      await page.locator(`#row-${first.prefix_id}`).getByRole("checkbox").check();
      await bar.getByText("1 alert selected").waitFor();
      await bar.getByRole("button", { name: "Select all 3" }).click();
      await bar.getByText("3 alerts selected").waitFor();
      await page.locator(`#row-${second.prefix_id}`).getByRole("checkbox").uncheck();
      await bar.getByText("2 alerts selected").waitFor();
      await saveScreenshot(page, `alerts-selected-${scheme}-${width}`);
      await bar.getByRole("button", { name: "Resolve" }).click();
      await page.getByText("2 alerts resolved.").waitFor();
      expect(await Promise.all([first, second, third].map(({ id }) => statusOf(id)))).toEqual([
        "resolved",
        "open",
        "resolved",
      ]);
    },
  );

  test("a question mark lists the keyboard shortcuts, and the keys rest while it is open", async () => {
    const alert = await raise("Behind the list of keys", "high");
    const page = await stage.signIn();
    await pressKey(page, "j");
    await pressKey(page, "?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Acknowledge the entry").waitFor();
    await expectNoViolations(page);
    await pressKey(page, "e");
    await pressKey(page, "Escape");
    await list.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await list.getByRole("button", { name: "Close" }).click();
    await list.waitFor({ state: "hidden" });
    expect(await statusOf(alert.id)).toBe("open");
  });
});
