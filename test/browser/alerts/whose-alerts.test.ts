// Whose alerts the list shows, how many there are of each, and the order of what needs somebody.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

const raise = (title: string, urgency: string, to: object): Promise<{ readonly id: string }> =>
  stage.api("POST", "/alerts", { title, urgency, ...to });

/** The number in each chip of a bar, by the chip's word. */
const numbersIn = async (page: Page, bar: string): Promise<Record<string, number>> => {
  const texts = await page.getByRole("navigation", { name: bar }).locator("a").allTextContents();
  return Object.fromEntries(
    texts.map((text) => [text.replace(/\s*\d*$/, ""), Number(/\d*$/.exec(text)?.[0])]),
  );
};

const titlesIn = (page: Page) => page.locator(".alert-title").allTextContents();

describe.skipIf(chromiumPath === null)("whose alerts the list shows", () => {
  onStage((opened) => {
    stage = opened;
  });
  beforeAll(() => stage.resolveAll());

  test("is chosen with numbers, remembered, and counted in the tab's title", async () => {
    const [ada = "", mo = ""] = stage.demo.account_user_ids;
    const members = { member_account_user_ids: [mo], admin_account_user_ids: [mo] };
    const policy = { escalation_policy_id: stage.demo.escalation_policy_id };
    const others = await stage.api("POST", "/teams", { name: "Others", ...policy, ...members });
    const made = [
      await raise("For me", "low", { destination_account_user_ids: [ada] }),
      await raise("For Mo", "high", { destination_account_user_ids: [mo] }),
      await raise("For nobody of mine", "critical", { destination_team_ids: [others.id] }),
      await raise("For my team", "medium", { destination_team_ids: [stage.demo.team_id] }),
    ];
    await stage.api("POST", `/alerts/${made[1]?.id}/acknowledge`);
    const page = await stage.signIn();
    await page.goto("/alerts");
    const { Mine = 0, "My teams": teams = 0, All: all = 0 } = await numbersIn(page, "Whose");
    expect(all).toBeGreaterThan(teams);
    expect(await numbersIn(page, "Status")).toMatchObject({ Active: teams });
    expect(await titlesIn(page)).not.toContain("For nobody of mine");
    await page.getByRole("link", { name: /^Mine/ }).click();
    await page.locator("[aria-current]", { hasText: "Mine" }).waitFor();
    await page.goto("/alerts");
    expect(await page.locator(".segments [aria-current]").textContent()).toBe(`Mine ${Mine}`);
    const mine = await titlesIn(page);
    expect(mine.filter((it) => made.length > 0 && it.startsWith("For "))).toEqual(
      // Ada has acknowledged what was for Mo, so it is hers, and last.
      ["For my team", "For me", "For Mo"],
    );
    const { Open = 0, Unanswered = 0 } = await numbersIn(page, "Status");
    await expect.poll(() => page.title()).toMatch(`(${Open + Unanswered}) Alerts`);
    await page
      .getByRole("link", { name: /^All \d/ })
      .last()
      .click();
    await page.getByRole("link", { name: "For nobody of mine" }).waitFor();
    const status = await numbersIn(page, "Status");
    expect(status.All).toBe((status.Active ?? 0) + (status.Resolved ?? 0));
    for (const { id } of made) await stage.api("POST", `/alerts/${id}/resolve`);
    await stage.api("DELETE", `/teams/${others.id}`);
  });

  test("a snoozed alert is called so, until when, and offers no acknowledgement", async () => {
    const alert = await stage.raise("Sleeps");
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await stage.api("POST", `/alerts/${alert.id}/snooze`, { until });
    const page = await stage.signIn();
    await page.goto("/alerts?scope=all&sort=newest");
    const row = page.locator(`#row-${alert.prefix_id}`);
    await row.getByText("snoozed", { exact: true }).waitFor();
    await row.getByText(/^snoozed until \d\d:\d\d$|^snoozed until \w+/).waitFor();
    expect(await row.getByRole("button").allTextContents()).toEqual(["Resolve"]);
    await stage.api("POST", `/alerts/${alert.id}/resolve`);
  });

  test("who is next is counted down", async () => {
    const alert = await stage.raise("Waits");
    const page = await stage.signIn();
    await page.goto("/alerts?scope=all");
    const left = page.locator(`#row-${alert.prefix_id} [data-left]`);
    const first = await left.textContent();
    expect(first).toMatch(/^in \d+ s$/);
    await expect.poll(() => left.textContent()).not.toBe(first);
    await stage.api("POST", `/alerts/${alert.id}/resolve`);
  });
});
