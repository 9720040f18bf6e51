// Previews of absence calendars and of company holidays: what rotations that skip who is away
// then do.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { announced, differences, entriesOf } from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import type { Colleague } from "../../../support/people/people.ts";
import { soon } from "../../../support/worker/faults.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const date = (at: number) => iso(at).slice(0, 10);

let rota: Rota;
let ben: Colleague;
let start: number;
beforeEach(async () => {
  rota = await makeRota("ABC");
  ben = rota.colleagues.get("B") as Colleague;
  start = Math.floor(Date.now() / DAY + 2) * DAY;
  await rota.event("ABC", {
    ...{ start_datetime: iso(start), end_datetime: iso(start + DAY) },
    ...{ repeat: true, frequency: 1, frequency_unit: "daily" },
    ...{ rotation: true, when_away: "next_in_line" },
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A calendar in which Ben is away from and until so many days after the start. */
const away = (from: number, to: number) =>
  newCalendar([
    { uid: "1", dtstart: utc(start + from * DAY), dtend: utc(start + to * DAY), summary: "Away" },
  ]);

/** The preview of a call, against what then happens. */
async function expectForetold(
  { api }: Pick<Colleague, "api">,
  method: string,
  path: string,
  sent?: Record<string, unknown>,
) {
  const preview = await api(method, `${path}?preview=true`, sent);
  expect(preview.status, preview.text).toBe(200);
  const { window } = preview.body;
  const before = await entriesOf(rota, window);
  const written = await api(method, path, sent);
  expect(written.status, written.text).toBeLessThan(300);
  const expected = announced(preview.body).sort();
  await vi.waitFor(async () => {
    expect(differences(before, await entriesOf(rota, window), window).sort()).toEqual(expected);
  }, soon);
  return { preview: preview.body, written: written.body, changes: expected.length };
}

const total = async (path: string) => (await ben.api("GET", path)).body.total_count;

test("the previews of an absence calendar foretell its readings and its end", async () => {
  const server = openCalendarServer(away(1, 2));
  const body = { name: "HR", url: server.url };
  const made = await expectForetold(ben, "POST", "/absence_calendars", body);
  expect(made.changes).toBe(1);
  expect(made.preview.calendar).toEqual({
    error: null,
    shift_count: 1,
    unmatched: [],
    imported_until: expect.any(String),
  });
  const path = `/absence_calendars/${made.written.id}`;
  server.ical = away(1, 1.5);
  expect((await expectForetold(ben, "POST", `${path}/refresh`)).changes).toBe(1);
  const renamed = await expectForetold(ben, "PUT", path, { name: "Other" });
  expect([renamed.preview.unchanged, renamed.preview.calendar]).toEqual([true, undefined]);
  const region = await expectForetold(ben, "PUT", path, { region: "DE-BY", url: null });
  expect(region.preview.calendar.shift_count).toBeGreaterThan(8);
  const ended = await expectForetold(ben, "DELETE", path);
  expect(ended.preview.calendar).toBeUndefined();
});

test("a preview stores nothing; a calendar that cannot be read changes nothing", async () => {
  const server = openCalendarServer(away(1, 2));
  const body = { name: "HR", url: server.url };
  await ben.api("POST", "/absence_calendars?preview=true", body);
  expect(await total("/absence_calendars")).toBe(0);
  const { body: made } = await ben.api("POST", "/absence_calendars", body);
  const path = `/absence_calendars/${made.id}`;
  const read = (await ben.api("GET", path)).body;
  server.failure = () => new Response("", { status: 403 });
  const refresh = await ben.api("POST", `${path}/refresh?preview=true`);
  expect(refresh.body).toMatchObject({
    unchanged: true,
    calendar: { error: "the server answered 403", shift_count: 0 },
  });
  expect((await ben.api("DELETE", `${path}?preview=true`)).body.unchanged).toBe(false);
  expect((await ben.api("GET", path)).body).toEqual(read);
  const carol = rota.colleagues.get("C") as Colleague;
  for (const [method, of] of [
    ["POST", `${path}/refresh`],
    ["PUT", path],
    ["DELETE", path],
  ] as const) {
    expect((await carol.api(method, `${of}?preview=true`, {})).status).toBe(404);
  }
});

test("the previews of company holidays foretell who serves instead", async () => {
  const { account } = rota;
  const calendar = { name: "Company", company_holidays: true };
  expect((await ben.api("POST", "/absence_calendars", calendar)).status).toBe(201);
  const holiday = { name: "Company day", start_date: date(start + DAY) };
  const made = await expectForetold(account, "POST", "/company_holidays", holiday);
  expect(made.changes).toBe(1);
  const path = `/company_holidays/${made.written.id}`;
  const moved = { start_date: date(start + 4 * DAY), end_date: date(start + 4 * DAY) };
  expect((await expectForetold(account, "PUT", path, moved)).changes).toBe(2);
  expect((await expectForetold(account, "PUT", path, { name: "Other" })).changes).toBe(0);
  expect((await expectForetold(account, "DELETE", path)).changes).toBe(1);
  const gone = await account.api("DELETE", `${path}?preview=true`);
  expect(gone.status).toBe(404);
  const refused = await account.api("POST", "/company_holidays?preview=true", {
    ...holiday,
    end_date: date(start),
  });
  expect([refused.status, refused.body.errors[0].field]).toEqual([422, "end_date"]);
  expect(await total("/company_holidays")).toBe(0);
});
