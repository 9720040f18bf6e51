// What absences, and rotations that skip who is away, did stays as it was: whatever becomes of the
// absence, of the people, of the calendar that it came from. Entry by entry.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import { openCalendarServer } from "../../../support/oncall/imports.ts";
import { DAY, type Entry, entriesOf, HOUR, iso } from "../../../support/oncall/previewed.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import type { Colleague } from "../../../support/people/people.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A, B and C take daily turns from tomorrow on; D is in no rotation. */
async function makeTurns(fields: Record<string, unknown> = {}) {
  const rota = await makeRota("ABCD");
  const { api } = rota.account;
  const start = Math.floor(Date.now() / DAY) * DAY + DAY;
  const event = await rota.event("ABC", {
    start_datetime: iso(start),
    end_datetime: iso(start + DAY),
    repeat: true,
    frequency: 1,
    frequency_unit: "daily",
    rotation: true,
    ...fields,
  });
  const hours = (from: number, to: number) => ({
    start_datetime: iso(start + from * HOUR),
    end_datetime: iso(start + to * HOUR),
  });
  const [a, b, c, d] = rota.ids("ABCD") as [string, string, string, string];
  const write = async (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) => {
    const reply = await api(method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  return { rota, start, event, hours, a, b, c, d, write };
}

type Turns = Awaited<ReturnType<typeof makeTurns>>;

/** Goes so many hours after the first turn's start. */
const goTo = ({ start }: Turns, hours: number) =>
  vi.useFakeTimers({ toFake: ["Date"], now: start + hours * HOUR });

/** The entries until an instant (epoch ms): those that run then end at it. */
async function entriesUntil({ rota, start }: Turns, until: number): Promise<readonly Entry[]> {
  const entries = await entriesOf(rota, { start: iso(start), end: iso(until) });
  return entries.map((it) =>
    Date.parse(it.end_time) > until ? { ...it, end_time: iso(until) } : it,
  );
}

/** Who serves each of some days, by letter; several if the day is split. */
async function daysOf(rota: Rota, start: number, first: number, count: number): Promise<string> {
  const window = { start: iso(start + first * DAY), end: iso(start + (first + count) * DAY) };
  const entries = await entriesOf(rota, window);
  const lettersOn = (day: number) =>
    entries
      .filter((it) => Math.floor((Date.parse(it.start_time) - start) / DAY) === day)
      .map((it) => rota.letters(it.attendees.map(({ attendee_id }) => attendee_id)))
      .join("/");
  return Array.from({ length: count }, (_, day) => lettersOn(first + day) || "-").join(" ");
}

/** Runs a change, which must leave what was served; `days` is who serves the five days from today on. */
async function expectServedStays(turns: Turns, change: () => Promise<unknown>, days?: string) {
  const now = Date.now();
  const before = await entriesUntil(turns, now);
  expect(before.some(({ absent }) => absent.length > 0)).toBe(true);
  await change();
  const today = Math.floor((now - turns.start) / DAY);
  const coming = () => daysOf(turns.rota, turns.start, today, 5);
  // Calendars of holidays are read after the answer.
  if (days !== undefined) await expect.poll(coming, { timeout: 10_000 }).toBe(days);
  expect(await entriesUntil(turns, now)).toEqual(before);
}

const coverOf = (turns: Turns, more: Record<string, unknown> = {}) => ({
  ...turns.hours(0, 14 * 24),
  account_user_id: turns.a,
  instead: "person",
  covering_account_user_id: turns.d,
  ...more,
});

describe("what a cover did stays", () => {
  test("when it is changed in any way, shortened, and deleted, in the middle of a shift", async () => {
    const turns = await makeTurns();
    const { rota, event, hours, a, b, c, d, write } = turns;
    const cover = await write("POST", "/absences", coverOf(turns));
    const path = `/absences/${cover.id}`;
    const change = (body: Record<string, unknown>) => () => write("PUT", path, body);
    const other = await write("POST", "/schedules", { name: "Other" });
    // Each at an hour of a shift of A's, which are those of the days 0, 3, 6, ...
    goTo(turns, 5);
    await expectServedStays(turns, change({ covering_account_user_id: c }), "D/C B C C B");
    goTo(turns, 7);
    await expectServedStays(turns, change({ instead: "empty" }), "D/C B C - B");
    goTo(turns, 24 * 3 + 2);
    const person = { instead: "person", covering_account_user_id: d };
    await expectServedStays(turns, change(person), "D B C D B");
    goTo(turns, 24 * 3 + 4);
    await expectServedStays(turns, change({ instead: "next_in_line" }), "D/C B C B B");
    goTo(turns, 24 * 3 + 5);
    await expectServedStays(turns, change({ schedule_ids: [other.id] }), "D/C/A B C A B");
    goTo(turns, 24 * 3 + 6);
    await expectServedStays(turns, change({ schedule_ids: [] }), "D/C/A/C B C B B");
    goTo(turns, 24 * 3 + 7);
    const byHand = { layer: 1, time_zone: "UTC", account_user_ids: rota.ids("B") };
    const override = {
      ...byHand,
      start_time: iso(Date.now()),
      end_time: hours(0, 80).end_datetime,
    };
    const at = { action_time: hours(72, 72).start_datetime };
    const give = () => write("POST", `/events/${event.id}/override`, { ...override, ...at });
    await expectServedStays(turns, give, "D/C/A/C/B/C B C B B");
    goTo(turns, 24 * 3 + 9);
    await expectServedStays(turns, change({ schedule_ids: [rota.scheduleId] }));
    goTo(turns, 24 * 6 + 3);
    await expectServedStays(turns, change({ account_user_id: b, ...person }), "B/A D C A D");
    goTo(turns, 24 * 7 + 1);
    await expectServedStays(turns, change({ account_user_id: a, ...person }), "D/B C D B C");
    goTo(turns, 24 * 9 + 4);
    const later = { start_datetime: hours(24 * 12, 0).start_datetime };
    await expectServedStays(turns, change(later), "D/A B C D B");
    goTo(turns, 24 * 12 + 4);
    const ended = { end_datetime: hours(0, 24 * 12 + 2).end_datetime };
    await expectServedStays(turns, change(ended), "D/A B C A B");
    goTo(turns, 24 * 12 + 5);
    await expectServedStays(turns, change(hours(0, 24 * 20)), "D/A/D B C D B");
    goTo(turns, 24 * 12 + 6);
    await expectServedStays(turns, () => write("DELETE", path), "D/A/D/A B C A B");
    goTo(turns, 24 * 30);
    await expectServedStays(turns, () =>
      write("POST", "/absences", { ...coverOf(turns), ...hours(0, 24 * 60) }),
    );
  });

  test("when who covers leaves the account", async () => {
    const turns = await makeTurns();
    await turns.write("POST", "/absences", coverOf(turns));
    goTo(turns, 24 * 3 + 5);
    const leave = () => turns.write("DELETE", `/account_users/${turns.d}`);
    const served = await turns.rota.window(iso(turns.start), iso(turns.start + DAY));
    await expectServedStays(turns, leave, "D/A B C A B");
    expect(served.map((line) => line.at(-1))).toEqual(["D"]);
    const { body } = await turns.rota.account.api(
      "GET",
      `/reports/on_call_hours?start=${iso(turns.start)}&end=${iso(Date.now())}`,
    );
    const paid = body.by_person.map(
      (it: { account_user_id: string; minutes: { total: number } }) =>
        `${turns.rota.letters([it.account_user_id])} ${it.minutes.total / 60}`,
    );
    expect(paid.sort()).toEqual(["B 24", "C 24", "D 29"]);
  });

  test("when the absent person leaves the account", async () => {
    const turns = await makeTurns();
    const { b, d, write } = turns;
    await write(
      "POST",
      "/absences",
      coverOf(turns, { account_user_id: b, covering_account_user_id: d }),
    );
    goTo(turns, 24 * 4 + 5);
    const leave = () => write("DELETE", `/account_users/${b}`);
    await expectServedStays(turns, leave);
    expect(await daysOf(turns.rota, turns.start, 5, 4)).not.toMatch(/[BD]/);
    const { body } = await turns.rota.account.api(
      "GET",
      `/account_users/${d}/window_events?start=${iso(turns.start)}&end=${iso(Date.now())}`,
    );
    expect(body.map((it: Entry) => it.start_time)).toEqual([
      iso(turns.start + DAY),
      iso(turns.start + 4 * DAY),
    ]);
  });
});

describe("what a rotation did that skips who is away stays", () => {
  test("when the absence is changed, deleted, entered late, and when the rotation stops skipping", async () => {
    const turns = await makeTurns({ when_away: "next_in_line" });
    const { event, hours, b, c, write } = turns;
    const away = { account_user_id: b, ...hours(0, 24 * 14) };
    const { id } = await write("POST", "/absences", away);
    const path = `/absences/${id}`;
    const put = (at: string, body: unknown) => () => write("PUT", at, body);
    // B's are the days 1, 4, 7, ...
    goTo(turns, 24 + 6);
    await expectServedStays(turns, put(path, hours(36, 24 * 14)), "C/B/C C A A C");
    goTo(turns, 24 + 14);
    const series = `/events/${event.id}`;
    await expectServedStays(turns, put(series, { when_away: "stay" }), "C/B/C/B C A B C");
    goTo(turns, 24 + 16);
    await expectServedStays(turns, put(series, { when_away: "next_in_line" }), "C/B/C/B/C C A A C");
    goTo(turns, 24 + 18);
    const ofC = { account_user_id: c, ...hours(0, 24 * 2) };
    await expectServedStays(turns, () => write("POST", "/absences", ofC), "C/B/C/B/C/A C A A C");
    goTo(turns, 24 * 4 + 3);
    await expectServedStays(turns, () => write("DELETE", path), "A/B C A B C");
    goTo(turns, 24 * 4 + 5);
    await expectServedStays(turns, () => write("POST", "/absences", away), "A/B/A C A C C");
  });

  test("when the person, and who served for them, leave the account", async () => {
    const turns = await makeTurns({ when_away: "next_in_line" });
    const { b, c, hours, write } = turns;
    await write("POST", "/absences", { account_user_id: b, ...hours(0, 24 * 14) });
    goTo(turns, 24 * 4 + 6);
    await expectServedStays(turns, () => write("DELETE", `/account_users/${c}`));
    goTo(turns, 24 * 4 + 8);
    await expectServedStays(turns, () => write("DELETE", `/account_users/${b}`));
    expect(await daysOf(turns.rota, turns.start, 5, 3)).toBe("A A A");
  });

  test("when its calendar is read anew, names another address, and is deleted", async () => {
    const turns = await makeTurns({ when_away: "next_in_line" });
    const { rota, start, write } = turns;
    const ben = rota.colleagues.get("B") as Colleague;
    const entry = (from: number, to: number) => ({
      uid: "1",
      dtstart: utc(start + from * HOUR),
      dtend: utc(start + to * HOUR),
      summary: "Holidays",
    });
    const server = openCalendarServer(newCalendar([entry(0, 24 * 14)]));
    const made = await ben.api("POST", "/absence_calendars", { name: "HR", url: server.url });
    expect(made.status, made.text).toBe(201);
    const path = `/absence_calendars/${made.body.id}`;
    expect(await daysOf(rota, start, 0, 3)).toBe("A C C");
    goTo(turns, 24 + 6);
    server.ical = newCalendar([entry(36, 24 * 14)]);
    const read = () => write("POST", `${path}/refresh`);
    await expectServedStays(turns, read, "C/B/C C A A C");
    goTo(turns, 24 + 14);
    server.ical = newCalendar([]);
    const object = env.ABSENCE_CALENDAR.getByName(made.body.prefix_id);
    await expectServedStays(turns, () => runDurableObjectAlarm(object));
    await expectServedStays(turns, read, "C/B/C/B C A B C");
    goTo(turns, 24 + 16);
    server.ical = newCalendar([entry(0, 24 * 14)]);
    await expectServedStays(
      turns,
      () => write("PUT", path, { url: `${server.url}?2` }),
      "C/B/C/B/C C A A C",
    );
    goTo(turns, 24 * 4 + 3);
    await expectServedStays(turns, () => write("DELETE", path), "A/B C A B C");
  });

  test("when a company holiday is moved, and deleted", async () => {
    const turns = await makeTurns({ when_away: "next_in_line" });
    const { b, start, write } = turns;
    const day = (at: number) => iso(start + at * DAY).slice(0, 10);
    const dates = { start_date: day(1), end_date: day(4) };
    const holiday = await write("POST", "/company_holidays", { name: "Company day", ...dates });
    const calendar = { account_user_id: b, name: "Company", company_holidays: true };
    await write("POST", "/absence_calendars", calendar);
    expect(await daysOf(turns.rota, start, 0, 5)).toBe("A C C A C");
    const path = `/company_holidays/${holiday.id}`;
    goTo(turns, 24 + 6);
    await expectServedStays(turns, () => write("PUT", path, { start_date: day(4) }), "C/B C A C C");
    goTo(turns, 24 * 4 + 6);
    await expectServedStays(turns, () => write("DELETE", path), "C/B C A B C");
  });
});
