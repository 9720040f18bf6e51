// A cover in a browser: from a person's page, over what it changes, to the schedule, and back.
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

/** Creates a schedule on which Ada is on call for a day in March. */
async function makeShift(): Promise<string> {
  const { id } = await stage.api("POST", "/schedules", { name: "Covered" });
  await stage.api("POST", "/events", {
    start_datetime: "2027-03-01T00:00:00Z",
    end_datetime: "2027-03-02T00:00:00Z",
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [id],
    account_user_ids: [stage.demo.account_user_ids[0]],
  });
  return id;
}

/** A colour scheme, and a width: one of them under `npm test`. */
const VARIANTS = [
  ["light", 1280],
  ["dark", 375],
] as const;

describe.skipIf(chromiumPath === null)("covers in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(selectSome(VARIANTS, 1, 0))(
    "cover a person, see the change, and take it back: %s, %i px",
    async (colorScheme, width) => {
      const scheduleId = await makeShift();
      const [ada] = stage.demo.account_user_ids;
      const page = await stage.signIn("ada@example.com", {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.goto(`/people/${ada}`);
      await page.getByRole("link", { name: /^Cover / }).click();
      await page.getByLabel("From", { exact: true }).fill("2027-03-01T08:00");
      await page.getByLabel("Until").fill("2027-03-01T12:00");
      await page.getByLabel("Covered by").selectOption("nobody");
      // Other tests leave their schedules: among many, one is searched for.
      const search = page.getByRole("combobox", { name: "Search: Schedules" });
      if ((await search.count()) > 0) {
        await search.fill("Covered");
        await page.getByRole("option", { name: "Covered", exact: true }).click();
      } else {
        await page.getByText("Covered", { exact: true }).click();
      }
      await expectAccessible(page);
      await page.getByRole("button", { name: "Show changes" }).click();
      await page.getByRole("heading", { name: "Confirm cover" }).waitFor();
      await page.getByRole("table", { name: "Changes in Covered" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Confirm cover" }).click();
      await page.getByText("Cover created.").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Covers", exact: true }).first().click();
      await page.getByRole("heading", { name: "Covers" }).waitFor();
      await expectAccessible(page);
      await page.goBack();
      await page.getByRole("button", { name: "Take cover back" }).click();
      await page.getByRole("heading", { name: "Take cover back" }).waitFor();
      await page.getByRole("button", { name: "Take cover back" }).click();
      await page.getByText("Cover deleted.").waitFor();
      const window = "start=2027-03-01 00:00:00&end=2027-03-02 00:00:00";
      const shifts = await stage.api("GET", `/schedules/${scheduleId}/window_events?${window}`);
      expect(shifts).toHaveLength(1);
      await stage.api("DELETE", `/schedules/${scheduleId}`);
    },
    240_000,
  );
});
