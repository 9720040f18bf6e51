// Rotations that skip who is away, through the API: by hand, from a calendar, in previews, and
// when schedules and people change.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import type { Colleague } from "../../../support/people/people.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A, B and C take daily turns from the day after tomorrow on. */
async function makeRotation(fields: Record<string, unknown> = {}) {
  const rota = await makeRota("ABCD");
  const start = Math.floor(Date.now() / DAY + 2) * DAY;
  const event = await rota.event("ABC", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
    when_away: "next_in_line",
    ...fields,
  });
  const ben = rota.colleagues.get("B") as Colleague;
  const hours = (from: number, to: number) => ({
    start_datetime: iso(start + from * HOUR),
    end_datetime: iso(start + to * HOUR),
  });
  return { rota, start, event, ben, hours };
}

/** Who serves each day of four, by letter; several if the day is split. */
async function days(rota: Rota, start: number): Promise<string> {
  const lines = await rota.window(iso(start), iso(start + 4 * DAY));
  const ofDay = (day: number) => {
    const date = iso(start + day * DAY).slice(0, 10);
    const own = lines.filter((line) => line.startsWith(`1 ${date}`));
    return own.map((line) => line.split(" ")[2]).join("/") || "-";
  };
  return [0, 1, 2, 3].map(ofDay).join(" ");
}

type Api = Rota["account"]["api"];

