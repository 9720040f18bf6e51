// The calendar in a browser: dragging over a shift adds an override, dragging a shift moves it.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { selectSome } from "../../support/generated/sizes.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage } from "../harness.ts";

let stage: Stage;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Monday in the third week from now: changes of the coming weeks are shown before they are made. */
const monday = (Math.floor(Date.now() / (7 * DAY_MS)) + 3) * 7 * DAY_MS + 4 * DAY_MS;
/** The day (`yyyy-mm-dd`) so many days after that Monday. */
const dayAfter = (days: number) => new Date(monday + days * DAY_MS).toISOString().slice(0, 10);
const MONDAY = dayAfter(0);

type Occurrence = {
  readonly start_time: string;
  readonly end_time: string;
  readonly attendees: readonly { readonly attendee_id: string }[];
};

/** The shifts on that Monday, as `09-11 Ada`. */
async function shiftsOnMonday(scheduleId: string): Promise<string[]> {
  const window = `start=${MONDAY} 00:00:00&end=${dayAfter(1)} 00:00:00`;
  const occurrences: Occurrence[] = await stage.api(
    "GET",
    `/schedules/${scheduleId}/window_events?${window}`,
  );
  const [ada] = stage.demo.account_user_ids;
  return occurrences.map(({ start_time, end_time, attendees }) => {
    const who = attendees[0]?.attendee_id === ada ? "Ada" : "Mo";
    return `${start_time.slice(11, 13)}-${end_time.slice(11, 13)} ${who}`;
  });
}

/** Creates a schedule on which Ada is on call that Monday from 06:00 to 18:00. */
async function makeShift(): Promise<string> {
  const { id } = await stage.api("POST", "/schedules", { name: "Dragged" });
  await stage.api("POST", "/events", {
    start_datetime: `${MONDAY}T06:00:00Z`,
    end_datetime: `${MONDAY}T18:00:00Z`,
    layer: 1,
    time_zone: "UTC",
    schedule_ids: [id],
    account_user_ids: [stage.demo.account_user_ids[0]],
  });
  return id;
}

/** Names who is on call instead, in the form of an override. */
async function putInstead(page: Page, name: string): Promise<void> {
  const field = page.getByRole("combobox", { name: "Search: On call instead" });
  await field.fill(name);
  await field.press("Enter");
  await expect.poll(() => page.getByRole("checkbox", { name }).isChecked()).toBe(true);
}

