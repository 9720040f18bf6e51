// Absences in a browser: somebody is away for months, and two people swap nights, each with the number
// of interactions that it takes; and a request that is answered from a push notification.
import { describe, expect, test } from "vitest";
import { actionLink } from "../../../src/kernel/links.ts";
import { selectSome } from "../../support/generated/sizes.ts";
import { expectAccessible } from "../accessibility.ts";
import { chromiumPath } from "../chromium.ts";
import { signInColleague } from "../colleague.ts";
import { Hands } from "../hands.ts";
import { onStage, type Stage, saveScreenshot, WITH_SERVICE_WORKER } from "../harness.ts";
import { poll, pressAction, serviceWorker, shownActions, shownTitles } from "../pushed.ts";

let stage: Stage;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();
const wall = (at: number) => iso(at).slice(0, 16);
const midnight = () => Math.floor(Date.now() / DAY) * DAY;

/** A new person of the account. */
async function makePerson(name: string): Promise<string> {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@example.com`;
  const user = { name, time_zone: "UTC", emails_attributes: [{ email }] };
  return (await stage.api("POST", "/account_users", { user_attributes: user })).id;
}

/** A team, and a daily rotation of its members on its schedule, from today on. */
async function makeRota(members: readonly string[]) {
  const name = `Rota ${crypto.randomUUID().slice(0, 8)}`;
  const team = await stage.api("POST", "/teams", {
    ...{ name, member_account_user_ids: members },
    admin_account_user_ids: [stage.demo.account_user_ids[0]],
  });
  const event = await stage.api("POST", "/events", {
    ...{ start_datetime: iso(midnight()), end_datetime: iso(midnight() + DAY), time_zone: "UTC" },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily", layer: 1, rotation: true },
    ...{ schedule_ids: [team.schedule_id], account_user_ids: members },
  });
  return { name, scheduleId: team.schedule_id as string, eventId: event.id as string };
}

async function onCallAt(scheduleId: string, at: number): Promise<string[]> {
  const window = `start=${iso(at)}&end=${iso(at + 1)}`;
  const entries = await stage.api("GET", `/schedules/${scheduleId}/window_events?${window}`);
  return entries.flatMap((it: any) => it.attendees.map((one: any) => one.attendee_id));
}

/** A colour scheme, and a width: one of them under `npm test`. */
const VARIANTS = [
  ["light", 1280],
  ["dark", 390],
] as const;

describe.skipIf(chromiumPath === null)("absences in a browser", () => {
  onStage((opened) => {
    stage = opened;
  });

  test.each(selectSome(VARIANTS, 1, 0))(
    "a leave of four months takes at most 8 interactions: %s, %i px",
    async (colorScheme, width) => {
      const name = `Lea ${colorScheme} Long`;
      const [ada = "", mo = ""] = stage.demo.account_user_ids;
      const lea = await makePerson(name);
      const { scheduleId } = await makeRota([lea, ada, mo]);
      const viewport = { width, height: 900 };
      const page = await stage.signIn("ada@example.com", { colorScheme, viewport });
      await page.goto("/on-call");
      const hands = new Hands(page);
      await hands.link("Away and covers");
      await expectAccessible(page);
      await hands.link("Add absence");
      await expectAccessible(page);
      await hands.select("Who is away", lea);
      const start = midnight() + 30 * DAY;
      await hands.fill("From", wall(start));
      await hands.fill("Until", wall(start + 120 * DAY));
      await page.getByText(`${name} stays on call`).waitFor();
      await saveScreenshot(page, `absence nobody yet ${colorScheme}`);
      await expectAccessible(page);
      await hands.radio(/^The next in line/);
      await page.locator("#plan").getByText("Changes against today").waitFor();
      await page.locator("#plan").getByText("Hours on call,").waitFor();
      await saveScreenshot(page, `absence next in line ${colorScheme}`);
      await expectAccessible(page);
      await hands.button("Save absence");
      await page.getByText("Absence saved.").waitFor();
      expect(hands.interactions).toBeLessThanOrEqual(8);
      await saveScreenshot(page, `absence ${colorScheme}`);
      await expectAccessible(page);
      expect(await onCallAt(scheduleId, start + 30 * DAY)).not.toContain(lea);
      await page.getByRole("link", { name: "Away" }).click();
      await page.getByRole("link", { name }).waitFor();
      await saveScreenshot(page, `away ${colorScheme}`);
      await expectAccessible(page);
      await page.getByRole("link", { name }).first().click();
      page.on("dialog", (dialog) => dialog.accept());
      await page.getByRole("button", { name: "Take back" }).click();
      await page.getByText("Absence taken back.").waitFor();
      const served = await Promise.all(
        [30, 31, 32].map((day) => onCallAt(scheduleId, start + day * DAY)),
      );
      expect(served.flat()).toContain(lea);
    },
  );

  test.each(selectSome(VARIANTS, 1, 1))(
    "a swap of nights takes at most 6 interactions to ask, and 2 to answer: %s, %i px",
    async (colorScheme, width) => {
      const [ada = ""] = stage.demo.account_user_ids;
      const viewport = { width, height: 900 };
      const name = `Mia ${colorScheme}`;
      const options = { colorScheme, viewport };
      const { page: other, id: mia } = await signInColleague(stage, name, options);
      const { scheduleId, eventId } = await makeRota([mia, ada]);
      const night = midnight() + DAY + 20 * HOUR;
      const page = await stage.signIn("ada@example.com", options);
      // Shifts of other tests are among the first ones.
      await page.goto("/absences?whole=shifts");
      await saveScreenshot(page, `my shifts ${colorScheme}`);
      await expectAccessible(page);
      const hands = new Hands(page);
      await hands.link(
        "I can't",
        page
          .getByRole("row")
          .filter({ has: page.locator(`[href*="${eventId}"]`) })
          .first(),
      );
      await page.getByRole("heading", { name: "Add absence" }).waitFor();
      await hands.fill("From", wall(night));
      await hands.fill("Until", wall(night + 4 * HOUR));
      await hands.click(page.getByRole("checkbox", { name }));
      await hands.fill("I take over from", wall(night + DAY));
      await page.locator("#plan").getByText(`If ${name} accepts:`).waitFor();
      await page.locator("#plan").getByText("Changes against today").waitFor();
      await saveScreenshot(page, `swap ${colorScheme}`);
      await expectAccessible(page);
      await hands.button("Save absence");
      await page.getByText("Absence saved, and the people asked.").waitFor();
      expect(hands.interactions).toBeLessThanOrEqual(6);
      await saveScreenshot(page, `asking ${colorScheme}`);
      await expectAccessible(page);

      await other.goto("/on-call");
      const answering = new Hands(other);
      await answering.link("Away and covers");
      await saveScreenshot(other, `asked of me ${colorScheme}`);
      await expectAccessible(other);
      await answering.button("Accept");
      await other.getByText("You have accepted.").waitFor();
      expect(answering.interactions).toBe(2);
      await expectAccessible(other);
      const served = [night - HOUR, night, night + DAY, night + DAY + 5 * HOUR];
      const people = await Promise.all(served.map((at) => onCallAt(scheduleId, at)));
      expect(people).toEqual([[ada], [mia], [ada], [ada]]);

      await page.goto("/absences");
      const own = page.getByRole("table", { name: "My absences" });
      await own.getByText(name).first().waitFor();
      await saveScreenshot(page, `my absences ${colorScheme}`);
      await expectAccessible(page);
    },
  );

  test("the button of a push notification accepts", async () => {
    const [ada = ""] = stage.demo.account_user_ids;
    const start = midnight() + 16 * DAY;
    const { page, id: grace } = await signInColleague(stage, `Grace Pushed${Date.now()}`, {
      viewport: { width: 390, height: 844 },
      ...WITH_SERVICE_WORKER,
      permissions: ["notifications"],
    });
    const { scheduleId } = await makeRota([ada]);
    const absence = await stage.api("POST", "/absences", {
      ...{ account_user_id: ada, start_datetime: iso(start), end_datetime: iso(start + DAY) },
      // Only there: Grace would take Ada's shifts in the schedules of other tests, too.
      ...{ schedule_ids: [scheduleId], instead: "ask", account_user_ids: [grace] },
    });
    const secrets = {
      LINK_SECRET: stage.secrets.LINK_SECRET ?? "",
      PUBLIC_URL: stage.demo.base_url,
    };
    const { accountId } = stage;
    const subject = { accountId, recordId: absence.id, accountUserId: grace } as const;
    const url = await actionLink(secrets, { ...subject, purpose: "cover_request" }, Date.now());
    const worker = await serviceWorker(page);
    const pushed = {
      notification: {
        ...{ title: "Ada asks", body: "", tag: "request" },
        data: { type: "oncall.cover_request", alert: null, url },
      },
    };
    const actions = await shownActions(page, worker, stage.demo.base_url, pushed);
    expect(actions).toEqual(["accept", "decline"]);
    await pressAction(worker, "accept");
    const read = () => stage.api("GET", `/absences/${absence.id}`);
    await poll(async () => (await read()).status === "covered");
    expect((await read()).covering_account_user_id).toBe(grace);
    const titles = await poll(async () => {
      const shown = await shownTitles(worker);
      return shown.includes("Accepted") ? shown : null;
    });
    expect(titles ?? (await shownTitles(worker))).toContain("Accepted");
    expect(await onCallAt(scheduleId, start)).toEqual([grace]);
  });
});
