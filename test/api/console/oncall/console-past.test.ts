// The console leaves what was served, and corrects it where somebody changes a shift that is over.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { formsOf, bodyOf as submittedBy } from "../../../support/api/forms.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { type Browser, signInAdmin } from "../../../support/worker/console.ts";

type Fields = Record<string, string | readonly string[]>;

const DAY = 86_400_000;
const today = Math.floor(Date.now() / DAY) * DAY;
/** Midnight of a day, from today on. */
const day = (days: number) => new Date(today + days * DAY).toISOString();
const WEEK = [day(-7), day(0)] as const;

let rota: Rota;
let browser: Browser;
let id: string;

/** A daily rotation of A and B that began twenty days ago. */
beforeEach(async () => {
  rota = await makeRota("AB");
  browser = await signInAdmin(rota.account);
  const event = await rota.event("AB", {
    ...{ start_datetime: day(-20), end_datetime: day(-19), rotation: true },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
  });
  id = event.id;
  await env.DB.prepare("update events set created_at = created_at - ? where account_id = ?")
    .bind(30 * DAY, rota.account.accountId)
    .run();
});

const submit = (what: string, fields: Fields) =>
  browser.submit(`/events/${id}${what}`, { schedule: rota.scheduleId, ...fields });

/** Submits a form, and confirms what the page then shows; that page. */
async function confirm(what: string, fields: Fields) {
  const { text } = await submit(what, fields);
  const confirmed = /name="confirmed" value="([^"]*)"/.exec(text)?.[1];
  if (confirmed !== undefined) await submit(what, { ...fields, confirmed });
  return text;
}

const served = () => rota.window(...WEEK);
const latest = async () =>
  (await rota.account.api("GET", `/schedules/${rota.scheduleId}/changes?limit=1`)).body.data[0];

/** The fields of the form that edits the rotation. */
async function editor(): Promise<Fields> {
  const { text } = await browser.get(`/events/${id}?change=edit&schedule=${rota.scheduleId}`);
  const form = formsOf(text).find((it) => it.id === "editor");
  if (!form) throw new Error("there is no form");
  return submittedBy(form) as Fields;
}

describe("what was served stays", () => {
  test("when a series is removed", async () => {
    const before = await served();
    const text = await confirm("/remove", { at: day(-3), scope: "all" });
    expect(text).toContain("Who was on call before now stays");
    expect((await rota.account.api("GET", `/events/${id}`)).status).toBe(404);
    expect(await served()).toEqual(before);
  });

  test("when the turn that is running changes", async () => {
    const before = await served();
    const text = await confirm("", { ...(await editor()), layer: "2", effective_at: "now" });
    expect(text).not.toContain("changes who was on call in the past");
    expect(await served()).toEqual(before);
    expect((await rota.now()).map((it) => it.slice(0, 1))).toEqual(["2"]);
  });
});

describe("the past is corrected", () => {
  test("by an override of hours that were typed", async () => {
    const [first] = await served();
    const fields = { zone: "UTC", layer: "1", "account_user_ids[]": rota.ids("B") };
    const hours = { start_time: day(-7).slice(0, 16), end_time: day(-6).slice(0, 16) };
    const other = first?.endsWith("A") ? "B" : "A";
    const who = { "account_user_ids[]": rota.ids(other) };
    await submit("/override", { ...fields, ...who, ...hours, at: day(-7) });
    const [corrected] = await served();
    expect(corrected).toBe(`${first?.slice(0, -1)}${other}`);
    expect(await latest()).toMatchObject({ verb: "create", corrects_past: true });
  });

  test("by the removal of a shift that is over", async () => {
    const text = await confirm("/remove", { at: day(-3), scope: "one" });
    expect(text).toContain("Confirm removal");
    expect(await served()).toHaveLength(6);
    expect(await latest()).toMatchObject({ verb: "add_exception", corrects_past: true });
  });

  test("by a change from the first turn on", async () => {
    const fields = { ...(await editor()), layer: "2", effective_at: "first" };
    expect(await confirm("", fields)).toContain("changes who was on call in the past");
    expect((await served()).map((it) => it.slice(0, 1))).toEqual(Array(7).fill("2"));
    expect(await latest()).toMatchObject({ verb: "change_following", corrects_past: true });
    const { text } = await browser.get(`/schedules/${rota.scheduleId}?view=history`);
    expect(text).toContain("also in the past");
  });
});
