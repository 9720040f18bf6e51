// Previews of calendar imports, and of schedules that lose their events: over the URL that is fetched,
// and through the console.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { announced, differences, entriesOf } from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { signInAdmin, submitConfirmed } from "../../../support/worker/console.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let rota: Rota;
let midnight: number;
beforeEach(async () => {
  rota = await makeRota("ABC");
  midnight = (Math.floor(Date.now() / DAY) + 1) * DAY;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An event from `from` to `to` hours after the next midnight UTC, for a person. */
const shift = (uid: string, from: number, to: number, letter: string) => ({
  uid,
  dtstart: utc(midnight + from * HOUR),
  dtend: utc(midnight + to * HOUR),
  summary: rota.colleagues.get(letter)?.email ?? letter,
});

const body = (source: Record<string, unknown>) => ({
  schedule_id: rota.scheduleId,
  name: "Rota",
  ...source,
});

const storedImports = async () =>
  (await env.DB.prepare("select count(*) as n from calendar_imports").first<{ n: number }>())?.n;

/** The preview of a call, against what then happens. */
async function expectForetold(method: string, path: string, sent?: Record<string, unknown>) {
  const { api } = rota.account;
  const preview = await api(method, `${path}?preview=true`, sent);
  expect(preview.status, preview.text).toBe(200);
  const before = await entriesOf(rota, preview.body.window);
  const written = await api(method, path, sent);
  expect(written.status, written.text).toBeLessThan(300);
  const after = await entriesOf(rota, preview.body.window);
  expect(announced(preview.body).sort()).toEqual(
    differences(before, after, preview.body.window).sort(),
  );
  return { preview: preview.body, written: written.body };
}

test("the previews of an import foretell its first reading, later ones and its end", async () => {
  const server = openCalendarServer(
    newCalendar([shift("1", 0, 8, "B"), shift("2", 8, 16, "C"), shift("3", 16, 20, "Carol")]),
  );
  const made = await expectForetold("POST", "/calendar_imports", body({ url: server.url }));
  expect(made.preview.unchanged).toBe(false);
  expect(made.preview.calendar).toEqual({
    error: null,
    shift_count: 2,
    unmatched: ["Carol"],
    imported_until: expect.any(String),
  });
  const path = `/calendar_imports/${made.written.id}`;
  server.ical = newCalendar([shift("1", 0, 10, "B"), shift("4", 30, 40, "C")]);
  const read = await expectForetold("POST", `${path}/refresh`);
  expect(read.preview.calendar.shift_count).toBe(2);
  await expectForetold("PUT", path, { layer: 2 });
  const renamed = await expectForetold("PUT", path, { name: "Other" });
  expect([renamed.preview.unchanged, renamed.preview.calendar]).toEqual([true, undefined]);
  await expectForetold("PUT", path, { ical: newCalendar([shift("9", 3, 5, "B")]) });
  const ended = await expectForetold("DELETE", path);
  expect(ended.preview.unchanged).toBe(false);
});

test("a preview stores nothing, and sends the calendar's server no validators", async () => {
  const server = openCalendarServer(newCalendar([shift("1", 0, 8, "B")]));
  server.etag = '"one"';
  const stored = await storedImports();
  const { api } = rota.account;
  const create = body({ url: server.url });
  const preview = await api("POST", "/calendar_imports?preview=true", create);
  expect(preview.body.calendar.shift_count, preview.text).toBe(1);
  expect(await storedImports()).toBe(stored);
  expect((await api("GET", "/events")).body.total_count).toBe(0);
  const made = await api("POST", "/calendar_imports", create);
  const read = await api("GET", `/calendar_imports/${made.body.id}`);
  await api("POST", `/calendar_imports/${made.body.id}/refresh?preview=true`);
  expect(server.requests.at(-1)?.headers.get("if-none-match")).toBeNull();
  expect((await api("GET", `/calendar_imports/${made.body.id}`)).body).toEqual(read.body);
});

test("a calendar that cannot be read changes no shift, and the preview says why", async () => {
  const server = openCalendarServer("");
  server.failure = () => new Response("", { status: 403 });
  const { api } = rota.account;
  const preview = await api("POST", "/calendar_imports?preview=true", body({ url: server.url }));
  expect(preview.body, preview.text).toMatchObject({
    unchanged: true,
    calendar: { error: "the server answered 403", shift_count: 0, unmatched: [] },
  });
  const browser = await signInAdmin(rota.account);
  const asked = await browser.submit("/calendars/imports", {
    ...{ schedule_id: rota.scheduleId, name: "Rota" },
    ...{ url: server.url, ical: "", layer: "1" },
  });
  expect(asked.text).toContain("The calendar could not be read: the server answered 403.");
});

test.each([
  ["an address inside", { url: "https://10.0.0.1/" }, "url must name a host, not an IP address"],
  ["a text that is none", { ical: "Dear all," }, "ical is not an iCalendar text"],
])("the preview of %s is refused", async (_, source, message) => {
  const refused = await rota.account.api("POST", "/calendar_imports?preview=true", body(source));
  expect([refused.status, refused.body.errors[0].message]).toEqual([422, message]);
});

test.each([
  ["flush", "Remove all events", "All events removed."],
  ["delete", "Delete schedule", "Schedule deleted."],
])("the console shows whose shifts end before it does so: %s", async (what, title, flash) => {
  await rota.event("BC", {
    ...{ start_datetime: new Date(midnight).toISOString(), rotation: true, repeat: true },
    ...{ end_datetime: new Date(midnight + DAY).toISOString() },
    ...{ frequency: 1, frequency_unit: "daily" },
  });
  const { api } = rota.account;
  const browser = await signInAdmin(rota.account);
  const path = `/schedules/${rota.scheduleId}/${what}`;
  const asked = await browser.submit(path);
  expect(asked.text).toContain(title);
  for (const text of ["B Person", "C Person", "nobody"]) expect(asked.text).toContain(text);
  expect((await api("GET", "/events")).body.total_count).toBe(1);
  const done = await submitConfirmed(browser, path);
  expect(done.text).toContain(flash);
  expect((await api("GET", "/events")).body.total_count).toBe(0);
});