async function made(api: Api, path: string, body: unknown) {
  const reply = await api("POST", path, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

describe("a rotation that skips who is away", () => {
  test("gives their hours to the next in line, and back", async () => {
    const { rota, start, event, ben, hours } = await makeRotation();
    const { api } = rota.account;
    expect((await api("GET", `/events/${event.id}`)).body.when_away).toBe("next_in_line");
    const away = await made(ben.api, "/absences", hours(24, 60));
    // The answer of the write is enough to wait for.
    expect(await days(rota, start)).toBe("A C C A");
    const { start_datetime: from, end_datetime: to } = hours(24, 48);
    const window = `/schedules/${rota.scheduleId}/window_events?start=${from}&end=${to}`;
    expect((await api("GET", window)).body).toMatchObject([
      {
        ...{ event_id: event.id, start_time: from, end_time: to },
        attendees: [{ attendee_id: rota.ids("C")[0] }],
        absent: [{ account_user_id: ben.id, absence_id: away.id }],
      },
    ]);
    expect((await api("GET", "/events")).body.total_count).toBe(1);
    const path = `/absences/${away.id}`;
    await ben.api("PUT", path, hours(36, 60));
    expect(await days(rota, start)).toBe("A B/C C A");
    const conflicts = await api("GET", `/schedules/${rota.scheduleId}/conflicts`);
    expect(conflicts.body.conflicts).toEqual([]);
    expect((await ben.api("DELETE", path)).status).toBe(204);
    expect(await days(rota, start)).toBe("A B C A");
  });

  test("is previewed by every write of an unavailability as it then happens", async () => {
    const { rota, start, ben, hours } = await makeRotation();
    const before = await days(rota, start);
    const preview = await ben.api("POST", "/absences?preview=true", hours(24, 48));
    expect([preview.status, preview.body.schedules], preview.text).toMatchObject([
      200,
      [
        {
          schedule_id: rota.scheduleId,
          changes: [
            {
              start_time: iso(start + DAY),
              end_time: iso(start + 2 * DAY),
              account_user_ids_before: rota.ids("B"),
              account_user_ids_after: rota.ids("C"),
            },
          ],
          gaps_opened: [],
        },
      ],
    ]);
    expect(await days(rota, start)).toBe(before);
    expect((await ben.api("GET", "/absences")).body.total_count).toBe(0);
    const { id } = await made(ben.api, "/absences", hours(24, 48));
    const back = await ben.api("DELETE", `/absences/${id}?preview=true`);
    expect(back.body.schedules[0].changes).toMatchObject([
      { account_user_ids_before: rota.ids("C"), account_user_ids_after: rota.ids("B") },
    ]);
    const later = await ben.api("PUT", `/absences/${id}?preview=true`, hours(36, 48));
    expect(later.body.schedules[0].changes).toMatchObject([{ end_time: iso(start + 36 * HOUR) }]);
    expect(await days(rota, start)).toBe("A C C A");
  });

  test("switched on and off, in the preview too", async () => {
    const { rota, start, event, ben, hours } = await makeRotation({ when_away: "stay" });
    const { api } = rota.account;
    const path = `/events/${event.id}`;
    await made(ben.api, "/absences", hours(24, 48));
    expect(await days(rota, start)).toBe("A B C A");
    const on = await api("PUT", `${path}?preview=true`, { when_away: "next_in_line" });
    expect(on.body.schedules[0].changes).toMatchObject([
      { account_user_ids_before: rota.ids("B"), account_user_ids_after: rota.ids("C") },
    ]);
    expect((await api("PUT", path, { when_away: "next_in_line" })).body.when_away).toBe(
      "next_in_line",
    );
    expect(await days(rota, start)).toBe("A C C A");
    const people = await api("PUT", `${path}?preview=true`, { account_user_ids: rota.ids("ABD") });
    const shifts = people.body.schedules[0].shifts.map((it: { account_user_ids: string[] }) =>
      rota.letters(it.account_user_ids),
    );
    expect(shifts.slice(0, 3).join("")).toBe("ADA");
    await api("PUT", path, { account_user_ids: rota.ids("ABD") });
    expect(await days(rota, start)).toBe("A D D A");
    await api("PUT", path, { when_away: "stay" });
    expect(await days(rota, start)).toBe("A B D A");
  });

  test("leaves the last one on call, and the conflict", async () => {
    const { rota, start, ben, hours } = await makeRotation();
    const { api } = rota.account;
    for (const letter of "AC") {
      const body = { ...hours(0, 96), account_user_id: rota.ids(letter)[0] };
      await made(api, "/absences", body);
    }
    expect(await days(rota, start)).toBe("B B B B");
    await made(ben.api, "/absences", hours(24, 36));
    expect(await days(rota, start)).toBe("B B B B");
    const { body } = await api("GET", `/schedules/${rota.scheduleId}/conflicts`);
    expect(body.conflicts).toMatchObject([
      { account_user_id: ben.id, ...{ start_time: iso(start + DAY) } },
    ]);
  });

  test("lets covers and overrides by hand stand", async () => {
    const { rota, start, event, ben, hours } = await makeRotation();
    const { api } = rota.account;
    await made(ben.api, "/absences", hours(24, 48));
    const cover = await made(api, "/absences", {
      ...hours(24, 36),
      account_user_id: ben.id,
      instead: "person",
      covering_account_user_id: rota.ids("D")[0],
    });
    expect(await days(rota, start)).toBe("A D/C C A");
    expect(cover.shifts).toMatchObject([
      { event_id: event.id, account_user_ids: rota.ids("D"), end_time: iso(start + 36 * HOUR) },
    ]);
    expect((await api("DELETE", `/absences/${cover.id}`)).status).toBe(204);
    expect(await days(rota, start)).toBe("A C C A");
    // By hand, the absent person too is put on call.
    const { start_datetime: start_time, end_datetime: end_time } = hours(24, 48);
    const byHand = { action_time: start_time, start_time, end_time, layer: 1, time_zone: "UTC" };
    const override = { ...byHand, account_user_ids: rota.ids("D") };
    const { id } = await made(api, `/events/${event.id}/override`, override);
    expect(await days(rota, start)).toBe("A D C A");
    expect((await api("PUT", `/events/${id}`, { account_user_ids: [ben.id] })).status).toBe(200);
    expect(await days(rota, start)).toBe("A B C A");
    expect((await api("DELETE", `/events/${id}`)).status).toBe(204);
    expect(await days(rota, start)).toBe("A C C A");
    expect((await ben.api("GET", "/absences")).body.total_count).toBe(1);
  });

  test("follows an absence calendar, and who leaves", async () => {
    const { rota, start, ben } = await makeRotation();
    const entry = (from: number, to: number) => ({
      uid: "1",
      dtstart: utc(start + from * HOUR),
      dtend: utc(start + to * HOUR),
      summary: "Holidays",
    });
    const server = openCalendarServer(newCalendar([entry(24, 48)]));
    const calendar = await made(ben.api, "/absence_calendars", { name: "HR", url: server.url });
    expect(await days(rota, start)).toBe("A C C A");
    server.ical = newCalendar([entry(36, 48)]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(calendar.next_read_at) });
    await runDurableObjectAlarm(env.ABSENCE_CALENDAR.getByName(calendar.prefix_id));
    vi.useRealTimers();
    expect(await days(rota, start)).toBe("A B/C C A");
    expect((await rota.account.api("DELETE", `/account_users/${ben.id}`)).status).toBe(204);
    expect(await days(rota, start)).toBe("A C A C");
  });

  test("gives the public holidays of a region to the next in line", async () => {
    const from = iso(Date.now() + 3 * DAY).slice(0, 10);
    const to = iso(Date.now() + 300 * DAY).slice(0, 10);
    const rota = await makeRota("ABC");
    const { api } = rota.account;
    const { body } = await api("GET", `/holidays?region=DE-BY&from=${from}&to=${to}`);
    const holiday = Date.parse(body.data[0].date);
    await rota.event("ABC", {
      start_datetime: iso(holiday - DAY),
      end_datetime: iso(holiday),
      repeat: true,
      frequency: 1,
      frequency_unit: "daily",
      rotation: true,
      when_away: "next_in_line",
    });
    const ben = rota.colleagues.get("B") as Colleague;
    const calendar = await made(ben.api, "/absence_calendars", { name: "Bayern", region: "DE-BY" });
    expect(await days(rota, holiday - DAY)).toBe("A C C A");
    expect((await ben.api("DELETE", `/absence_calendars/${calendar.id}`)).status).toBe(204);
    expect(await days(rota, holiday - DAY)).toBe("A B C A");
  });
});
