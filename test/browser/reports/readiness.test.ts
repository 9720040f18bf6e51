// A fire drill in a browser: started, answered and reported; and who can be reached.
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

/** A colour scheme, and a width: one of them under `npm test`. */
const VARIANTS = [
  ["light", 390],
  ["dark", 1440],
] as const;

describe.skipIf(chromiumPath === null)("readiness in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(selectSome(VARIANTS, 1, 1))(
    "a drill is started, answered and reported: %s, %i px",
    async (colorScheme, width) => {
      const viewport = { width, height: 844 };
      const page = await stage.signIn("ada@example.com", { colorScheme, viewport });
      await page.routeWebSocket("**/live*", (socket) => socket.close());
      page.on("dialog", (dialog) => dialog.accept());
      // Other files' teams may come first in the list, and have nobody on call.
      await page.goto(`/drills?team=${stage.demo.team_id}`);
      await page.getByLabel("Title").fill(`Paging ${width}`);
      await saveScreenshot(page, `drills-${width}`);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Start drill" }).click();
      await page.getByRole("heading", { name: `DRILL: Paging ${width}` }).waitFor();
      await page.getByText("running").waitFor();
      await page.getByRole("link", { name: "Open alert" }).click();
      await page.getByRole("button", { name: "Acknowledge" }).first().click();
      await page.getByRole("link", { name: "Drill report" }).click();
      await page.getByText("Acknowledged by").waitFor();
      await saveScreenshot(page, `drill-${width}`);
      await expectAccessible(page);

      await page.goto("/readiness");
      await page.getByRole("row", { name: /Ada/ }).waitFor();
      await saveScreenshot(page, `readiness-${width}`);
      await expectAccessible(page);
      await page.getByRole("searchbox", { name: "Search people" }).fill("nobody at all");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByText("Nobody matches these filters").waitFor();
      expect(new URL(page.url()).searchParams.get("q")).toBe("nobody at all");
    },
  );
});
