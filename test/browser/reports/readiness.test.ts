// A fire drill in a browser: started, answered and reported; and who can be reached.
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const HOUR_MS = 3_600_000;

/** A team with Ada on call now. A team has few drills an hour, and other files drill the demo's. */
async function makeTeam(name: string): Promise<string> {
  const [ada] = stage.demo.account_user_ids;
  const team = await stage.api("POST", "/teams", {
    name,
    escalation_policy_id: stage.demo.escalation_policy_id,
    member_account_user_ids: [ada],
    admin_account_user_ids: [ada],
  });
  await stage.api("POST", "/events", {
    start_datetime: new Date(Date.now() - HOUR_MS).toISOString(),
    end_datetime: new Date(Date.now() + 24 * HOUR_MS).toISOString(),
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [team.schedule_id],
    account_user_ids: [ada],
  });
  return team.id;
}

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
      await page.goto(`/readiness?view=drills&team=${await makeTeam(`Drilled at ${width}`)}`);
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
      await page.getByText("Nobody matches these filters").waitFor();
      expect(new URL(page.url()).searchParams.get("q")).toBe("nobody at all");
    },
  );
});
