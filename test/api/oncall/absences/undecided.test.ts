// Absences that nobody has decided, absence calendars, and their conflicts with shifts.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import type { Colleague } from "../../../support/people/people.ts";
import { soon } from "../../../support/worker/faults.ts";
import { fewestTrips } from "../../../support/worker/round-trips.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

let rota: Rota;
let ben: Colleague;
let cleo: Colleague;
/** A midnight UTC, two days ahead. */
let day: number;
beforeEach(async () => {
  rota = await makeRota("ABC");
  [ben, cleo] = [rota.colleagues.get("B"), rota.colleagues.get("C")] as [Colleague, Colleague];
  day = Math.floor(Date.now() / DAY + 2) * DAY;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const hours = (from: number, to: number) => ({
  start_datetime: iso(day + from * HOUR),
  end_datetime: iso(day + to * HOUR),
});

describe("an absence", () => {
  test("is of the caller, or of anyone for an admin; others see it without the reason", async () => {
    const made = await ben.api("POST", "/absences", { ...hours(0, 8), reason: "Surgery" });
    expect([made.status, made.body], made.text).toMatchObject([
      201,
      {
        prefix_id: expect.stringMatching(/^abs_/),
        account_user_id: ben.id,
        ...hours(0, 8),
        reason: "Surgery",
        ...{ instead: "nobody_yet", status: "uncovered", source: "person" },
        absence_calendar_id: null,
      },
    ]);
    const path = `/absences/${made.body.prefix_id}`;
    const reasonFor = async (api: Colleague["api"]) => (await api("GET", path)).body.reason;
    expect([await reasonFor(ben.api), await reasonFor(rota.account.api)]).toEqual([
      "Surgery",
      "Surgery",
    ]);
    expect(await reasonFor(cleo.api)).toBeNull();
    expect((await cleo.api("GET", "/absences?reason=Surgery")).body.data).toEqual([]);
    const forBen = { ...hours(8, 9), account_user_id: ben.id };
    expect((await cleo.api("POST", "/absences", forBen)).status).toBe(403);
    expect((await rota.account.api("POST", "/absences", forBen)).status).toBe(201);
    expect((await cleo.api("PUT", path, { reason: "?" })).status).toBe(403);
    expect((await cleo.api("DELETE", path)).status).toBe(403);
    const changed = await ben.api("PUT", path, { end_datetime: iso(day + 9 * HOUR) });
    expect(changed.body).toMatchObject({ ...hours(0, 9), reason: "Surgery" });
    expect((await ben.api("DELETE", path)).status).toBe(204);
    expect((await ben.api("GET", "/absences")).body.total_count).toBe(1);
  });

  test("is decided by who may override the shifts, who changes nothing else of it", async () => {
    await rota.event("B", hours(0, 24));
    const made = await ben.api("POST", "/absences", { ...hours(0, 8), reason: "Surgery" });
    const path = `/absences/${made.body.id}`;
    const decision = { instead: "person", covering_account_user_id: rota.ids("A")[0] };
    expect((await cleo.api("PUT", path, decision)).status).toBe(403);
    expect((await ben.api("PUT", path, decision)).status).toBe(403);
    const admins = { admin_account_user_ids: [rota.account.accountUserId, cleo.id] };
    await rota.account.api("PUT", `/teams/${rota.teamId}`, admins);
    for (const change of [hours(0, 9), { reason: "?" }, { ...decision, ...hours(0, 9) }]) {
      expect((await cleo.api("PUT", path, change)).status).toBe(403);
    }
    expect((await cleo.api("DELETE", path)).status).toBe(403);
    const decided = await cleo.api("PUT", path, decision);
    expect(decided.body, decided.text).toMatchObject({ status: "covered", reason: null });
    expect((await ben.api("PUT", path, hours(0, 9))).status).toBe(403);
    const back = await cleo.api("PUT", path, { instead: "nobody_yet" });
    expect(back.body, back.text).toMatchObject({ status: "uncovered" });
    const { body: other } = await rota.account.api("POST", "/schedules", { name: "Other" });
    await rota.event("B", { ...hours(0, 24), schedule_ids: [other.id] });
    expect((await cleo.api("PUT", path, decision)).status).toBe(403);
    expect((await rota.account.api("PUT", path, decision)).status).toBe(200);
    expect((await ben.api("DELETE", path)).status).toBe(204);
  });

  test.each([
    [
      { ...{ start_time: "2030-01-02T00:00:00Z", end_time: "2030-01-01T00:00:00Z" } },
      "end_datetime must be after start_datetime",
    ],
    [
      { start_time: "2030-01-02T00:00:00Z", end_time: "2033-01-01T00:00:00Z" },
      "end_datetime must be at most 732 days after start_datetime",
    ],
    [
      { start_time: "soon", end_time: "2033-01-01T00:00:00Z" },
      "start_datetime must be an ISO 8601 date-time with an offset",
    ],
  ])("%j is refused", async (body, message) => {
    const reply = await ben.api("POST", "/absences", body);
    expect([reply.status, reply.body.errors[0].message]).toEqual([422, message]);
  });
});

describe("conflicts", () => {
  test("are the hours that a shift and an absence have in common, by start", async () => {
    const shift = await rota.event("BC", hours(0, 24));
    await rota.event("A", hours(0, 24));
    const rotation = await rota.event("BC", {
      ...hours(24, 48),
      layer: 2,
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
    });
    const away = await ben.api("POST", "/absences", { ...hours(20, 54), reason: "Trip" });
    await cleo.api("POST", "/absences", hours(-5, 0));
    await cleo.api("POST", "/absences", hours(24, 48));
    const path = `/schedules/${rota.scheduleId}/conflicts`;
    const conflict = {
      account_user_id: ben.id,
      absence_id: away.body.id,
      reason: "Trip",
    };
    const { body } = await rota.account.api("GET", path);
    expect(Date.parse(body.end_time) - Date.parse(body.start_time)).toBe(42 * DAY);
    expect(body.conflicts).toEqual([
      {
        ...conflict,
        event_id: shift.id,
        layer: 1,
        shift_start_time: iso(day),
        shift_end_time: iso(day + DAY),
        start_time: iso(day + 20 * HOUR),
        end_time: iso(day + DAY),
      },
      {
        ...conflict,
        event_id: rotation.id,
        layer: 2,
        shift_start_time: iso(day + DAY),
        shift_end_time: iso(day + 2 * DAY),
        start_time: iso(day + DAY),
        end_time: iso(day + 2 * DAY),
      },
    ]);
    const forMember = (await cleo.api("GET", path)).body.conflicts;
    expect(forMember.map(({ reason }: { reason: string | null }) => reason)).toEqual([null, null]);
    const window = `?start=${iso(day + 23 * HOUR)}&end=${iso(day + 24 * HOUR)}`;
    const narrow = (await rota.account.api("GET", path + window)).body.conflicts;
    expect(narrow).toMatchObject([
      { start_time: iso(day + 23 * HOUR), end_time: iso(day + 24 * HOUR) },
    ]);
    const { body: later } = await rota.account.api("GET", `${path}?start=${iso(day)}`);
    expect(later.start_time, "either end may be left out").toBe(iso(day));
    expect((await fewestTrips(1, () => rota.account.api("GET", path))).trips).toBe(1);
  });
});

describe("an absence calendar", () => {
  const event = (uid: string, from: number, to: number, summary = "Holidays") => ({
    uid,
    dtstart: utc(day + from * HOUR),
    dtend: utc(day + to * HOUR),
    summary,
  });

  test("is read into read-only absences, every day", async () => {
    const days = {
      uid: "2",
      dtstart: `value=DATE:${utc(day + DAY).slice(0, 8)}`,
      summary: "Offsite",
    };
    const server = openCalendarServer(newCalendar([event("1", 0, 8), days]));
    const made = await ben.api("POST", "/absence_calendars", { name: "HR", url: server.url });
    expect([made.status, made.body], made.text).toMatchObject([
      201,
      {
        prefix_id: expect.stringMatching(/^abc_/),
        account_user_id: ben.id,
        url: server.url,
        last_error: null,
      },
    ]);
    const { id, prefix_id, last_read_at, next_read_at } = made.body;
    expect(Date.parse(next_read_at) - Date.parse(last_read_at)).toBe(DAY);
    const list = async () =>
      (
        await ben.api(
          "GET",
          `/absences?absence_calendar_id=${id}&sort=start_datetime&direction=asc`,
        )
      ).body.data;
    const before = await list();
    expect(before).toMatchObject([
      { ...hours(0, 8), reason: "Holidays", source: "calendar", absence_calendar_id: id },
      { ...hours(24, 48), reason: "Offsite", source: "calendar" },
    ]);
    for (const [method, body] of [
      ["PUT", { reason: "No" }],
      ["DELETE", undefined],
    ] as const) {
      const reply = await ben.api(method, `/absences/${before[0].id}`, body);
      expect([reply.status, reply.text.includes("belongs to an absence calendar")]).toEqual([
        409,
        true,
      ]);
    }
    server.ical = newCalendar([event("1", 0, 9), event("3", 30, 40, "Dentist")]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(next_read_at) });
    await runDurableObjectAlarm(env.ABSENCE_CALENDAR.getByName(prefix_id));
    const after = await list();
    vi.useRealTimers();
    expect(after).toMatchObject([hours(0, 9), { ...hours(30, 40), reason: "Dentist" }]);
    expect([after.length, after[0].id]).toEqual([2, before[0].id]);
    server.failure = () => new Response("", { status: 500 });
    const failed = await ben.api("POST", `/absence_calendars/${id}/refresh`);
    expect(failed.body.last_error).toBe("the server answered 500");
    expect(await list()).toEqual(after);
    const other = openCalendarServer(newCalendar([]));
    const moved = await ben.api("PUT", `/absence_calendars/${id}`, { url: other.url });
    expect([moved.body.last_error, await list()]).toEqual([null, []]);
  });

  test("has the public holidays of a region, on whole days of the person's zone, year by year", async () => {
    const zone = await rota.account.api("PUT", `/users/${ben.userId}`, { time_zone: "Tokyo" });
    expect(zone.status, zone.text).toBe(200);
    const made = await ben.api("POST", "/absence_calendars", { name: "Holidays", region: "de-by" });
    expect([made.status, made.body], made.text).toMatchObject([
      201,
      { url: null, region: "DE-BY", last_error: null },
    ]);
    const { id, prefix_id, last_read_at, next_read_at } = made.body;
    expect(Date.parse(next_read_at) - Date.parse(last_read_at)).toBe(DAY);
    /** The holidays of 366 days from a local date on, as absences. */
    const expected = async (now: number) => {
      const [from, to] = [0, 366].map((days) => iso(now + 9 * HOUR + days * DAY).slice(0, 10));
      const path = `/holidays?region=DE-BY&from=${from}&to=${to}`;
      return (await ben.api("GET", path)).body.data.map(
        ({ date, name }: { date: string; name: string }) =>
          `${iso(Date.parse(date) - 9 * HOUR)}/${iso(Date.parse(date) + 15 * HOUR)} ${name}`,
      );
    };
    const list = async (from: number) => {
      const query = `absence_calendar_id=${id}&end_datetime=${iso(from)}&ops=end_datetime:gt`;
      const order = "sort=start_datetime&direction=asc&limit=100";
      return (await ben.api("GET", `/absences?${query}&${order}`)).body.data.map(
        (it: { start_datetime: string; end_datetime: string; reason: string }) =>
          `${it.start_datetime}/${it.end_datetime} ${it.reason}`,
      );
    };
    const read = Date.parse(last_read_at);
    expect(await list(read)).toEqual(await expected(read));
    const moveTo = (api: Colleague["api"], path: string, time_zone: string) =>
      api("PUT", path, { time_zone });
    await moveTo(ben.api, `/users/${ben.userId}`, "UTC");
    expect((await list(read))[0], "a new zone moves them at once").toContain("T00:00:00.000Z/");
    await moveTo(rota.account.api, `/account_users/${ben.id}`, "Tokyo");
    expect(await list(read)).toEqual(await expected(read));
    const later = read + 340 * DAY;
    vi.useFakeTimers({ toFake: ["Date"], now: later });
    await runDurableObjectAlarm(env.ABSENCE_CALENDAR.getByName(prefix_id));
    vi.useRealTimers();
    const next = await list(later);
    expect(next.length).toBeGreaterThan(5);
    expect(next).toEqual(await expected(later));
    const server = openCalendarServer(newCalendar([event("1", 0, 8)]));
    const path = `/absence_calendars/${id}`;
    const moved = await ben.api("PUT", path, { url: server.url });
    expect(moved.body).toMatchObject({ url: server.url, region: null });
    expect(await list(Date.now())).toEqual([`${iso(day)}/${iso(day + 8 * HOUR)} Holidays`]);
    const back = await ben.api("PATCH", path, { url: null, region: "US" });
    expect(back.body).toMatchObject({ url: null, region: "US", last_error: null });
  });

  test("has the company holidays, alone or beside public ones, and follows them", async () => {
    const { api } = rota.account;
    const dateIn = (days: number) => iso(day + days * DAY).slice(0, 10);
    const body = { name: "Retreat", start_date: dateIn(0), end_date: dateIn(1) };
    const { body: retreat } = await api("POST", "/company_holidays", body);
    const made = await ben.api("POST", "/absence_calendars", {
      name: "Ours",
      company_holidays: true,
    });
    expect(made.body, made.text).toMatchObject({ url: null, region: null, company_holidays: true });
    const days = async () =>
      (await ben.api("GET", "/absences?sort=start_datetime&direction=asc")).body.data.map(
        (it: { start_datetime: string; reason: string }) =>
          `${(Date.parse(it.start_datetime) - day) / DAY} ${it.reason}`,
      );
    expect(await days()).toEqual(["0 Retreat", "1 Retreat"]);
    const path = `/company_holidays/${retreat.id}`;
    expect((await ben.api("PUT", path, { name: "Party" })).status).toBe(403);
    const wrong = await api("PUT", path, { start_date: dateIn(2) });
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([422, "end_date"]);
    const moved = { start_date: dateIn(4), end_date: null, name: "Party" };
    expect((await api("PUT", path, moved)).body).toMatchObject({ ...moved, end_date: dateIn(4) });
    await vi.waitFor(async () => expect(await days()).toEqual(["4 Party"]), soon);
    const calendar = `/absence_calendars/${made.body.id}`;
    await ben.api("PUT", calendar, { region: "DE" });
    expect((await days()).length, "public holidays beside them").toBeGreaterThan(5);
    expect((await ben.api("PUT", calendar, { region: "" })).body.region).toBeNull();
    expect(await days()).toEqual(["4 Party"]);
    expect((await ben.api("PUT", calendar, { company_holidays: false })).status).toBe(422);
    expect((await api("DELETE", path)).status).toBe(204);
    await vi.waitFor(async () => expect(await days()).toEqual([]), soon);
  });

  test.each([
    [{}, "url can't be blank, unless a region or company_holidays is given"],
    [
      { url: "", region: " ", company_holidays: false },
      "url can't be blank, unless a region or company_holidays is given",
    ],
    [{ url: "https://a.example.com/x.ics", region: "DE" }, "region cannot be given with a url"],
    [
      { url: "https://a.example.com/x.ics", company_holidays: true },
      "company_holidays cannot be given with a url",
    ],
    [{ region: "DE-XX" }, "region must be a code that GET /holidays/regions lists"],
    [{ region: "regions" }, "region must be a code that GET /holidays/regions lists"],
    [{ url: "ftp://x" }, "url must be an https URL"],
  ])("of %j is refused", async (source, message) => {
    const reply = await ben.api("POST", "/absence_calendars", { name: "HR", ...source });
    expect([reply.status, reply.body.errors], reply.text).toMatchObject([422, [{ message }]]);
  });

  test("is seen by its person and by admins, and goes with its absences", async () => {
    const server = openCalendarServer(newCalendar([event("1", 0, 8)]));
    const { body } = await ben.api("POST", "/absence_calendars", { name: "HR", url: server.url });
    const path = `/absence_calendars/${body.prefix_id}`;
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await cleo.api(method, path, method === "PUT" ? {} : undefined)).status).toBe(404);
    }
    expect((await cleo.api("POST", `${path}/refresh`)).status).toBe(404);
    expect((await cleo.api("GET", "/absence_calendars")).body.data).toEqual([]);
    expect((await rota.account.api("GET", "/absence_calendars")).body.total_count).toBe(1);
    const named = { name: "HR", url: server.url, account_user_id: ben.id };
    expect((await cleo.api("POST", "/absence_calendars", named)).status).toBe(403);
    expect((await ben.api("POST", "/absence_calendars", { ...named, url: "ftp://x" })).status).toBe(
      422,
    );
    expect((await rota.account.api("DELETE", path)).status).toBe(204);
    expect((await ben.api("GET", "/absences")).body).toMatchObject({
      data: [],
      total_count: 0,
    });
  });

  test("and absences go with their person", async () => {
    const server = openCalendarServer(newCalendar([event("1", 0, 8)]));
    await ben.api("POST", "/absence_calendars", { name: "HR", url: server.url });
    await ben.api("POST", "/absences", hours(0, 8));
    expect((await rota.account.api("DELETE", `/account_users/${ben.id}`)).status).toBe(204);
    for (const path of ["/absences", "/absence_calendars"]) {
      expect((await rota.account.api("GET", path)).body).toMatchObject({
        data: [],
        total_count: 0,
      });
    }
  });
});
