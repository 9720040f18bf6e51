// Covers in the console: a form in two steps, with what it changes shown in between.
import { describe, expect, test } from "vitest";
import { bodyOf, formsOf } from "../../../support/api/forms.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { type Browser, signIn, signInAdmin } from "../../../support/worker/console.ts";

const START = "2027-03-01T00:00";
const END = "2027-03-08T00:00";

/** A and B take daily turns; times on the form are in UTC. */
async function makeTurns() {
  const rota = await makeRota("ABC");
  const browser = await signInAdmin(rota.account);
  await rota.account.api("PUT", `/account_users/${rota.account.accountUserId}`, {
    user_attributes: { time_zone: "UTC" },
  });
  await rota.event("AB", {
    start_datetime: "2027-03-01T00:00:00Z",
    end_datetime: "2027-03-02T00:00:00Z",
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  const week = async () =>
    (await rota.window("2027-03-01T00:00:00Z", "2027-03-08T00:00:00Z"))
      .map((line) => line.at(-1))
      .join("");
  const fields = {
    account_user_id: rota.ids("B")[0] ?? "",
    start_datetime: START,
    end_datetime: END,
    covered_by: "person",
    covering_account_user_id: rota.ids("C")[0] ?? "",
    reason: "Holiday",
  };
  return { rota, browser, week, fields };
}

type Fields = Record<string, string | readonly string[]>;

/** Submits a form, and confirms what the next page shows. */
async function submitConfirmed(browser: Browser, path: string, fields: Fields = {}) {
  const shown = await browser.submit(path, fields);
  expect(shown.status, shown.text).toBe(200);
  const forms = await formsOf(shown.text);
  const confirmation = forms.find(({ action }) => action === path);
  if (!confirmation) throw new Error(`no confirmation of ${path}: ${shown.text}`);
  const { form_token: _, ...confirmed } = bodyOf(confirmation);
  return { shown, after: await browser.submit(path, confirmed) };
}

describe("covers in the console", () => {
  test("are created, changed and taken back, each after a look at what changes", async () => {
    const { rota, browser, week, fields } = await makeTurns();
    expect(await week()).toBe("ABABABA");
    const { shown, after } = await submitConfirmed(browser, "/covers", fields);
    expect(shown.text).toContain("Confirm cover");
    expect(shown.text.match(/C Person/g)?.length).toBe(3);
    expect(after.to).toMatch(/^\/covers\/cov_/);
    expect(after.text).toContain("Cover of B Person");
    expect(await week()).toBe("ACACACA");
    const path = after.to;
    const changed = await submitConfirmed(browser, path, { ...fields, covered_by: "nobody" });
    expect(changed.shown.text).toContain("nobody");
    expect(changed.after.text).toContain("Changes saved.");
    expect(await week()).toBe("AAAA");
    expect((await browser.submit(path, { ...fields, covered_by: "nobody" })).text).toContain(
      "No changes to save.",
    );
    const taken = await submitConfirmed(browser, `${path}/delete`);
    expect(taken.shown.text).toContain("Take cover back");
    expect(taken.after.to).toBe("/covers");
    expect(await week()).toBe("ABABABA");
    expect((await rota.account.api("GET", "/covers")).body.total_count).toBe(0);
  });

  test("are saved only as they were shown", async () => {
    const { rota, browser, week, fields } = await makeTurns();
    const shown = await browser.submit("/covers", fields);
    const [form] = (await formsOf(shown.text)).filter(({ action }) => action === "/covers");
    if (!form) throw new Error(shown.text);
    const { form_token: _, ...confirmed } = bodyOf(form);
    await rota.event("B", {
      layer: 2,
      start_datetime: "2027-03-03T00:00:00Z",
      end_datetime: "2027-03-04T00:00:00Z",
    });
    const again = await browser.submit("/covers", confirmed);
    expect(again.text).toContain("Confirm cover");
    expect(await week()).toContain("B");
  });

  test("show errors at their fields, with what was entered", async () => {
    const { browser, fields } = await makeTurns();
    const wrong = { ...fields, end_datetime: START, covering_account_user_id: "" };
    const { status, text } = await browser.submit("/covers", wrong);
    expect(status).toBe(422);
    expect(text).toContain("Until must be after Start.");
    expect(text).toMatch(/Who covers can&#39;t be blank/);
    expect(text).toContain('value="Holiday"');
  });

  test("are listed for a person, on call, and in the schedule", async () => {
    const { rota, browser, fields } = await makeTurns();
    const { after } = await submitConfirmed(browser, "/covers", fields);
    expect((await browser.get("/covers")).text).toContain(after.to);
    expect((await browser.get(`/people/${rota.ids("B")[0]}`)).text).toContain(after.to);
    expect((await browser.get(`/people/${rota.ids("C")[0]}`)).text).not.toContain(after.to);
    expect((await browser.get("/on-call")).text).toContain('href="/covers/new"');
    const schedule = await browser.get(`/schedules/${rota.scheduleId}?from=2027-03-01`);
    expect(schedule.text.match(/>covers [^<,]+</g)?.length).toBe(3);
    const [shift] = (await rota.account.api("GET", after.to)).body.shifts;
    const { start_time, end_time } = shift;
    const given = await rota.amend(shift.event_id, "override", {
      ...{ action_time: start_time, start_time, end_time, layer: 1, time_zone: "UTC" },
      account_user_ids: rota.ids("B"),
    });
    expect(given.status, given.text).toBe(201);
    expect((await browser.get(after.to)).text).toContain("Not covered");
    const refreshed = await browser.submit(`${after.to}/refresh`);
    expect(refreshed.text).not.toContain("Not covered");
  });

  test("members see them and are not offered to change them", async () => {
    const { rota, browser, fields } = await makeTurns();
    const { after } = await submitConfirmed(browser, "/covers", fields);
    const member = await signIn(rota.ids("C")[0] ?? "");
    const { status, text } = await member.get(after.to);
    expect(status).toBe(200);
    expect(text).not.toContain("Take cover back");
    expect((await member.get("/covers/new")).status).toBe(403);
    expect((await member.submit("/covers", fields)).status).toBe(403);
  });
});
