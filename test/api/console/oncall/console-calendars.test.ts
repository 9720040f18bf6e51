// Calendar imports and absences in the console.
import { afterEach, describe, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { signIn, signInAdmin, submitConfirmed } from "../../../support/worker/console.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

afterEach(() => {
  vi.restoreAllMocks();
});

const shiftOf = (rota: Rota, letter: string, uid = "1") => {
  const at = Math.floor(Date.now() / DAY + 1) * DAY + 9 * HOUR;
  const dtstart = utc(at);
  const summary = `On call: ${rota.colleagues.get(letter)?.email}`;
  return { uid, dtstart, dtend: utc(at + 8 * HOUR), summary };
};

describe("the imports of a schedule", () => {
  test("are added by URL or text, read, shown with their result, and removed", async () => {
    const rota = await makeRota("AB");
    const browser = await signInAdmin(rota.account);
    const schedule = `/schedules/${rota.scheduleId}`;
    const path = "/calendars/imports";
    expect((await browser.get(schedule)).text).toContain(`href="${path}/new?schedule=`);
    const form = (await browser.get(`${path}/new?schedule=${rota.scheduleId}`)).text;
    for (const field of ["name", "url", "ical", "layer"]) expect(form).toContain(`name="${field}"`);
    expect(form).toMatch(new RegExp(`<option value="${rota.scheduleId}" selected`));
    const of = { schedule_id: rota.scheduleId };
    const plain = { ...of, name: "X", url: "http://a.example" };
    const refused = await browser.submit(path, plain);
    expect([refused.status, refused.text.includes("must be an https URL")]).toEqual([422, true]);
    expect(refused.text).toContain('value="http://a.example"');
    const server = openCalendarServer(
      newCalendar([shiftOf(rota, "B"), { uid: "2", summary: "Carol <b>only</b>" }]),
    );
    const first = { ...of, name: "PagerDuty", url: server.url, ical: "", layer: "2" };
    const asked = await browser.submit(path, first);
    expect(asked.text).toContain("The calendar has 1 shift of people of this account.");
    expect(asked.text).toContain("1 without a known person");
    expect(asked.text).toContain("Changes in Payments");
    expect((await rota.account.api("GET", "/calendar_imports")).body.total_count).toBe(0);
    const added = await submitConfirmed(browser, path, first);
    expect(added.to).toBe("/calendars#imports");
    expect(added.text).toContain("Calendar import created.");
    for (const shown of [added.text, (await browser.get(schedule)).text]) {
      expect(shown).toContain("1 without a known person");
      expect(shown).toContain("Carol &lt;b&gt;only&lt;/b&gt;");
      expect(shown).toContain(">read<");
      expect(shown).not.toContain(server.url);
    }
    const { body } = await rota.account.api("GET", "/calendar_imports");
    const id = body.data[0].prefix_id;
    server.failure = () => new Response("", { status: 500 });
    const failed = await browser.submit(`${path}/${id}/refresh`);
    expect(failed.text).toContain("But the calendar could not be read: the server answered 500.");
    expect(failed.text).toContain(">failing<");
    expect(failed.text).toContain(`${path}/${id}">PagerDuty</a>`);
    expect((await browser.get(`${path}/${id}`)).text).toContain(`value="${server.url}"`);
    const edited = { name: "Opsgenie", url: "", ical: "", layer: "2" };
    const cleared = await browser.submit(`${path}/${id}`, edited);
    expect([cleared.status, cleared.text.includes("be blank, unless ical")]).toEqual([422, true]);
    const other = openCalendarServer(newCalendar([shiftOf(rota, "A")]));
    const moved = await submitConfirmed(browser, `${path}/${id}`, { ...edited, url: other.url });
    expect(moved.text).toContain("Changes saved.");
    expect(moved.text).toContain("Opsgenie");
    expect((await rota.account.api("GET", `/calendar_imports/${id}`)).body.url).toBe(other.url);
    const removed = await submitConfirmed(browser, `${path}/${id}/delete`);
    expect(removed.text).toContain("Calendar import deleted.");
    expect(removed.text).not.toContain("Opsgenie");
    const text = await submitConfirmed(browser, path, {
      ...of,
      ...{ name: "File", url: "", layer: "1", ical: newCalendar([shiftOf(rota, "B", "9")]) },
    });
    expect(text.text).toContain("Calendar import created.");
  });

  test("are marked on their shifts, which offer an override and no change", async () => {
    const rota = await makeRota("AB");
    const browser = await signInAdmin(rota.account);
    await rota.account.api("POST", "/calendar_imports", {
      schedule_id: rota.scheduleId,
      name: "Rota",
      ical: newCalendar([shiftOf(rota, "B")]),
    });
    const { body } = await rota.account.api("GET", "/events");
    const [event] = body.data;
    const page = `/events/${event.id}?at=${event.start_datetime}&schedule=${rota.scheduleId}`;
    const { text } = await browser.get(page);
    expect(text).toContain("Imported shift.");
    expect(text).toContain("change=override");
    expect(text).not.toContain("change=edit");
    expect(text).not.toContain('id="remove"');
  });

  test("are seen by members, who cannot change them", async () => {
    const rota = await makeRota("AB");
    await rota.account.api("POST", "/calendar_imports", {
      schedule_id: rota.scheduleId,
      name: "Rota of others",
      ical: newCalendar([shiftOf(rota, "B")]),
    });
    const member = rota.colleagues.get("B");
    if (!member) throw new Error("no B");
    const browser = await signIn(member.id);
    const { text } = await browser.get(`/schedules/${rota.scheduleId}`);
    expect(text).toContain("Rota of others");
    expect(text).not.toContain("/calendars/imports");
    expect((await browser.get("/calendars")).text).not.toContain("/calendars/imports");
    const { data } = (await rota.account.api("GET", "/calendar_imports")).body;
    const path = `/calendars/imports/${data[0].prefix_id}/delete`;
    expect((await browser.submit(path)).text).toContain("needs the role admin");
    expect((await rota.account.api("GET", "/calendar_imports")).body.total_count).toBe(1);
  });
});

describe("absence calendars", () => {
  test("are read, and seen by their person and admins", async () => {
    const rota = await makeRota("AB");
    const member = rota.colleagues.get("B");
    if (!member) throw new Error("no B");
    const browser = await signIn(member.id);
    const at = Math.floor(Date.now() / DAY + 3) * DAY;
    const server = openCalendarServer(
      newCalendar([{ uid: "1", dtstart: utc(at), dtend: utc(at + DAY), summary: "Beach" }]),
    );
    const calendars = "/calendars/absences";
    const added = await browser.submit(calendars, {
      account_user_id: member.id,
      name: "HR",
      url: server.url,
    });
    expect(added.text).toContain("Absence calendar created.");
    const away = (await browser.get("/absences")).text;
    expect(away).toContain("Beach");
    expect(away).toContain("from a calendar");
    const { data } = (await rota.account.api("GET", "/absence_calendars")).body;
    server.failure = () => new Response("", { status: 410 });
    const path = `${calendars}/${data[0].prefix_id}`;
    expect((await browser.submit(`${path}/refresh`)).text).toContain("the server answered 410");
    const form = (await browser.get(path)).text;
    expect(form).toContain(`value="${server.url}"`);
    const replaced = { name: "HR", url: server.url, region: "DE-BY" };
    const refused = await browser.submit(path, replaced);
    expect([refused.status, refused.text.includes("cannot be given with a url")]).toEqual([
      422,
      true,
    ]);
    const changed = await browser.submit(path, { ...replaced, url: "" });
    expect(changed.text).toContain("Changes saved.");
    expect(changed.text).toContain("Public holidays: Germany, Bayern");
    const removed = await browser.submit(`${path}/delete`);
    expect(removed.text).toContain("Absence calendar deleted.");
    expect((await browser.get("/absences")).text).not.toContain("Beach");
  });

  test("have the public holidays of a region", async () => {
    const rota = await makeRota("A");
    const browser = await signInAdmin(rota.account);
    const found = JSON.parse((await browser.get("/choices?from=regions&q=bayern")).text);
    expect(found.choices).toContainEqual({ value: "DE-BY", label: "Germany, Bayern" });
    const holidays = { account_user_id: rota.ids("A")[0] ?? "", name: "Public holidays", url: "" };
    const none = await browser.submit("/calendars/absences", { ...holidays, region: "" });
    expect([none.status, none.text.includes("can&#39;t be blank, unless a region")]).toEqual([
      422,
      true,
    ]);
    const added = await browser.submit("/calendars/absences", { ...holidays, region: "DE-BY" });
    expect(added.text).toContain("Absence calendar created.");
    expect(added.text).toContain("Public holidays: Germany, Bayern");
    expect((await browser.get("/absences")).text).toContain("Christmas Day");
    const shown = (await browser.get("/calendars?region=GB-SCT")).text;
    expect(shown).toContain("New Year&#39;s Day");
    expect((await browser.get("/calendars?region=nowhere")).text).toContain("No public holidays");
  });
});
