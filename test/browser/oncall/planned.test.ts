// A rotation with a parental leave that is planned: somebody joins before, and stays out of the leave.
import { describe, expect, test } from "vitest";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const DAY_MS = 86_400_000;
const NAMES = ["Mia Leave", "Kim Stays", "Lou Stays", "Zoe Joins"];

/** 09:00 UTC on the Monday that is some weeks after the next one. */
function monday(weeks: number): Date {
  const today = Math.floor(Date.now() / DAY_MS);
  const next = today + 7 - ((today + 3) % 7);
  return new Date((next + 7 * weeks) * DAY_MS + 9 * 3_600_000);
}

/** A weekly rotation of three; the first is away from the fifth Monday to the twentieth. */
async function makeRotation() {
  const ids: string[] = [];
  for (const name of NAMES) {
    const email = `${name.toLowerCase().replace(" ", ".")}.${crypto.randomUUID()}@example.com`;
    const user_attributes = { name, emails_attributes: [{ email }] };
    ids.push((await stage.api("POST", "/account_users", { user_attributes })).id);
  }
  const team = await stage.api("POST", "/teams", {
    name: `Leave ${crypto.randomUUID()}`,
    member_account_user_ids: ids,
    admin_account_user_ids: [stage.demo.account_user_ids[0]],
  });
  const event = await stage.api("POST", "/events", {
    start_datetime: "2026-01-05T09:00:00Z",
    end_datetime: "2026-01-12T09:00:00Z",
    ...{ layer: 1, time_zone: "UTC", repeat: true, rotation: true },
    ...{ frequency: 1, frequency_unit: "weekly", schedule_ids: [team.schedule_id] },
    account_user_ids: ids.slice(0, 3),
  });
  for (const [people, weeks] of [
    [ids.slice(1, 3), 5],
    [ids.slice(0, 3), 20],
  ] as const) {
    const body = { account_user_ids: people, effective_at: monday(weeks).toISOString() };
    await stage.api("PUT", `/events/${event.id}`, body);
  }
  return { event, ids, scheduleId: team.schedule_id as string };
}

describe.skipIf(chromiumPath === null)("planned changes of people", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("are listed, drawn, kept when somebody joins, and removed one by one", async () => {
    const { event, ids, scheduleId } = await makeRotation();
    const page = await stage.signIn();
    await page.goto(`/events/${event.id}?change=edit&schedule=${scheduleId}`);
    await page.locator("form[data-live]").waitFor();
    const planned = page.locator("#planned");
    await planned.getByText(/^From .* 09:00: without Mia Leave$/).waitFor();
    await planned.getByText(/^From .* 09:00: Mia Leave joins$/).waitFor();
    await page.getByRole("button", { name: "Add Zoe Joins" }).click();
    await page.getByLabel("Takes effect").selectOption("date");
    const joins = monday(3).toISOString();
    await page.getByLabel("Time", { exact: true }).fill(joins.slice(0, 16));
    await page.locator("#plan").getByText("Changes against today").waitFor();
    await saveScreenshot(page, "planned changes in the editor");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Changes saved.").waitFor();
    const { rosters } = await stage.api("GET", `/events/${event.id}`);
    const served = rosters.map((it: any) => it.positions.flat());
    const [, kim, lou, zoe] = ids;
    expect(served).toEqual([ids.slice(0, 3), ids, [kim, lou, zoe], ids]);
    await page.goto(`/events/${event.id}?schedule=${scheduleId}`);
    await planned.getByText(/^From .* 09:00: Zoe Joins joins/).waitFor();
    await saveScreenshot(page, "planned changes on the event's page");
    await expectNoViolations(page);
    await planned.getByRole("button", { name: "Remove" }).first().click();
    await page.getByRole("heading", { name: "Remove planned change" }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Remove planned change" }).click();
    await page.getByText("Planned change removed.").waitFor();
    const left = await stage.api("GET", `/events/${event.id}`);
    expect(left.rosters.map((it: any) => it.positions.flat())).toEqual([
      ids.slice(0, 3),
      [kim, lou],
      ids.slice(0, 3),
    ]);
  });
});
