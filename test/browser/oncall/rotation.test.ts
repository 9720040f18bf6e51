// The editor of rotations in a browser: a rotation of six in few interactions, a template of two
// zones, operations on the list of people, and forms that are saved untouched.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { seed, selectSome, sized } from "../../support/generated/sizes.ts";
import { expectNoViolations } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { onStage, type Stage, saveScreenshot } from "../harness.ts";

let stage: Stage;

const DAY_MS = 86_400_000;
const SIX = ["Ada Keeper", "Mo Mate", "Bea Six", "Cy Six", "Di Six", "Ed Six"];

/** The ids of people by name; those who are missing are created. */
async function peopleNamed(names: readonly string[]): Promise<Map<string, string>> {
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
  return ids;
}

/** A schedule of a team of six. */
async function makeSchedule(): Promise<{ id: string; ids: Map<string, string> }> {
  const ids = await peopleNamed(SIX);
  const team = await stage.api("POST", "/teams", {
    name: `Editors ${crypto.randomUUID()}`,
    member_account_user_ids: SIX.map((name) => ids.get(name)),
    admin_account_user_ids: [stage.demo.account_user_ids[0]],
  });
  return { id: team.schedule_id, ids };
}

/** The series of a schedule. Covers of other tests may add overrides for the same people. */
const eventsOf = async (scheduleId: string): Promise<any[]> =>
  (await stage.api("GET", `/schedules/${scheduleId}/events`)).data.filter(
    ({ parent_id }: any) => parent_id === null,
  );

/** Who is on call from now on, without repeats, by name. */
async function orderFromNow(scheduleId: string, ids: Map<string, string>): Promise<string[]> {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const start = new Date().toISOString();
  const end = new Date(Date.now() + 42 * DAY_MS).toISOString();
  const entries: any[] = await stage.api(
    "GET",
    `/schedules/${scheduleId}/window_events?start=${start}&end=${end}`,
  );
  return entries.map(({ attendees }) =>
    attendees.map((it: any) => names.get(it.attendee_id)).join(" and "),
  );
}

/** Under `npm test`, every second item: with both values of `nth`, all of them. */
const selectHalf = (all: readonly string[], nth: number) =>
  all.filter((_, i) => sized(i % 2 === (nth + seed) % 2, true));

const names = (page: Page, part = 0) =>
  page
    .locator(`[data-positions="${part}"] [data-position] [data-people]`)
    .allTextContents()
    .then((texts) => texts.map((text) => text.trim()));

