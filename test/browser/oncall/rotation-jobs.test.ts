// Jobs of an admin with rotations in a browser, each with the number of interactions that it takes:
// a click, or a field that is filled in.
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { crowdName } from "../crowd/crowd-rows.ts";
import { Hands } from "../hands.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const DAY_MS = 86_400_000;
const THREE = ["Ada Keeper", "Mo Mate", "Bea Six"];

/** The ids of people by name; those who are missing are created. */
async function peopleNamed(names: readonly string[]): Promise<string[]> {
  const { data } = await stage.api("GET", "/account_users?limit=100");
  const ids = new Map<string, string>(data.map((it: any) => [it.user.name, it.id]));
  for (const name of names) {
    if (ids.has(name)) continue;
    const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
    const made = await stage.api("POST", "/account_users", {
      user_attributes: { name, emails_attributes: [{ email }] },
    });
    ids.set(name, made.id);
  }
  return names.map((name) => ids.get(name) ?? "");
}

/** A team of three, with the schedule that it gets. */
async function makeTeam(): Promise<{ scheduleId: string; name: string; ids: readonly string[] }> {
  const ids = await peopleNamed(THREE);
  const name = `Team ${crypto.randomUUID().slice(0, 8)}`;
  const { schedule_id: scheduleId } = await stage.api("POST", "/teams", {
    ...{ name, member_account_user_ids: ids, admin_account_user_ids: [ids[0]] },
  });
  return { scheduleId, name, ids };
}

const coverageOf = async (scheduleId: string) => {
  const [start, end] = [1, 300].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  return (await stage.api("GET", `/schedules/${scheduleId}/coverage?start=${start}&end=${end}`))
    .layers;
};

const editor = (page: Page) => page.locator("form[data-live]").waitFor();
const part = (page: Page, at: number) => page.locator(".part").nth(at);

/** A new schedule of the account's own, opened; it takes four interactions. */
async function createSchedule(page: Page, hands: Hands): Promise<string> {
  await hands.link("On call");
  await hands.click(page.getByText("Schedules and policies of several teams"));
  await hands.fill("Name", `Schedule ${crypto.randomUUID().slice(0, 8)}`);
  await hands.button("Create schedule");
  await page.getByText("No shifts yet").waitFor();
  const prefixId = new URL(page.url()).pathname.split("/")[2];
  return (await stage.api("GET", `/schedules/${prefixId}`)).id;
}

