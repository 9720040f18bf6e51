// Home in its first second: what burns is on the screen, and is acknowledged in place.
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { chromiumPath } from "./chromium.ts";
import { onStage, type Stage, saveScreenshot } from "./harness.ts";

let stage: Stage;

/** Where the first alert may begin, from the top of the page (px, at 1440 x 900). */
const MAX_TOP = 200;

describe.skipIf(chromiumPath === null)("home", () => {
  onStage((opened) => {
    stage = opened;
  });
  beforeAll(() => stage.resolveAll());

  test.each(["light", "dark"] as const)(
    "what burns is in sight at both widths: %s",
    async (colorScheme) => {
      for (const title of ["Shop is down", "Queue is long", "Disk is full"])
        await stage.raise(title);
      const viewport = { width: 1440, height: 900 };
      const page = await stage.signIn("ada@example.com", { colorScheme, viewport });
      await page.goto("/");
      await page.waitForLoadState();
      await expectAccessible(page);
      await saveScreenshot(page, `home-${colorScheme}-1440`);
      expect(await page.locator(".news button").isVisible()).toBe(false);
      const rows = page.locator(".alerts > .alert");
      expect((await rows.first().boundingBox())?.y).toBeLessThanOrEqual(MAX_TOP);
      await page.setViewportSize({ width: 390, height: 844 });
      await saveScreenshot(page, `home-${colorScheme}-390`);
      await expectAccessible(page);
      const foot = (await page.locator(".navigation").boundingBox())?.y ?? 0;
      const third = await rows.nth(2).boundingBox();
      expect((third?.y ?? foot) + (third?.height ?? 0)).toBeLessThanOrEqual(foot);
    },
  );

  test("an alert is acknowledged in place, and a new one appears by itself", async () => {
    const page = await stage.signIn();
    await page.goto("/");
    const { prefix_id: id } = await stage.api("POST", "/alerts", {
      ...{ title: "Lamp is out", urgency: "critical" },
      destination_team_ids: [stage.demo.team_id],
    });
    const row = page.locator(`#row-${id}`);
    await row.getByRole("button", { name: "Acknowledge" }).click();
    await row.locator(".badge", { hasText: "acknowledged" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
  });
});
