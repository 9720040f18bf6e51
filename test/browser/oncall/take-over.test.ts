// A member takes a shift of a colleague onto themselves, in two clicks; the colleague undoes it.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { signInColleague } from "../colleague.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

const MOST_CLICKS = 2;

/** A function that clicks a button and counts the clicks. */
function clickerOf(page: Page) {
  let clicks = 0;
  return {
    click: async (name: string, within: ReturnType<Page["locator"]> = page.locator("main")) => {
      clicks += 1;
      await within.getByRole("button", { name, exact: true }).click();
    },
    clicks: () => clicks,
  };
}

async function onCallAt(scheduleId: string, at: number): Promise<string[]> {
  const window = `start=${iso(at)}&end=${iso(at + 1)}`;
  const entries = await stage.api("GET", `/schedules/${scheduleId}/window_events?${window}`);
  return entries.flatMap((it: any) => it.attendees.map((one: any) => one.attendee_id));
}

describe.skipIf(chromiumPath === null)("taking over in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("takes two clicks, from On call now and on a shift's page, and is undone", async () => {
    const [ada = ""] = stage.demo.account_user_ids;
    const { id: tara, page } = await signInColleague(stage, "Tara Takes");
    const name = `Relieved ${crypto.randomUUID()}`;
    const team = await stage.api("POST", "/teams", {
      ...{ name, member_account_user_ids: [tara], admin_account_user_ids: [ada] },
    });
    const start = Math.floor(Date.now() / HOUR) * HOUR;
    const event = await stage.api("POST", "/events", {
      ...{ start_datetime: iso(start), end_datetime: iso(start + DAY), layer: 1, time_zone: "UTC" },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
      ...{ schedule_ids: [team.schedule_id], account_user_ids: [ada] },
    });

    await page.goto(`/on-call?q=${encodeURIComponent(name)}`);
    await expectAccessible(page);
    const running = clickerOf(page);
    await running.click("Take this shift");
    await page.getByText("You are on call instead of Ada Keeper, from now until").waitFor();
    await page.locator("svg .plan-name").first().waitFor();
    await expectAccessible(page);
    await saveScreenshot(page, "take over");
    await running.click("Take this shift");
    await page.getByText("Shift taken.").waitFor();
    expect(running.clicks()).toBe(MOST_CLICKS);
    expect(await onCallAt(team.schedule_id, Date.now())).toEqual([tara]);

    const tomorrow = start + DAY;
    await page.goto(`/events/${event.id}?at=${iso(tomorrow)}&schedule=${team.schedule_id}`);
    const coming = clickerOf(page);
    await coming.click("Take this shift");
    await page.getByRole("heading", { name: "Take this shift" }).waitFor();
    await coming.click("Take this shift");
    await page.getByText("Shift taken.").waitFor();
    expect(coming.clicks()).toBe(MOST_CLICKS);
    expect(await onCallAt(team.schedule_id, tomorrow)).toEqual([tara]);

    const taken = await stage.api("GET", `/schedules/${team.schedule_id}/events?limit=100`);
    const override = taken.data.find(
      (it: any) => it.parent_id && Date.parse(it.start_datetime) === tomorrow,
    );
    await page.goto(`/events/${override.id}?at=${iso(tomorrow)}&schedule=${team.schedule_id}`);
    await page.getByText("Tara Takes took over this shift.").waitFor();
    const undoing = clickerOf(page);
    await undoing.click("Undo");
    await undoing.click("Confirm undo");
    await page.getByText("Change undone.").waitFor();
    expect(await onCallAt(team.schedule_id, tomorrow)).toEqual([ada]);
  });
});