describe.skipIf(chromiumPath === null)("with rotations", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("weekdays and weekends on two layers take fewer than 30 interactions", async () => {
    await peopleNamed(THREE);
    const page = await stage.signIn();
    const hands = new Hands(page);
    const id = await createSchedule(page, hands);
    await hands.link("Weekdays and weekends");
    await editor(page);
    await hands.addPeople(THREE, part(page, 0));
    await hands.addPeople(THREE.toReversed(), part(page, 1));
    await saveScreenshot(page, "weekdays-and-weekends");
    await expectNoViolations(page);
    await hands.button("Add rotation");
    await page.getByText("2 rotations added.").waitFor();
    // Both rotations are copied, each a turn ahead.
    for (const hours of ["Mon 09:00 – Fri 17:00", "Fri 17:00 – Mon 09:00"]) {
      await hands.link("Copy", page.getByRole("row").filter({ hasText: hours }).first());
      await editor(page);
      await page.getByRole("heading", { name: "Copy rotation" }).waitFor();
      expect(await page.getByLabel("Step", { exact: true }).inputValue()).toBe("2");
      // Beside the layer that is there.
      await page.locator("#plan").getByText("Step 1:").waitFor();
      await page.locator("#plan").getByText("Step 2:").waitFor();
      await saveScreenshot(page, "copied-rotation");
      await hands.button("Add rotation");
      await page.getByText("Rotation added.").waitFor();
    }
    expect(hands.interactions).toBeLessThan(30);
    expect(hands.interactions).toBe(16);
    const layers = await coverageOf(id);
    for (const layer of layers) {
      expect(layer).toMatchObject({ share: 1, gaps: [], overlaps: [] });
    }
    expect(layers.map(({ layer }: any) => layer)).toEqual([1, 2]);
    const [start, end] = [0, 60].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
    const entries: any[] = await stage.api(
      "GET",
      `/schedules/${id}/window_events?start=${start}&end=${end}`,
    );
    const who = (layer: number, at: number) =>
      entries
        .filter((it) => it.layer === layer)
        .find((it) => Date.parse(it.start_time) <= at && at < Date.parse(it.end_time))
        ?.attendees.map(({ attendee_id }: any) => attendee_id)
        .join();
    for (let days = 0.5; days < 59; days++) {
      const at = Date.now() + days * DAY_MS;
      expect(who(1, at), "nobody is on both layers at once").not.toBe(who(2, at));
    }
  });

  test("hours from a weekday and time to another are four fields", async () => {
    const { scheduleId } = await makeTeam();
    const page = await stage.signIn();
    const hands = new Hands(page);
    await page.goto(`/schedules/${scheduleId}/rotations/new`);
    await editor(page);
    await page.getByRole("button", { name: "Add Bea Six" }).click();
    await hands.select("Hours on call", "span");
    await hands.select("From day", "2");
    await hands.fill("From time", "08:00");
    await hands.select("Until day", "4");
    await hands.fill("Until time", "18:30");
    await saveScreenshot(page, "hours-of-a-span");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Add rotation", exact: true }).click();
    await page.getByText("Rotation added.").waitFor();
    const { data } = await stage.api("GET", `/schedules/${scheduleId}/events`);
    expect(data[0].restrictions).toEqual([
      { days_of_week: [2, 3], start_time: "08:00", end_time: "08:00" },
      { days_of_week: [4], start_time: "08:00", end_time: "18:30" },
    ]);
    await page.goto(`/events/${data[0].id}?change=edit`);
    await editor(page);
    expect(await page.getByLabel("Until time").inputValue()).toBe("18:30");
  });

  test("regions that follow the sun say where they meet, and the schedule who uses it", async () => {
    await peopleNamed(THREE);
    const page = await stage.signIn();
    const hands = new Hands(page);
    const id = await createSchedule(page, hands);
    await hands.link("Follow the sun: three regions");
    await editor(page);
    for (const [at, name] of THREE.entries()) {
      const others = THREE.filter((it) => it !== name);
      await hands.addPeople([name, ...others], part(page, at));
    }
    const plan = page.locator("#plan");
    await plan
      .getByText(/^Region \d and Region \d are on call together/)
      .first()
      .waitFor();
    await saveScreenshot(page, "follow-the-sun");
    await expectNoViolations(page);
    // A region's own hours leave a gap, which is said before anything is saved.
    await part(page, 2).getByLabel("Hours on call").selectOption("own");
    await plan
      .getByText(/^Nobody is on call, in London: \d\d:\d\d–\d\d:\d\d/)
      .first()
      .waitFor();
    await saveScreenshot(page, "follow-the-sun-with-a-gap");
    await part(page, 2).getByLabel("Hours on call").selectOption("share");
    await plan
      .getByText(/^Nobody is on call, in/)
      .first()
      .waitFor({ state: "detached" });
    await hands.button("Add rotation");
    await page.getByText("3 rotations added.").waitFor();
    expect(hands.interactions).toBeLessThanOrEqual(15);
    await page.getByText("No team uses this schedule.").waitFor();
    await saveScreenshot(page, "schedule-without-a-team");
    await expectNoViolations(page);
    const [first] = await coverageOf(id);
    expect(first).toMatchObject({ layer: 1, share: 1, gaps: [] });
    const { name, scheduleId } = await makeTeam();
    await page.goto(`/schedules/${scheduleId}`);
    await page.locator(".lead").getByText(`Used by ${name}`).waitFor();
    expect(await page.getByText("No team uses this schedule.").count()).toBe(0);
  });

  test("all members of the schedule's team are added at once", async () => {
    const { scheduleId, name, ids } = await makeTeam();
    const page = await stage.signIn();
    const hands = new Hands(page);
    await page.goto(`/schedules/${scheduleId}`);
    await hands.link("Weekly");
    await editor(page);
    await hands.click(page.getByRole("button", { name: `Add all of ${name} (3)` }));
    await page.locator("[data-position]").nth(2).waitFor();
    await page.locator("#plan .legend .who").nth(2).waitFor();
    await saveScreenshot(page, "all-of-a-team");
    await hands.button("Add rotation");
    await page.getByText("Rotation added.").waitFor();
    expect(hands.interactions).toBe(3);
    const { data } = await stage.api("GET", `/schedules/${scheduleId}/events`);
    expect(data[0].account_user_ids.toSorted()).toEqual(ids.toSorted());
  });

  test("the editor shows each person's hours before it saves", async () => {
    const { scheduleId, ids } = await makeTeam();
    const monday = Math.floor((Date.now() / DAY_MS - 4) / 7) * 7 + 4;
    const event = await stage.api("POST", "/events", {
      start_datetime: new Date((monday - 70) * DAY_MS).toISOString(),
      end_datetime: new Date((monday - 63) * DAY_MS).toISOString(),
      ...{ layer: 1, time_zone: "UTC", repeat: true, rotation: true },
      ...{ frequency: 1, frequency_unit: "weekly", schedule_ids: [scheduleId] },
      account_user_ids: ids.slice(0, 2),
    });
    const page = await stage.signIn();
    await page.goto(`/events/${event.id}?change=edit&schedule=${scheduleId}`);
    await editor(page);
    await page.getByRole("button", { name: "Add Bea Six" }).click();
    const hours = page.getByRole("table", { name: "Hours on call of each person" });
    const row = hours.getByRole("row", { name: /Bea Six/ });
    await row.waitFor();
    const [before, after] = (await row.getByRole("cell").allInnerTexts()).slice(-2);
    expect(Number(before)).toBe(0);
    expect(Number(after)).toBeGreaterThan(100);
    await saveScreenshot(page, "hours-in-the-editor");
    await expectNoViolations(page);
    expect((await stage.api("GET", `/events/${event.id}`)).positions).toHaveLength(2);
  });

  test("a new schedule has no gaps, and one that has lost its shifts has", async () => {
    const { scheduleId, ids } = await makeTeam();
    const page = await stage.signIn();
    await page.goto(`/schedules/${scheduleId}/rotations/new`);
    await editor(page);
    await page.getByRole("button", { name: "Add Ada Keeper" }).click();
    await page.getByRole("button", { name: "Add Mo Mate" }).click();
    await page.getByRole("button", { name: "Add rotation", exact: true }).click();
    await page.getByText("Rotation added.").waitFor();
    await page.getByText("Steps 2 and 3 have no shifts.").waitFor();
    await page.locator(".ec-event.turn").first().waitFor();
    expect(await page.getByText("Coverage gaps.").count()).toBe(0);
    expect(await page.locator(".ec-event.gap").count()).toBe(0);
    await saveScreenshot(page, "schedule-that-is-new");
    await expectNoViolations(page);
    const { data } = await stage.api("GET", `/schedules/${scheduleId}/events`);
    await stage.api("DELETE", `/events/${data[0].id}`);
    expect(ids).toHaveLength(3);
    await page.reload();
    await page.getByText("Coverage gaps.").waitFor();
    await page.locator(".ec-event.gap").first().waitFor();
    await saveScreenshot(page, "schedule-that-lost-its-shifts");
  });

  test.each([1280, 390])("no two of a rotation have the same colour, at %d px", async (width) => {
    const viewport = { width, height: 900 };
    const page = await stage.signIn("cleo@example.com", { viewport });
    await page.goto("/on-call");
    await page.getByText("Schedules and policies of several teams").click();
    await page.getByLabel("Name", { exact: true }).fill(`Crowd ${width}`);
    await page.getByRole("button", { name: "Create schedule" }).click();
    await page.getByRole("link", { name: "Daily", exact: true }).click();
    await editor(page);
    // Of 200 people, so many that some have the same colour of their own.
    const rotation = Array.from({ length: 14 }, (_, at) => crowdName(at * 13));
    await new Hands(page).addPeople(rotation, part(page, 0));
    const plan = page.locator("#plan");
    await plan.locator(".legend .who").nth(13).waitFor();
    const classesOf = (swatches: Locator) =>
      swatches.evaluateAll((all) => all.map(({ className }) => className.match(/who-\d+/)?.[0]));
    const legend = await classesOf(plan.locator(".legend .swatch"));
    expect(new Set(legend).size).toBe(14);
    const listed = async () => (await classesOf(page.locator("[data-list] .swatch"))).sort();
    await expect.poll(listed).toEqual(legend.toSorted());
    await saveScreenshot(page, `colours-of-a-crowd-${width}`);
    await page.getByRole("button", { name: "Add rotation", exact: true }).click();
    await page.getByText("Rotation added.").waitFor();
    await page.goto(`${page.url().split("?")[0]}?view=weeks`);
    // Of these weeks, little may be left.
    await page.getByRole("link", { name: "Later" }).click();
    await page.waitForURL(/from=/);
    await page.locator(".ec-event.turn").nth(9).waitFor({ state: "attached" });
    const shifts = await page
      .locator(".ec-event.turn")
      .evaluateAll((all) =>
        all.slice(0, 14).map((it) => [it.textContent, it.className.match(/who-\d+/)?.[0]]),
      );
    const colours = new Map(shifts.map(([name, colour]) => [name, colour]));
    expect(colours.size).toBeGreaterThan(9);
    expect(new Set(colours.values()).size).toBe(colours.size);
    await saveScreenshot(page, `calendar-of-a-crowd-${width}`);
    await expectNoViolations(page);
  });
});
