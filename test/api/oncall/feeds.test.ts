// Calendar feeds, parsed by a calendar library as their subscribers parse them and compared with the
// API.
import { env } from "cloudflare:workers";
import ICAL from "ical.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { makeRota, type Rota } from "../../support/oncall/rota.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";

const DAY = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();
const today = () => Math.floor(Date.now() / DAY) * DAY;

type Read = {
  readonly name: string;
  readonly events: readonly {
    uid: string;
    summary: string;
    start_time: string;
    end_time: string;
    properties: string[];
  }[];
};

/** Parses a calendar with a subscriber's library. */
function read(text: string): Read {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return {
    // A property of RFC 7986, which the library does not unescape.
    name: String(calendar.getFirstPropertyValue("name")).replace(/\\([\\;,])/g, "$1"),
    events: calendar.getAllSubcomponents("vevent").map((component) => {
      const event = new ICAL.Event(component, { exceptions: [] });
      return {
        uid: event.uid,
        summary: event.summary,
        start_time: event.startDate.toJSDate().toISOString(),
        end_time: event.endDate.toJSDate().toISOString(),
        properties: component.getAllProperties().map(({ name }) => name),
      };
    }),
  };
}

const pathOf = (url: string) => new URL(url).pathname;
const fetchFeed = (url: string, headers?: Record<string, string>) =>
  call("GET", pathOf(url), { ...(headers && { headers }) });

