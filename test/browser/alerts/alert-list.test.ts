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
      expect(await page.getByRole("button", { name: "Apply" }).isVisible()).toBe(false);
      await page.getByLabel("Search text, tags, IDs").fill(marker);
      await page.waitForURL(/q=/);
      // What has been typed so far is found, and the typing goes on.
      expect(await page.evaluate("document.activeElement.name")).toBe("q");
      const isWide = width >= 700;
      const view = isWide
        ? page.getByText("View", { exact: true })
        : page.locator(".folded > summary");
      if (isWide) await view.click();
      await page.getByLabel("20 rows").selectOption("100 rows");
      await page.waitForURL(/rows=100/);
      await view.click();
      await page.getByLabel("Not grouped").selectOption("Grouped by title");
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

  test("several are snoozed, handed off and merged", async () => {
    const made: any[] = [];
    for (const name of ["one", "two", "three"]) made.push(await raise(`Together ${name}`, "high"));
    const page = await stage.signIn();
    const bar = page.locator("#bulk");
    const select = async (alerts: typeof made) => {
      await page.goto("/alerts?q=together");
      for (const { prefix_id: id } of alerts)
        await page.locator(`#row-${id}`).getByRole("checkbox").check();
      await bar.getByText("Snooze, hand off, merge").click();
    };
    await select(made.slice(0, 2));
    await bar.getByLabel("Snooze for").selectOption("4 hours");
    await bar.getByRole("button", { name: "Snooze" }).click();
    await page.getByText("2 alerts snoozed.").waitFor();
    expect(await page.getByText(/^snoozed until/).count()).toBe(2);
    await select(made.slice(0, 2));
    await bar.getByRole("button", { name: "Hand off" }).click();
    await page.getByText("Choose a team or a person.").waitFor();
    await select(made.slice(0, 2));
    await bar.getByLabel("Hand off to").selectOption("Mo Mate");
    await expectAccessible(page);
    await bar.getByRole("button", { name: "Hand off" }).click();
    await page.getByText("2 alerts handed off.").waitFor();
    await select(made);
    await bar.getByRole("button", { name: "Merge into the first" }).click();
    await page.getByText("2 alerts merged into “Together one”.").waitFor();
    const statuses = await Promise.all(made.map(({ id }) => statusOf(id)));
    expect(statuses).toEqual(["open", "resolved", "resolved"]);
    await stage.api("POST", `/alerts/${made[0].id}/resolve`);
  });
});