describe.skipIf(chromiumPath === null)("the editor of rotations", () => {
  onStage((opened) => {
    stage = opened;
  });

  test("makes a rotation of six in at most twelve interactions, and draws it before", async () => {
    const { id, ids } = await makeSchedule();
    const page = await stage.signIn();
    await page.goto(`/schedules/${id}`);
    let interactions = 0;
    const click = async (name: string | RegExp, role: "button" | "link" = "button") => {
      interactions += 1;
      await page.getByRole(role, { name, exact: true }).first().click();
    };
    await click("Add rotation", "link");
    await page.locator("form[data-live]").waitFor();
    for (const name of SIX.slice(0, 5)) await click(`Add ${name}`);
    // The sixth is typed.
    interactions += 2;
    await page.getByLabel("Add person").fill("Ed S");
    await page.getByLabel("Add person").press("Enter");
    await expect.poll(() => names(page)).toEqual(SIX);
    const plan = page.locator("#plan");
    await plan.locator(".legend").getByText("Ed Six").waitFor();
    await plan
      .getByText(/^Ada Keeper is on call now and stays until Mon .* 09:00; then Mo Mate\.$/)
      .waitFor();
    // Six weeks hold seven turns of a week, or six on a Monday at nine.
    const drawn = await plan.locator("svg .plan-name").allTextContents();
    expect([...new Set(drawn.filter((it) => it.includes(" ")))]).toEqual(
      expect.arrayContaining(SIX.slice(1, 5)),
    );
    // An earlier drawing, without the last of the people, has gaps.
    await plan.locator("svg .plan-gap").first().waitFor({ state: "detached" });
    const listed = await plan.locator("details li").allTextContents();
    await click("Add rotation");
    await page.getByText("Rotation added.").waitFor();
    expect(interactions).toBeLessThanOrEqual(12);
    const order = await orderFromNow(id, ids);
    expect(order.slice(0, 6)).toEqual(SIX);
    expect(listed.map((it) => it.split(": ").at(-1))).toEqual(order);
  });

  test("follows the sun over two zones, from a template", async () => {
    const { id, ids } = await makeSchedule();
    const page = await stage.signIn();
    await page.goto(`/schedules/${id}/rotations/new`);
    await page.getByRole("link", { name: "Follow the sun: two regions" }).click();
    await page.locator("form[data-live]").waitFor();
    const region = (part: number) => page.locator(`.part`).nth(part);
    await region(0).getByLabel("Time zone").selectOption("Berlin");
    await region(1).getByLabel("Time zone").selectOption("Sydney");
    for (const name of SIX.slice(0, 2)) {
      await region(0)
        .getByRole("button", { name: `Add ${name}` })
        .click();
    }
    for (const name of SIX.slice(2, 4)) {
      await region(1)
        .getByRole("button", { name: `Add ${name}` })
        .click();
    }
    const plan = page.locator("#plan");
    await plan.getByText("Region 1: 09:00–21:00 in Berlin").waitFor();
    await plan.locator("svg .plan-bar").nth(40).waitFor({ state: "attached" });
    // An earlier drawing, without the last of the people, has gaps.
    await plan.locator("svg .plan-gap").first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add rotation" }).click();
    await page.getByText("2 rotations added.").waitFor();
    const events = await eventsOf(id);
    expect(events.map(({ time_zone }) => time_zone).sort()).toEqual(["Berlin", "Sydney"]);
    const start = new Date(Date.now() + 60_000).toISOString();
    const end = new Date(Date.now() + 365 * DAY_MS).toISOString();
    const { layers } = await stage.api(
      "GET",
      `/schedules/${id}/coverage?start=${start}&end=${end}`,
    );
    expect(layers.find((it: any) => it.layer === 1)).toMatchObject({ share: 1, gaps: [] });
    const served = new Set(await orderFromNow(id, ids));
    expect([...served].sort()).toEqual(SIX.slice(0, 4).sort());
  });

  test("reorders, joins, repeats and drags people, and marks what changes against today", async () => {
    const { id, ids } = await makeSchedule();
    const event = await stage.api("POST", "/events", {
      start_datetime: "2026-01-05T09:00:00Z",
      end_datetime: "2026-01-12T09:00:00Z",
      ...{ layer: 1, time_zone: "UTC", repeat: true, rotation: true },
      ...{ frequency: 1, frequency_unit: "weekly", schedule_ids: [id] },
      account_user_ids: SIX.slice(0, 3).map((name) => ids.get(name)),
    });
    const page = await stage.signIn();
    await page.goto(`/events/${event.id}?change=edit&schedule=${id}`);
    await page.locator("form[data-live]").waitFor();
    await page.getByRole("button", { name: "Move down: Ada Keeper" }).press("Enter");
    expect(await names(page)).toEqual(["Mo Mate", "Ada Keeper", "Bea Six"]);
    await page.getByRole("button", { name: "Repeat at the end: Mo Mate" }).click();
    await page.getByRole("button", { name: "Join the turn above: Bea Six" }).click();
    expect(await names(page)).toEqual(["Mo Mate", "Ada KeeperBea Six", "Mo Mate"]);
    await page
      .getByRole("button", { name: "Split into separate turns: Ada Keeper and Bea Six" })
      .click();
    await page.getByRole("button", { name: "Remove: Mo Mate" }).last().click();
    await page.getByRole("button", { name: "Empty turn: nobody is on call" }).click();
    expect(await names(page)).toEqual(["Mo Mate", "Ada Keeper", "Bea Six", "Nobody (empty turn)"]);
    const [grip, last] = [
      page.locator("[data-grip]").first(),
      page.locator("[data-position]").last(),
    ];
    // Once it stays where it is.
    await grip.hover();
    await page.mouse.down();
    const to = await last.boundingBox();
    if (!to) throw new Error("the list is not visible");
    await page.mouse.move(to.x + 8, to.y + to.height - 4, { steps: 12 });
    await page.mouse.up();
    expect(await names(page)).toEqual(["Ada Keeper", "Bea Six", "Nobody (empty turn)", "Mo Mate"]);
    const plan = page.locator("#plan");
    await plan.getByText("Changes against today").waitFor();
    await plan.locator("svg .plan-gap").first().waitFor({ state: "attached" });
    expect(await plan.locator("svg .plan-changed").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Changes saved.").waitFor();
    const [changed] = await eventsOf(id);
    const [ada, mo, bea] = SIX.map((name) => ids.get(name));
    expect(changed.positions).toEqual([[ada], [bea], [], [mo]]);
  });

  test("draws a single shift while its form is filled in, also one that is far ahead", async () => {
    const { id, ids } = await makeSchedule();
    const page = await stage.signIn();
    await page.goto(`/schedules/${id}/events/new`);
    await page.locator("form[data-live]").waitFor();
    const plan = page.locator("#plan");
    const day = (days: number) =>
      `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T09:00`;
    const between = async (from: number, until: number) => {
      await page.getByLabel("Start", { exact: true }).fill(day(from));
      await page.getByLabel("End", { exact: true }).fill(day(until));
    };
    await page.getByLabel("Time zone").selectOption("UTC");
    await between(8, 10);
    await page.getByRole("button", { name: "Add Bea Six" }).click();
    await plan.getByText(/^Nobody is on call now; from .* 09:00 Bea Six\./).waitFor();
    await plan.getByRole("heading", { name: "The next six weeks" }).waitFor();
    await between(100, 102);
    await plan.getByText(/^Nobody is on call until .* 09:00; then Bea Six\./).waitFor();
    await plan.getByRole("heading", { name: /^Six weeks from / }).waitFor();
    expect(await plan.locator("svg .plan-bar").count()).toBeGreaterThan(0);
    await saveScreenshot(page, "single shift far ahead");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Add shift" }).click();
    await page.getByText("Shift added.").waitFor();
    const [made] = await eventsOf(id);
    expect(made).toMatchObject({ repeat: false, start_datetime: `${day(100)}:00.000Z` });
    // Editing it draws what changes.
    await page.goto(`/events/${made.id}?change=edit&schedule=${id}`);
    await page.locator("form[data-live]").waitFor();
    await plan.getByText("Nobody is on call for the whole time.").waitFor();
    await page.getByRole("button", { name: "Remove: Bea Six" }).click();
    await page.getByRole("button", { name: "Add Cy Six" }).click();
    await plan.getByText(/: Cy Six instead of Bea Six$/).waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("heading", { name: "Confirm changes" }).waitFor();
    await page.getByText(/: Cy Six instead of Bea Six$/).waitFor();
    await page.getByRole("button", { name: "Confirm changes" }).click();
    await page.getByText("Changes saved.").waitFor();
    const [changed] = await eventsOf(id);
    expect(changed.positions).toEqual([[ids.get("Cy Six")]]);
  });

  test("saves nothing when a form is submitted untouched", async () => {
    const { id, ids } = await makeSchedule();
    const event = await stage.api("POST", "/events", {
      start_datetime: "2026-01-05T09:00:00Z",
      end_datetime: "2026-01-12T09:00:00Z",
      ...{ layer: 2, time_zone: "Berlin", repeat: true, rotation: true, priority: 2 },
      ...{ frequency: 1, frequency_unit: "weekly", schedule_ids: [id] },
      positions: [[ids.get("Bea Six"), ids.get("Cy Six")], [], [ids.get("Bea Six")]],
      restrictions: [{ days_of_week: [2, 4], start_time: "00:00", end_time: "24:00" }],
    });
    const before = await stage.api("GET", `/events/${event.id}`);
    const page = await stage.signIn();
    await page.goto(`/events/${event.id}?change=edit&schedule=${id}`);
    await page.locator("form[data-live]").waitFor();
    await page.locator("#plan svg").waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("No changes to save.").waitFor();
    expect(await stage.api("GET", `/events/${event.id}`)).toEqual(before);
  });

  // Under `npm test`, each template in one of the variants; at full size, in all of them.
  const variants = [
    ["light", 1280, 0],
    ["dark", 1280, 1],
    ["light", 390, 2],
    ["dark", 390, 3],
  ] as const;
  test.each(selectSome(variants, 1, 0))(
    "has no axe violation, %s at %d px",
    async (colorScheme, width, nth) => {
      const { id } = await makeSchedule();
      const viewport = { width, height: 900 };
      const page = await stage.signIn("ada@example.com", { colorScheme, viewport });
      for (const template of selectSome(["weekly", "week", "sun-3", "primary"], 1, nth)) {
        await page.goto(`/schedules/${id}/rotations/new?template=${template}`);
        await page.locator("form[data-live]").waitFor();
        await page.getByRole("button", { name: "Add Ada Keeper" }).first().click();
        await page.locator("#plan svg .plan-bar").first().waitFor({ state: "attached" });
        await expectNoViolations(page);
        const isTooWide = await page.evaluate(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        expect(isTooWide).toBe(false);
      }
    },
  );

  const around = [
    ["light", 1280, 0],
    ["dark", 390, 1],
  ] as const;
  test.each(selectSome(around, 1, 1))(
    "and the pages around it have none either, %s at %d px",
    async (colorScheme, width, nth) => {
      const { id, ids } = await makeSchedule();
      const start = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString();
      const event = await stage.api("POST", "/events", {
        start_datetime: start,
        end_datetime: new Date(Date.parse(start) + 7 * DAY_MS).toISOString(),
        ...{ layer: 1, time_zone: "UTC", repeat: true, rotation: true },
        ...{ frequency: 1, frequency_unit: "weekly", schedule_ids: [id] },
        positions: [[ids.get("Ada Keeper"), ids.get("Bea Six")], []],
      });
      await stage.api("POST", `/events/${event.id}/override`, {
        action_time: start,
        start_time: new Date(Date.parse(start) + 3 * DAY_MS).toISOString(),
        end_time: new Date(Date.parse(start) + 4 * DAY_MS).toISOString(),
        ...{ layer: 1, time_zone: "UTC", account_user_ids: [ids.get("Mo Mate")] },
      });
      const viewport = { width, height: 900 };
      const page = await stage.signIn("ada@example.com", { colorScheme, viewport });
      const at = `at=${start}&schedule=${id}`;
      const editors = ["edit?schedule=", `edit?${at}`, `override?${at}`].map(
        (path) => `/events/${event.id}/${path}`,
      );
      for (const path of selectHalf([...editors, `/schedules/${id}/events/new`], nth)) {
        await page.goto(path);
        // A form without people has no plan yet.
        await page.locator("#plan :is(svg, .soft)").first().waitFor();
        await expectNoViolations(page);
      }
      await page.goto(`/events/${event.id}?${at}`);
      await page.getByRole("button", { name: "Remove this and following shifts" }).click();
      await page.getByRole("heading", { name: "Confirm removal" }).waitFor();
      await expectNoViolations(page);
      for (const view of selectHalf(["timeline", "weeks", "week", "month"], nth)) {
        const day = new Date(Date.parse(start) + 3 * DAY_MS).toISOString().slice(0, 10);
        await page.goto(`/schedules/${id}?from=${day}&view=${view}`);
        await page.locator(".ec-event.turn.override").first().waitFor({ state: "attached" });
        await expect.poll(() => page.locator(".ec [role=row]").count()).toBe(0);
        await expectNoViolations(page);
      }
      await page.goto("/absences");
      await expectNoViolations(page);
    },
  );
});
