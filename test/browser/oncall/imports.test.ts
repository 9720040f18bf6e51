// A calendar file that is chosen in a browser becomes shifts, and absences warn of them.
import { describe, expect, test } from "vitest";
import { newCalendar, utc } from "../../support/oncall/calendars.ts";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.skipIf(chromiumPath === null)("calendars in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("a file is imported into a schedule, and an absence warns of its shifts", async () => {
    const { id } = await stage.api("POST", "/schedules", { name: "Imported" });
    const mo = await stage.api("GET", `/account_users/${stage.demo.account_user_ids[1]}`);
    const day = Math.floor(Date.now() / DAY + 2) * DAY;
    const shift = {
      dtstart: utc(day + 9 * HOUR),
      dtend: utc(day + 17 * HOUR),
      summary: `On call: ${mo.user.emails[0].email}`,
    };
    const ical = newCalendar([shift, { summary: "Somebody who left" }]);
    const page = await stage.signIn();
    await page.goto(`/schedules/${id}`);
    await page.getByRole("link", { name: "Import calendar" }).click();
    await page.getByLabel("Name", { exact: true }).fill("PagerDuty primary");
    await page.getByLabel("Choose a file").setInputFiles({
      name: "rota.ics",
      mimeType: "text/calendar",
      buffer: Buffer.from(ical),
    });
    await expect
      .poll(() => page.getByLabel("or iCal text").inputValue())
      .toContain("BEGIN:VCALENDAR");
    await saveScreenshot(page, "import-form");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Create calendar import" }).click();
    await page.getByText("The calendar has 1 shift of people of this account.").waitFor();
    await page.getByRole("heading", { name: "Confirm calendar import" }).waitFor();
    await saveScreenshot(page, "import-confirmation");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Save calendar import" }).click();
    await page.getByText("Calendar import created.").waitFor();
    await page.getByText("1 without a known person").click();
    await page.getByText("Somebody who left").waitFor();
    await stage.api("POST", "/absences", {
      account_user_id: mo.id,
      start_datetime: new Date(day).toISOString(),
      end_datetime: new Date(day + DAY).toISOString(),
      reason: "Holidays",
    });
    await page.goto(`/schedules/${id}`);
    await page.getByText("Shifts of people who are away.").waitFor();
    await saveScreenshot(page, "imports");
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Who takes it?" }).first().click();
    await page.getByRole("heading", { name: `Absence of ${mo.user.name}` }).waitFor();
    await expectNoViolations(page);
    page.on("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("Absence taken back.").waitFor();
    await page.getByRole("link", { name: "Calendars" }).click();
    await page.getByRole("link", { name: "Add absence calendar" }).click();
    await page.getByLabel("Name").fill("Holidays in Bavaria");
    const region = page.getByRole("combobox", { name: "or public holidays of" });
    await region.fill("bayern");
    await page.getByRole("option", { name: "Germany, Bayern", exact: true }).click();
    await page.getByRole("button", { name: "Create absence calendar" }).click();
    await page.getByText("Public holidays: Germany, Bayern").waitFor();
    await saveScreenshot(page, "calendars");
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Holidays in Bavaria" }).click();
    expect(await region.inputValue()).toBe("Germany, Bayern");
    await saveScreenshot(page, "absence-calendar");
    await expectNoViolations(page);
    await region.fill("japan");
    await page.getByRole("option", { name: "Japan", exact: true }).click();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Public holidays: Japan").waitFor();
    await page.goto("/absences");
    await page.getByText("Coming of Age Day").first().waitFor();
    await page.goto(`/schedules/${id}`);
    await page.getByRole("link", { name: "PagerDuty primary" }).click();
    await page.getByRole("button", { name: "Delete calendar import" }).click();
    await page.getByRole("heading", { name: "Delete calendar import" }).waitFor();
    await saveScreenshot(page, "import-removal");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Delete calendar import" }).click();
    await page.getByText("Calendar import deleted.").waitFor();
  });
});
