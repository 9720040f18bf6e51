// An event that continues another one, in the console: it is edited from its own first shift on.
import { expect, test } from "vitest";
import { bodyOf, formsOf } from "../../support/api/forms.ts";
import { makeRota } from "../../support/oncall/rota.ts";
import { type Browser, signInAdmin } from "../../support/worker/console.ts";

const CUT = "2026-03-04T09:00:00.000Z";

/** A daily series, continued on layer 2, with an override of its second shift there. */
async function makeContinued() {
  const rota = await makeRota("AB");
  const { api } = rota.account;
  const series = await rota.event("AB", {
    start_datetime: "2026-03-02T09:00:00Z",
    end_datetime: "2026-03-02T17:00:00Z",
    time_zone: "UTC",
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
  });
  const cut = { action_time: CUT, layer: 2 };
  const { body } = await api("POST", `/events/${series.id}/change_following`, cut);
  const override = await api("POST", `/events/${body.id}/override`, {
    start_time: "2026-03-05 10:00",
    end_time: "2026-03-05 11:00",
    time_zone: "UTC",
    layer: 2,
    account_user_ids: rota.ids("A"),
    action_time: "2026-03-05T09:00:00.000Z",
  });
  expect(override.status).toBe(201);
  return { rota, browser: await signInAdmin(rota.account), path: `/events/${body.prefix_id}` };
}

test("its form shows its own first shift, not that of the event it continues", async () => {
  const { browser, path } = await makeContinued();
  for (const query of [`?at=${CUT}`, ""]) {
    const { text } = await browser.get(`${path}?change=edit${query.replace("?", "&")}`);
    expect([query, text.includes('value="2026-03-04T09:00"')]).toEqual([query, true]);
    expect(text).not.toContain("Edit the whole ");
  }
});

/** Submits the form by which a page asks for a confirmation. */
async function confirm(browser: Browser, text: string, path: string): Promise<void> {
  const form = formsOf(text).find(({ action }) => action === path);
  if (!form) throw new Error(`no form to confirm: ${text}`);
  expect((await browser.post(path, bodyOf(form))).status).toBe(303);
}

test("a change of its hours leaves overrides at theirs", async () => {
  const { rota, browser, path } = await makeContinued();
  const confirmation = await browser.submit(path, {
    at: CUT,
    schedule: rota.scheduleId,
    start_datetime: "2026-03-04T13:00",
    end_datetime: "2026-03-04T17:00",
    time_zone: "UTC",
    layer: "2",
    "account_user_ids[]": [...rota.ids("AB"), "", ""],
    repeat: "true",
    frequency: "1",
    frequency_unit: "daily",
    rotation: "true",
  });
  expect(confirmation.text).toContain("Confirm changes");
  await confirm(browser, confirmation.text, path);
  expect(await rota.window("2026-03-05T00:00:00Z", "2026-03-06T00:00:00Z")).toEqual([
    "2 2026-03-05T10:00Z..2026-03-05T11:00Z A",
    expect.stringMatching(/^2 2026-03-05T13:00Z/),
  ]);
});

test("a move of all its shifts leaves overrides at their hours", async () => {
  const { rota, browser, path } = await makeContinued();
  const confirmation = await browser.submit(`${path}/move`, {
    at: "2026-03-06T09:00:00.000Z",
    schedule: rota.scheduleId,
    start: "2026-03-06T13:00",
    end: "2026-03-06T17:00",
    scope: "all",
  });
  expect(confirmation.text).toContain("Confirm changes");
  await confirm(browser, confirmation.text, `${path}/move`);
  expect(await rota.window("2026-03-05T00:00:00Z", "2026-03-06T00:00:00Z")).toEqual([
    "2 2026-03-05T10:00Z..2026-03-05T11:00Z A",
    expect.stringMatching(/^2 2026-03-05T13:00Z/),
  ]);
});