describe.skipIf(chromiumPath === null)("the calendar in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("dragging over a part of a shift overrides that part", async () => {
    const scheduleId = await makeShift();
    const page = await stage.signIn();
    await page.goto(`/schedules/${scheduleId}?from=${MONDAY}`);
    const shift = page.locator(".ec-event.turn").first();
    await page.locator("[data-mode]:enabled").first().waitFor();
    const box = await shift.boundingBox();
    if (!box) throw new Error("the shift is not visible");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.55, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 });
    await page.mouse.move(box.x + box.width * 0.9, y, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("heading", { name: "Override shift" }).waitFor();
    const from = await page.getByLabel("Start").inputValue();
    expect(from).toMatch(new RegExp(`^${MONDAY}T1[0-4]:`));
    await putInstead(page, "Mo Mate");
    await page.getByLabel("Start").fill(`${MONDAY}T12:00`);
    await page.getByLabel("End").fill(`${MONDAY}T15:00`);
    await page.getByRole("button", { name: "Add override" }).click();
    await page.getByText("Override added.").waitFor();
    expect(await shiftsOnMonday(scheduleId)).toEqual(["06-12 Ada", "12-15 Mo", "15-18 Ada"]);
    await expect.poll(() => page.locator(".ec-event.turn").count()).toBe(3);
  });

  test("dragging across the end of a week overrides the hours on both sides", async () => {
    const { id } = await stage.api("POST", "/schedules", { name: "Across" });
    await stage.api("POST", "/events", {
      ...{ start_datetime: `${MONDAY}T00:00:00Z`, end_datetime: `${dayAfter(14)}T00:00:00Z` },
      ...{ layer: 1, time_zone: "UTC", schedule_ids: [id] },
      account_user_ids: [stage.demo.account_user_ids[0]],
    });
    const viewport = { width: 1600, height: 900 };
    const page = await stage.signIn("ada@example.com", { viewport });
    await page.goto(`/schedules/${id}?from=${MONDAY}&view=weeks`);
    await page.locator("[data-mode]:enabled").first().waitFor();
    const box = await page.locator(".ec-event.turn").first().boundingBox();
    if (!box) throw new Error("the shift is not visible");
    const [day, y] = [box.width / 14, box.y + box.height / 2];
    await page.mouse.move(box.x + day * 5.6, y);
    await page.mouse.down();
    await page.mouse.move(box.x + day * 7, y, { steps: 4 });
    await page.mouse.move(box.x + day * 8.4, y, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("heading", { name: "Override shift" }).waitFor();
    expect(await page.getByLabel("Start").inputValue()).toContain(`${dayAfter(5)}T`);
    expect(await page.getByLabel("End").inputValue()).toContain(`${dayAfter(8)}T`);
    await putInstead(page, "Mo Mate");
    await page.getByRole("button", { name: "Add override" }).click();
    await page.getByText("Override added.").waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("weeks");
    await page.locator(".ec-event.turn.override").waitFor();
  });

  test("dragging a shift moves it", async () => {
    const scheduleId = await makeShift();
    const viewport = { width: 1280, height: 1600 };
    const page = await stage.signIn("ada@example.com", { viewport });
    await page.goto(`/schedules/${scheduleId}?from=${MONDAY}&view=week`);
    await page.getByRole("button", { name: "Drag to move" }).click();
    const shift = page.locator(".ec-event.turn").first();
    const box = await shift.boundingBox();
    if (!box) throw new Error("the shift is not visible");
    const hour = box.height / 12;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + hour, { steps: 4 });
    await page.mouse.move(x, y + 2 * hour, { steps: 4 });
    await page.mouse.up();
    await page.getByRole("heading", { name: "Move shift" }).waitFor();
    const from = Date.parse(`${await page.getByLabel("Start").inputValue()}Z`);
    expect((from - Date.parse(`${MONDAY}T06:00Z`)) / HOUR_MS).toBeCloseTo(2, 0);
    await page.getByLabel("Start").fill(`${MONDAY}T08:00`);
    await page.getByLabel("End").fill(`${MONDAY}T20:00`);
    await page.getByRole("button", { name: "Move shift", exact: true }).click();
    await page.getByRole("button", { name: "Confirm changes" }).click();
    await page.getByText("Shift moved.").waitFor();
    expect(await shiftsOnMonday(scheduleId)).toEqual(["08-20 Ada"]);
  });

  // The clocks of Berlin change on 28 March 2027, those of New York on 14 March.
  const changes = [
    ["of the page's zone", "Europe/Berlin", "2049-03-22", "2049-03-27"],
    ["of the page's zone only", "America/New_York", "2049-03-22", "2049-03-27"],
    ["of the browser only", "America/New_York", "2049-03-08", "2049-03-13"],
  ] as const;
  test.each(selectSome(changes, 1, 0))(
    "dragging a shift over a change of the clocks %s keeps its hours",
    async (_, timezoneId, from, day) => {
      const { id } = await stage.api("POST", "/schedules", { name: "Clocks" });
      const [ada = ""] = stage.demo.account_user_ids;
      const { user } = await stage.api("GET", `/account_users/${ada}`);
      const setZone = (time_zone: string) =>
        stage.api("PUT", `/account_users/${ada}`, { user_attributes: { time_zone } });
      await setZone("Berlin");
      try {
        await stage.api("POST", "/events", {
          ...{ start_datetime: `${day}T08:00:00Z`, end_datetime: `${day}T16:00:00Z` },
          ...{ layer: 1, time_zone: "Berlin", schedule_ids: [id], account_user_ids: [ada] },
        });
        const page = await stage.signIn("ada@example.com", {
          ...{ viewport: { width: 1280, height: 1600 }, timezoneId },
        });
        await page.goto(`/schedules/${id}?from=${from}&view=week`);
        await page.getByRole("button", { name: "Drag to move" }).click();
        const box = await page.locator(".ec-event.turn").first().boundingBox();
        if (!box) throw new Error("the shift is not visible");
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + box.width / 2, y, { steps: 4 });
        await page.mouse.move(x + box.width, y, { steps: 4 });
        await page.mouse.up();
        await page.getByRole("heading", { name: "Move shift" }).waitFor();
        const next = new Date(Date.parse(day) + 24 * HOUR_MS).toISOString().slice(0, 10);
        expect([
          await page.getByLabel("Start").inputValue(),
          await page.getByLabel("End").inputValue(),
        ]).toEqual([`${next}T09:00`, `${next}T17:00`]);
      } finally {
        await setZone(user.time_zone);
      }
    },
  );

  test("without scripts, the list and its forms override a shift", async () => {
    const scheduleId = await makeShift();
    const page = await stage.signIn("ada@example.com", { javaScriptEnabled: false });
    await page.goto(`/schedules/${scheduleId}?from=${MONDAY}`);
    await page.locator("#turns").getByRole("link", { name: "Open" }).click();
    await page.getByRole("link", { name: "Override", exact: true }).click();
    await page.getByLabel("Search: On call instead").fill("mo m");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByLabel("Mo Mate").check();
    await page.getByLabel("End").fill(`${MONDAY}T09:00`);
    await page.getByRole("button", { name: "Add override" }).click();
    expect(await shiftsOnMonday(scheduleId)).toEqual(["06-09 Mo", "09-18 Ada"]);
  });
});
