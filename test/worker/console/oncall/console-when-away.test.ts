// Rotations that give the hours of people who are away to the next in line, and the marks of their shifts, in the console.
import { afterEach, describe, expect, test, vi } from "vitest";
import { formsOf, bodyOf as submittedBy } from "../../../support/api/forms.ts";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { makeRota } from "../../../support/oncall/rota.ts";
import { signInAdmin, submitConfirmed } from "../../../support/worker/console.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a rotation in which the next in line takes the hours of who is away", () => {
  test("is switched on in its form, for the whole series; the calendar says who is away", async () => {
    const rota = await makeRota("ABC");
    const browser = await signInAdmin(rota.account);
    const { api } = rota.account;
    const start = Math.floor(Date.now() / DAY + 2) * DAY;
    const { id } = await rota.event("ABC", {
      start_datetime: iso(start),
      end_datetime: iso(start + DAY),
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
    });
    const edit = `/events/${id}?change=edit`;
    const form = formsOf((await browser.get(edit)).text).find((it) => it.id === "editor");
    if (!form) throw new Error("there is no form");
    const fields = submittedBy(form);
    expect(fields.when_away).toEqual(["stay"]);
    const sent = await browser.submit(form.action, { ...fields, when_away: "next_in_line" });
    expect(sent.text).toContain("Changes saved.");
    expect((await api("GET", `/events/${id}`)).body).toMatchObject({
      when_away: "next_in_line",
      terminated_at: null,
    });
    expect((await api("GET", "/events")).body.total_count).toBe(1);
    expect((await browser.get(edit)).text).toContain(
      '<option value="next_in_line" selected="">the next in line takes it</option>',
    );
    const hours = { start_datetime: iso(start + DAY), end_datetime: iso(start + 2 * DAY) };
    const [b = ""] = rota.ids("B");
    await api("POST", "/absences", { ...hours, account_user_id: b });
    const [, c = ""] = rota.ids("BC");
    const cover = await api("POST", "/absences", {
      start_datetime: iso(start + 2 * DAY),
      end_datetime: iso(start + 3 * DAY),
      account_user_id: c,
      ...{ instead: "person", covering_account_user_id: rota.ids("A")[0] },
    });
    expect(cover.status, cover.text).toBe(201);
    const window = `from=${iso(start).slice(0, 10)}T00:00&to=${iso(start + 4 * DAY).slice(0, 10)}T00:00`;
    const data = await browser.get(`/schedules/${rota.scheduleId}/calendar?${window}&zone=UTC`);
    const shown = JSON.parse(data.text).events as {
      title: string;
      classNames: string[];
      resourceIds: string[];
    }[];
    const turns = shown.filter(({ classNames }) => classNames.includes("turn"));
    expect(turns.map(({ title }) => title).slice(0, 3)).toEqual([
      "Ada Admin (you)",
      "C Person · instead of B Person, away",
      "Ada Admin (you) · instead of C Person, away",
    ]);
    expect(turns.map(({ classNames }) => classNames.includes("instead")).slice(0, 3)).toEqual([
      false,
      true,
      true,
    ]);
    expect(new Set(turns.map(({ resourceIds }) => resourceIds[1])).size).toBe(1);
    const page = await browser.get(`/events/${id}?at=${iso(start + DAY)}`);
    expect(page.text).toMatch(/Instead of[\s\S]*?B Person/);
    const from = iso(start + DAY).slice(0, 10);
    const list = (await browser.get(`/schedules/${rota.scheduleId}?from=${from}`)).text;
    expect(list).toContain("instead of B Person, away");
    expect(list).toContain("Instead of somebody who is away");
  });

  test("hands its hours on only after a look at who is on call instead", async () => {
    const rota = await makeRota("ABC");
    const browser = await signInAdmin(rota.account);
    const { api } = rota.account;
    const start = Math.floor(Date.now() / DAY + 2) * DAY;
    await rota.event("ABC", {
      ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
      ...{ rotation: true, when_away: "next_in_line" },
    });
    const [b = ""] = rota.ids("B");
    const count = async (of: string) => (await api("GET", of)).body.total_count;
    const server = openCalendarServer(
      newCalendar([
        { dtstart: utc(start + DAY), dtend: utc(start + 2 * DAY), summary: "Holidays" },
      ]),
    );
    const calendar = { account_user_id: b, name: "HR", url: server.url, region: "" };
    const calendars = "/calendars/absences";
    expect((await browser.submit(calendars, calendar)).text).toContain("Confirm absence calendar");
    expect(await count("/absence_calendars")).toBe(0);
    const read = await submitConfirmed(browser, calendars, calendar);
    expect(read.text).toContain("Absence calendar created.");
    const [{ prefix_id: id }] = (await api("GET", "/absence_calendars")).body.data;
    server.ical = newCalendar([]);
    const changed = { name: "HR", url: `${server.url}?2`, region: "" };
    const moved = await browser.submit(`${calendars}/${id}`, changed);
    expect(moved.text).toContain("Confirm absence calendar");
    const done = await submitConfirmed(browser, `${calendars}/${id}`, changed);
    expect(done.text).toContain("Changes saved.");
    const deleted = await browser.submit(`${calendars}/${id}/delete`);
    expect(deleted.text).toContain("Absence calendar deleted.");
  });

  test("hands company holidays on only after a look at who is on call instead", async () => {
    const rota = await makeRota("ABC");
    const browser = await signInAdmin(rota.account);
    const { api } = rota.account;
    const start = Math.floor(Date.now() / DAY + 2) * DAY;
    await rota.event("ABC", {
      ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
      ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
      ...{ rotation: true, when_away: "next_in_line" },
    });
    const [b = ""] = rota.ids("B");
    const holiday = (day: number) => ({
      name: "Company day",
      start_date: iso(start + day * DAY).slice(0, 10),
      end_date: "",
    });
    const [path, records] = ["/calendars/holidays", "/company_holidays"];
    const stored = async () =>
      (await api("GET", records)).body.data.map((it: { start_date: string }) => it.start_date);
    // Nobody is away on company holidays yet, so nothing is asked.
    const made = await browser.submit(path, holiday(5));
    expect(made.text).toContain("Company holiday created");
    const calendar = { account_user_id: b, name: "Company", company_holidays: true };
    expect((await api("POST", "/absence_calendars", calendar)).status).toBe(201);
    const asked = await browser.submit(path, holiday(1));
    for (const text of ["Confirm company holiday", "B Person", "C Person"]) {
      expect(asked.text).toContain(text);
    }
    expect(await stored()).toHaveLength(1);
    const wrong = await browser.submit(path, { ...holiday(1), end_date: holiday(0).start_date });
    expect(wrong.text).toContain("must not be before");
    const done = await submitConfirmed(browser, path, holiday(1));
    expect(done.text).toContain("Company holiday created");
    expect((await stored()).sort()).toEqual([holiday(1).start_date, holiday(5).start_date]);
    const { data } = (await api("GET", `${records}?start_date=${holiday(1).start_date}`)).body;
    const own = `${path}/${data[0].id}`;
    const fields = { ...holiday(4), end_date: holiday(4).start_date };
    expect((await browser.submit(own, fields)).text).toContain("Confirm company holiday");
    const moved = await submitConfirmed(browser, own, fields);
    expect(moved.text).toContain("Changes saved.");
    expect((await browser.submit(`${own}/delete`)).text).toContain("Delete company holiday");
    expect(await stored()).toHaveLength(2);
    const gone = await submitConfirmed(browser, `${own}/delete`);
    expect(gone.text).toContain("Company holiday deleted");
    expect(await stored()).toEqual([holiday(5).start_date]);
  });
});
