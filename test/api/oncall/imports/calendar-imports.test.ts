// Calendar imports through the API: what they import, show and refuse.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { freshEmail, keyOf } from "../../../support/people/people.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

let rota: Rota;
let midnight: number;
beforeEach(async () => {
  rota = await makeRota("ABC");
  midnight = (Math.floor(Date.now() / DAY) + 1) * DAY;
});
afterEach(() => {
  vi.restoreAllMocks();
});

const mailOf = (letter: string) => rota.colleagues.get(letter)?.email ?? "";

/** An event from `start` to `end` hours after the next midnight UTC, for people by letter. */
const shift = (uid: string, start: number, end: number, who: string) => ({
  uid,
  dtstart: utc(midnight + start * HOUR),
  dtend: utc(midnight + end * HOUR),
  summary: `On call: ${[...who].map(mailOf).join(" ")}`,
});

const importOf = (body: Record<string, unknown>) =>
  rota.account.api("POST", "/calendar_imports", {
    schedule_id: rota.scheduleId,
    name: "Rota",
    ...body,
  });

async function made(body: Record<string, unknown>) {
  const reply = await importOf(body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

const window = () => rota.window(iso(midnight - DAY), iso(midnight + 10 * DAY));

/** `1 0..8 B`: hours after the midnight. */
async function shifts(): Promise<string[]> {
  const hours = (text: string) => (Date.parse(text) - midnight) / HOUR;
  return (await window()).map((it) => {
    const [layer, times = "", who] = it.split(" ");
    const [start = "", end = ""] = times.split("..");
    return `${layer} ${hours(start)}..${hours(end)} ${who}`;
  });
}

const eventsOf = async (id: string) =>
  (await rota.account.api("GET", `/events?import_id=${id}&sort=start_datetime&direction=asc`)).body
    .data;

describe("an import", () => {
  test("of a URL puts the calendar's people on call, and shows the result", async () => {
    const other = { ...shift("3", 16, 24, ""), summary: "Somebody else" };
    const server = openCalendarServer(
      newCalendar([shift("1", 0, 8, "B"), shift("2", 8, 16, "BC"), other]),
    );
    const before = Date.now();
    const body = await made({ url: server.url, layer: 2, meta: { from: "PagerDuty" } });
    expect(body).toMatchObject({
      prefix_id: expect.stringMatching(/^cim_/),
      schedule_id: rota.scheduleId,
      name: "Rota",
      layer: 2,
      url: server.url,
      ical: null,
      last_error: null,
      failing_since: null,
      shift_count: 2,
      unmatched: ["Somebody else"],
      meta: { from: "PagerDuty" },
    });
    expect(Date.parse(body.last_read_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.next_read_at) - Date.parse(body.last_read_at)).toBe(HOUR);
    expect(await shifts()).toEqual(["2 0..8 B", "2 8..16 BC"]);
    expect(server.requests.map(({ redirect }) => redirect)).toEqual(["manual"]);
    const [event] = await eventsOf(body.id);
    expect(event).toMatchObject({ import_id: body.id, repeat: false, rotation: false });
    expect((await eventsOf(body.prefix_id)).length).toBe(2);
  });

  test("of a text stores the text, and does not show it", async () => {
    const ical = newCalendar([shift("1", 0, 8, "B")]);
    const body = await made({ ical });
    expect([body.ical, body.url, body.shift_count]).toEqual(["***", undefined, 1]);
    expect(Date.parse(body.next_read_at) - Date.parse(body.last_read_at)).toBe(DAY);
    const path = `/calendar_imports/${body.id}`;
    const same = await rota.account.api("PUT", path, { ical: "***", name: "Renamed" });
    expect(same.body).toMatchObject({ ical: "***", name: "Renamed", shift_count: 1 });
    const [before] = await eventsOf(body.id);
    const next = newCalendar([shift("1", 0, 8, "B"), shift("2", 8, 16, "C")]);
    const changed = await rota.account.api("PUT", path, { ical: next });
    expect(changed.body.shift_count).toBe(2);
    expect(await shifts()).toEqual(["1 0..8 B", "1 8..16 C"]);
    expect((await eventsOf(body.id))[0]).toEqual(before);
    const server = openCalendarServer(newCalendar([shift("9", 0, 8, "C")]));
    const moved = await rota.account.api("PUT", path, { url: server.url, layer: 3 });
    expect(moved.body).toMatchObject({ ical: null, url: server.url, layer: 3 });
    expect(await shifts()).toEqual(["3 0..8 C"]);
  });

  test("accepts the address as a calendar program shows it", async () => {
    const server = openCalendarServer(newCalendar([shift("1", 0, 8, "B")]));
    const body = await made({ url: ` ${server.url.replace("https", "webcal")} ` });
    expect([body.url, body.shift_count]).toEqual([server.url, 1]);
  });

  test("of one of our feeds gives the same on-call, on every layer", async () => {
    await rota.event("ABC", {
      start_datetime: iso(midnight - 5 * DAY),
      end_datetime: iso(midnight - 4 * DAY),
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
    });
    const second = await rota.event("BC", {
      start_datetime: iso(midnight + 9 * HOUR),
      end_datetime: iso(midnight + 17 * HOUR),
      layer: 2,
    });
    const override = await rota.amend(second.id, "override", {
      action_time: iso(midnight + 9 * HOUR),
      start_time: iso(midnight + 10 * HOUR),
      end_time: iso(midnight + 12 * HOUR),
      layer: 2,
      time_zone: "UTC",
      account_user_ids: rota.ids("A"),
    });
    expect(override.status, override.text).toBe(201);
    const { api } = rota.account;
    const feed = await api("POST", `/schedules/${rota.scheduleId}/feeds`, {});
    const text = await api("GET", "/schedules").then(() =>
      import("cloudflare:workers").then(({ exports }) =>
        exports.default.fetch(feed.body.url).then((it: Response) => it.text()),
      ),
    );
    const server = openCalendarServer(text);
    const copy = await api("POST", "/schedules", { name: "Copy" });
    const body = await made({ schedule_id: copy.body.id, url: server.url });
    expect(body.unmatched).toEqual([]);
    const windowOf = async (id: string) => {
      const query = `start=${iso(midnight)}&end=${iso(midnight + 170 * DAY)}`;
      const { body: entries } = await api("GET", `/schedules/${id}/window_events?${query}`);
      return entries
        .map((it: any) => {
          const people = it.attendees.map((one: any) => one.attendee_id).sort();
          return `${it.layer} ${it.start_time} ${it.end_time} ${people}`;
        })
        .sort();
    };
    const original = await windowOf(rota.scheduleId);
    expect(original.length).toBeGreaterThan(170);
    expect(await windowOf(copy.body.id)).toEqual(original);
    const now = async (id: string) =>
      (await api("GET", `/schedules/${id}/current_oncall`)).body.flatMap((it: any) =>
        it.attendees.map((one: any) => one.attendee_id),
      );
    expect(await now(copy.body.id)).toEqual(await now(rota.scheduleId));
  });

  test("finds only people of the account, by addresses that the account sees", async () => {
    const other = await makeAccount();
    const address = freshEmail("stranger");
    const stranger = await other.api("POST", "/account_users", {
      user_attributes: { name: "Stranger", emails_attributes: [{ email: address }] },
    });
    expect(stranger.status).toBe(201);
    const unknown = freshEmail("nobody");
    const events = [address, unknown].map((it, i) => ({
      ...shift(`${i}`, i, i + 1, ""),
      summary: `Shift ${i}`,
      attendee: `mailto:${it}`,
    }));
    const body = await made({ ical: newCalendar(events) });
    expect([body.shift_count, body.unmatched]).toEqual([0, ["Shift 0", "Shift 1"]]);
  });
});

describe("the URL", () => {
  test("is shown to admins of the account and of the schedule's teams, with a full key", async () => {
    const server = openCalendarServer(newCalendar([]));
    const { id } = await made({ url: server.url });
    const path = `/calendar_imports/${id}`;
    const [teamAdmin, member] = [rota.colleagues.get("B"), rota.colleagues.get("C")];
    await rota.account.api("PUT", `/teams/${rota.teamId}`, {
      admin_account_user_ids: rota.ids("AB"),
    });
    const readOnly = await keyOf(rota.account.accountId, rota.account.accountUserId, true);
    const urlFor = async (api = rota.account.api) => (await api("GET", path)).body.url;
    expect(await urlFor()).toBe(server.url);
    expect(await urlFor(teamAdmin?.api)).toBe(server.url);
    expect(await urlFor(member?.api)).toBeUndefined();
    expect(await urlFor(readOnly)).toBeUndefined();
    expect((await member?.api("GET", "/calendar_imports"))?.text).not.toContain("secret");
    const filtered = await rota.account.api("GET", `/calendar_imports?url=${server.url}`);
    expect(filtered.status).toBe(422);
  });

  test.each([
    ["http://calendar.example.com/", "url must be an https URL"],
    ["https://10.0.0.1/", "url must name a host, not an IP address"],
    ["https://localhost/", "url must name a host of the public internet"],
    ["https://u:p@calendar.example.com/", "url must not have a user name or a password"],
    ["file:///etc/passwd", "url must be an https URL"],
  ])("%s is rejected", async (url, message) => {
    const reply = await importOf({ url });
    expect([reply.status, reply.body.errors]).toEqual([422, [{ field: "url", message }]]);
    const { id } = await made({ ical: newCalendar([]) });
    const changed = await rota.account.api("PUT", `/calendar_imports/${id}`, { url });
    expect(changed.status).toBe(422);
  });
});

test.each([
  [{ ical: "Dear all," }, "ical is not an iCalendar text"],
  [
    { ical: "BEGIN:VCALENDAR\nEND:VCALENDAR", url: "https://a.example.com/" },
    "ical cannot be given with a url",
  ],
  [{}, "url can't be blank, unless ical is given"],
])("%j is refused", async (source, message) => {
  const reply = await importOf(source);
  expect([reply.status, reply.body.errors[0].message]).toEqual([422, message]);
});

describe("an imported shift", () => {
  const READ_ONLY = expect.stringContaining("belongs to a calendar import and is read-only");

  test("cannot be changed or deleted, but overridden", async () => {
    const { id } = await made({ ical: newCalendar([shift("1", 0, 8, "B")]) });
    const [event] = await eventsOf(id);
    const { api } = rota.account;
    const at = { action_time: event.start_datetime };
    const attempts = [
      api("PUT", `/events/${event.id}`, { layer: 2 }),
      api("DELETE", `/events/${event.id}`),
      ...["add_exception", "terminate_on", "remove_part"].map((it) => rota.amend(event.id, it, at)),
      rota.amend(event.id, "change_following", { ...at, layer: 2 }),
      rota.amend(event.id, "preview_following", { ...at, layer: 2 }),
    ];
    for (const reply of await Promise.all(attempts)) {
      expect([reply.status, reply.body.errors], reply.text).toEqual([
        409,
        [{ message: READ_ONLY }],
      ]);
    }
    expect(await eventsOf(id)).toEqual([event]);
    const override = await rota.amend(event.id, "override", {
      ...at,
      start_time: iso(midnight + 2 * HOUR),
      end_time: iso(midnight + 4 * HOUR),
      layer: 1,
      time_zone: "UTC",
      account_user_ids: rota.ids("C"),
    });
    expect([override.status, override.body.import_id], override.text).toEqual([201, null]);
    expect(await shifts()).toEqual(["1 0..2 B", "1 2..4 C", "1 4..8 B"]);
    const path = `/events/${override.body.id}`;
    expect((await api("PUT", path, { account_user_ids: rota.ids("A") })).status).toBe(200);
    expect((await api("DELETE", path)).status).toBe(204);
    expect(await shifts()).toEqual(["1 0..8 B"]);
  });

  test("goes with its import, or with the events of its schedule", async () => {
    const { id } = await made({ ical: newCalendar([shift("1", 0, 8, "B")]) });
    expect((await rota.account.api("DELETE", `/calendar_imports/${id}`)).status).toBe(204);
    expect(await shifts()).toEqual([]);
    expect((await rota.account.api("GET", `/calendar_imports/${id}`)).status).toBe(404);
    await made({ ical: newCalendar([shift("1", 0, 8, "B")]) });
    const flush = await rota.account.api("DELETE", `/schedules/${rota.scheduleId}/flush`);
    expect([flush.status, await shifts()]).toEqual([204, []]);
    const list = await rota.account.api("GET", "/calendar_imports");
    expect(list.body).toMatchObject({ data: [], total_count: 0 });
  });
});