async function makeFeed(api: Account["api"], source: string, body: unknown = {}) {
  const reply = await api("POST", `${source}/feeds`, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

describe("a feed", () => {
  let rota: Rota;
  let weekly: string;

  beforeAll(async () => {
    rota = await makeRota("ABC");
    const { id } = await rota.event("ABC", {
      time_zone: "Eastern Time (US & Canada)",
      start_datetime: iso(today() - 100 * DAY + 9 * 3_600_000),
      end_datetime: iso(today() - 93 * DAY + 9 * 3_600_000),
      repeat: true,
      frequency: 1,
      frequency_unit: "weekly",
      rotation: true,
    });
    weekly = id;
    const starts = iso(today() + 6 * DAY + 10 * 3_600_000);
    const shifts = await window();
    const inTurn = shifts.find((it) => it.start_time <= starts && it.end_time > starts);
    for (const hour of [10, 14]) {
      const made = await rota.amend(id, "override", {
        action_time: inTurn?.start_time,
        start_time: iso(today() + 6 * DAY + hour * 3_600_000),
        end_time: iso(today() + 6 * DAY + (hour + 2) * 3_600_000),
        layer: hour === 10 ? 1 : 2,
        time_zone: "UTC",
        account_user_ids: rota.ids("BC"),
      });
      expect(made.status, made.text).toBe(201);
    }
  });

  type Entry = { start_time: string; end_time: string; attendees: { attendee_id: string }[] };

  /** The API's entries for the window of a feed. */
  async function window(): Promise<Entry[]> {
    const [start, end] = [iso(today() - 30 * DAY), iso(today() + 180 * DAY)];
    const path = `/schedules/${rota.scheduleId}/window_events?start=${start}&end=${end}`;
    return (await rota.account.api("GET", path)).body;
  }

  const times = (entries: readonly { start_time: string; end_time: string }[]) =>
    entries.map(({ start_time, end_time }) => `${start_time}..${end_time}`).sort();

  const name = (letter: string) => (letter === "A" ? "Ada Admin" : `${letter} Person`);

  test("of a schedule or its team contains the schedule's window, with names and no address", async () => {
    const shifts = await window();
    expect(shifts.length).toBeGreaterThan(30);
    for (const source of [`/schedules/${rota.scheduleId}`, `/teams/${rota.teamId}`]) {
      const { url } = await makeFeed(rota.account.api, source);
      const { status, headers, text } = await fetchFeed(url);
      expect([status, headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
      expect(headers.get("cache-control")).toBe("private, max-age=300");
      expect(headers.get("x-request-id")).not.toBeNull();
      const { events } = read(text);
      expect(times(events)).toEqual(times(shifts));
      expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
      const layers = shifts.map(({ attendees }) =>
        attendees.map((it) => name(rota.letters([it.attendee_id]))).join(", "),
      );
      expect(events.map(({ summary }) => summary.replace(/ \(step \d\)$/, "")).sort()).toEqual(
        layers.sort(),
      );
      expect(text).not.toContain("example.com");
      expect(text).not.toMatch(/RRULE|ATTENDEE|ORGANIZER/);
      for (const line of text.split("\r\n")) {
        expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
      }
      expect(text.endsWith("END:VCALENDAR\r\n")).toBe(true);
    }
  });

  test("of a person contains their shifts in all schedules", async () => {
    const person = rota.ids("B")[0];
    const { url } = await makeFeed(rota.account.api, `/account_users/${person}`);
    const { events, name: title } = read((await fetchFeed(url)).text);
    const theirs = (await window()).filter(({ attendees }) =>
      attendees.some((it) => it.attendee_id === person),
    );
    expect(times(events)).toEqual(times(theirs));
    expect(title).toBe("B Person");
    expect(events[0]?.summary).toBe("On call: Payments Schedule (step 1)");
    const other = await rota.account.api("POST", "/schedules", { name: "Second" });
    await rota.account.api("PUT", `/events/${weekly}`, {
      schedule_ids: [rota.scheduleId, other.body.id],
    });
    const again = read((await fetchFeed(url)).text);
    expect(times(again.events)).toEqual(times(theirs));
    expect(again.events[0]?.summary).toContain("Payments Schedule, Second");
  });

  test("answers 304 to a matching ETag until something changes, and shift UIDs do not change", async () => {
    const { url } = await makeFeed(rota.account.api, `/schedules/${rota.scheduleId}`);
    const first = await fetchFeed(url);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const held of [tag, `"other", ${tag}`, "*"]) {
      const same = await fetchFeed(url, { "If-None-Match": held });
      expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", tag]);
      expect(same.headers.get("cache-control")).toBe("private, max-age=300");
    }
    await rota.event("C", {
      layer: 3,
      start_datetime: iso(today() + DAY),
      end_datetime: iso(today() + 2 * DAY),
    });
    const changed = await fetchFeed(url, { "If-None-Match": tag });
    expect(changed.status).toBe(200);
    const before = read(first.text).events.map(({ uid }) => uid);
    const after = read(changed.text).events.map(({ uid }) => uid);
    expect(after.length).toBe(before.length + 1);
    expect(after).toEqual(expect.arrayContaining(before));
    const head = await call("HEAD", pathOf(url));
    expect([head.status, head.text, head.headers.get("etag")]).toEqual([
      200,
      "",
      changed.headers.get("etag"),
    ]);
  });

  test("takes two round trips, and its creation one", async () => {
    const source = `/schedules/${rota.scheduleId}`;
    const { trips, result } = await fewestTrips(1, () => makeFeed(rota.account.api, source));
    expect(trips).toBe(1);
    expect((await fewestTrips(2, () => fetchFeed(result.url))).trips).toBe(2);
  });

  test("escapes special characters in names", async () => {
    const unusualName = 'Ops; "night", \\ shift\r\nATTACH:https://evil.example\r\nX'.concat(
      " ø😀".repeat(40),
    );
    const { body: schedule } = await rota.account.api("POST", "/schedules", {
      name: unusualName.slice(0, 250),
    });
    const { url } = await makeFeed(rota.account.api, `/schedules/${schedule.id}`);
    await rota.event("B", {
      schedule_ids: [schedule.id],
      start_datetime: iso(today()),
      end_datetime: iso(today() + DAY),
    });
    const { text } = await fetchFeed(url);
    expect(text).not.toMatch(/^ATTACH/m);
    const { events, name: title } = read(text);
    expect(title).toBe(unusualName.slice(0, 250).replace(/\r\n/g, " "));
    expect(events).toHaveLength(1);
    const person = await makeFeed(rota.account.api, `/account_users/${rota.ids("B")[0]}`);
    const shifts = read((await fetchFeed(person.url)).text).events;
    expect(shifts.map(({ summary }) => summary)).toContain(`On call: ${title} (step 1)`);
    expect(new Set(shifts.flatMap(({ properties }) => properties))).toEqual(
      new Set([
        ...["uid", "sequence", "dtstamp", "dtstart", "dtend", "summary", "transp"],
        ...["x-tocsin-on-call", "x-tocsin-layer"],
      ]),
    );
  });
});

describe("the feeds of an account", () => {
  test("show their secret once, store its hash, and are listed for their creator and for admins", async () => {
    const rota = await makeRota("AB");
    const { api } = rota.account;
    const member = rota.colleagues.get("B");
    if (!member) throw new Error("no B");
    const made = await makeFeed(member.api, `/schedules/${rota.scheduleId}`, {
      name: "My calendar",
      meta: { for: "phone" },
    });
    expect(made).toEqual({
      id: expect.any(String),
      prefix_id: expect.stringMatching(/^fed_/),
      account_id: rota.account.accountId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      meta: { for: "phone" },
      name: "My calendar",
      account_user_id: member.id,
      source_type: "Schedule",
      source_id: rota.scheduleId,
      url: expect.stringMatching(/^https:\/\/tocsin\.test\/feeds\/[\w-]{43}\.ics$/),
    });
    const secret = made.url.slice(-47, -4);
    const stored = await env.DB.prepare("select * from calendar_feeds where id = ?")
      .bind(made.id)
      .first();
    expect(JSON.stringify(stored)).not.toContain(secret);
    const { url: _, ...shown } = made;
    expect((await member.api("GET", `/feeds/${made.prefix_id}`)).body).toEqual(shown);
    const own = await makeFeed(api, `/teams/${rota.teamId}`);
    const mine = await member.api("GET", "/feeds");
    expect(mine.body).toEqual({ data: [shown], has_more: false, total_count: 1 });
    const all = await api("GET", `/feeds?source_type=Team`);
    expect(all.body).toMatchObject({ data: [{ id: own.id }], total_count: 1 });
    expect((await api("GET", "/feeds")).body.total_count).toBe(2);
    expect((await member.api("GET", `/feeds/${own.id}`)).status).toBe(404);
    expect((await member.api("DELETE", `/feeds/${own.id}`)).status).toBe(404);
    expect(read((await fetchFeed(made.url)).text).name).toBe("My calendar");
  });

  test("are not found if unknown or revoked, or if their source or creator is deleted", async () => {
    const rota = await makeRota("AB");
    const { api } = rota.account;
    const member = rota.colleagues.get("B");
    if (!member) throw new Error("no B");
    const { body: schedule } = await api("POST", "/schedules", { name: "Short-lived" });
    const revoked = await makeFeed(api, `/schedules/${rota.scheduleId}`);
    const orphaned = await makeFeed(api, `/schedules/${schedule.id}`);
    const left = await makeFeed(member.api, `/schedules/${rota.scheduleId}`);
    const feeds = [revoked, orphaned, left];
    for (const { url } of feeds) expect((await fetchFeed(url)).status).toBe(200);
    expect((await api("DELETE", `/feeds/${revoked.id}`)).status).toBe(204);
    expect((await api("DELETE", `/feeds/${revoked.id}`)).status).toBe(404);
    expect((await api("DELETE", `/schedules/${schedule.id}`)).status).toBe(204);
    expect((await api("DELETE", `/account_users/${member.id}`)).status).toBe(204);
    const secret = pathOf(revoked.url);
    const paths = [...feeds.map(({ url }) => pathOf(url)), secret.slice(0, -4), "/feeds/x.ics"];
    for (const path of paths) {
      const { status, body, headers } = await call("GET", path);
      expect([status, body.code, body.errors.length], path).toEqual([404, 404, 1]);
      expect(body.request_id).toBe(headers.get("x-request-id"));
    }
    expect((await api("GET", "/feeds")).body).toMatchObject({ data: [], total_count: 0 });
  });

  test("are created and found only within their own account", async () => {
    const rota = await makeRota("A");
    const stranger = await makeAccount();
    for (const source of [
      `/schedules/${rota.scheduleId}`,
      `/teams/${rota.teamId}`,
      `/account_users/${rota.account.accountUserId}`,
    ]) {
      expect((await stranger.api("POST", `${source}/feeds`, {})).status, source).toBe(404);
    }
    const feed = await makeFeed(rota.account.api, `/teams/${rota.teamId}`);
    expect((await stranger.api("GET", `/feeds/${feed.id}`)).status).toBe(404);
    expect((await stranger.api("DELETE", `/feeds/${feed.id}`)).status).toBe(404);
    expect((await stranger.api("GET", "/feeds")).body.total_count).toBe(0);
  });

  test("with too many shifts end early, name what is missing, and are paged by day", async () => {
    const rota = await makeRota("A");
    await rota.event("A", {
      start_datetime: iso(today() - 40 * DAY),
      end_datetime: iso(today() - 40 * DAY + DAY / 24),
      repeat: true,
      frequency: 1,
      frequency_unit: "hourly",
    });
    const { url } = await makeFeed(rota.account.api, `/schedules/${rota.scheduleId}`);
    const { text } = await fetchFeed(url);
    // 208 whole days of 24 shifts, and the entry that names the missing ones.
    const all = read(text).events;
    expect(all).toHaveLength(208 * 24 + 1);
    const shifts = all.slice(0, -1);
    expect(shifts[0]?.start_time).toBe(iso(today() - 30 * DAY));
    const cut = iso(today() + 178 * DAY);
    expect(shifts.at(-1)?.end_time).toBe(cut);
    const [from, to] = [cut.slice(0, 10), iso(today() + 180 * DAY).slice(0, 10)];
    expect(all.at(-1)).toMatchObject({
      summary: `This calendar ends here: 48 shifts until ${to} are not shown`,
      start_time: cut,
    });
    expect(text.replaceAll("\r\n ", "")).toContain(`?from=${from}&to=${to}`);
    // The missing shifts, at the URL that the entry names.
    const rest = read((await call("GET", `${pathOf(url)}?from=${from}&to=${to}`)).text).events;
    expect(rest.map((it) => it.start_time)).toEqual(
      Array.from({ length: 48 }, (_, hour) => iso(today() + 178 * DAY + (hour * DAY) / 24)),
    );
  });

  test.each([
    ["from=2026-13-01", 400],
    ["to=tomorrow", 400],
    ["from=2026-02-30", 400],
    ["from=2026-03-02&to=2026-03-02", 422],
    ["from=2026-01-01&to=2027-01-03", 422],
    ["from=2026-01-01&to=2027-01-02", 200],
    ["from=2040-01-01", 200],
    ["to=2020-01-01", 200],
  ])("answer the query %s with %i", async (query, status) => {
    const rota = await makeRota("A");
    const { url } = await makeFeed(rota.account.api, `/schedules/${rota.scheduleId}`);
    const reply = await call("GET", `${pathOf(url)}?${query}`);
    expect(reply.status, reply.text).toBe(status);
  });

  test("of a team without a schedule or a person without shifts are empty calendars", async () => {
    const rota = await makeRota("A");
    const { api } = rota.account;
    const feed = await makeFeed(api, `/teams/${rota.teamId}`);
    await api("DELETE", `/schedules/${rota.scheduleId}`);
    expect(read((await fetchFeed(feed.url)).text)).toEqual({ name: "Payments", events: [] });
    const person = await makeFeed(api, `/account_users/${rota.account.accountUserId}`);
    expect(read((await fetchFeed(person.url)).text).events).toEqual([]);
  });
});
