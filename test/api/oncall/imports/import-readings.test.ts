// The readings of a calendar import: by alarm, with what changes and what never does, and failures.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";
import {
  type CalendarServer,
  forgetObject,
  importStub,
  openCalendarServer,
  runImportAlarm,
} from "../../../support/oncall/imports.ts";
import { makeRota, type Rota } from "../../../support/oncall/rota.ts";
import { type Mailbox, openMailbox } from "../../../support/providers/mailbox.ts";
import { neverAnswers, serveAt } from "../../../support/providers/outbound.ts";
import { failDatabase, soon } from "../../../support/worker/faults.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const iso = (at: number) => new Date(at).toISOString();

let mailbox: Mailbox;
let rota: Rota;
let server: CalendarServer;
/** A whole hour tomorrow, by the clock that most tests set: the real one fires no alarm meanwhile. */
let start: number;
let prefixId: string;

beforeEach(async () => {
  mailbox = openMailbox();
  rota = await makeRota("ABC");
  start = Math.floor((Date.now() + DAY) / HOUR) * HOUR;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  if (prefixId) await forgetObject(importStub(prefixId));
});

const mailOf = (letter: string) => rota.colleagues.get(letter)?.email ?? "";

/** An event from `from` to `to` hours after the start, for people by letter. */
const shift = (uid: string, from: number, to: number, who: string) => ({
  uid,
  dtstart: utc(start + from * HOUR),
  dtend: utc(start + to * HOUR),
  summary: [...who].map(mailOf).join(" "),
});
type Shift = ReturnType<typeof shift>;

async function importShifts(...shifts: readonly Shift[]): Promise<string> {
  server = openCalendarServer(newCalendar(shifts));
  const { status, body, text } = await rota.account.api("POST", "/calendar_imports", {
    schedule_id: rota.scheduleId,
    name: "Rota",
    url: server.url,
  });
  expect(status, text).toBe(201);
  prefixId = body.prefix_id;
  return body.id;
}

const read = async (id: string) => (await rota.account.api("GET", `/calendar_imports/${id}`)).body;
const refresh = async (id: string, ...shifts: readonly Shift[]) => {
  server.ical = newCalendar(shifts);
  const reply = await rota.account.api("POST", `/calendar_imports/${id}/refresh`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

/** `0..8 B`: hours after the start, with minutes as a fraction; `now` is the current time. */
async function shifts(now?: number): Promise<string[]> {
  const lines = await rota.window(iso(start - DAY), iso(start + 10 * DAY));
  return lines.map((it) => {
    const [, times = "", who] = it.split(" ");
    const hours = times.split("..").map((text) => {
      const at = Date.parse(text);
      return at === now ? "now" : String((at - start) / HOUR);
    });
    return `${hours.join("..")} ${who}`;
  });
}

const setClock = (at: number) => vi.useFakeTimers({ toFake: ["Date"], now: at });

const eventIds = async (id: string) =>
  (await rota.account.api("GET", `/events?import_id=${id}&limit=100`)).body.data
    .map((it: any) => `${it.id} ${it.updated_at}`)
    .sort();

describe("a reading", () => {
  test("of the same calendar changes nothing, whatever the time", async () => {
    setClock(start);
    const all = [shift("1", -2, 6, "B"), shift("2", 6, 14, "C"), shift("3", 14, 22, "BC")];
    const id = await importShifts(...all);
    const before = await eventIds(id);
    expect(before).toHaveLength(3);
    await refresh(id, ...all);
    setClock(start + 5 * HOUR);
    await refresh(id, ...all.toReversed());
    expect(await eventIds(id)).toEqual(before);
    setClock(start + 15 * HOUR);
    const body = await refresh(id, ...all);
    expect([await eventIds(id), body.shift_count]).toEqual([before, 1]);
  });

  test("changes coming shifts, ends the running one now, and leaves past ones", async () => {
    setClock(start);
    const id = await importShifts(
      ...[shift("past", 0, 2, "B"), shift("running", 2, 10, "B"), shift("later", 10, 12, "B")],
      shift("gone", 12, 14, "C"),
    );
    expect(await shifts()).toEqual(["0..2 B", "2..10 B", "10..12 B", "12..14 C"]);
    const now = start + 4 * HOUR + 7_000;
    setClock(now);
    await refresh(id, shift("running", 2, 10, "C"), shift("later", 11, 13, "BC"));
    expect(await shifts(now)).toEqual(["0..2 B", "2..now B", "now..10 C", "11..13 BC"]);
    expect(await rota.now()).toEqual(["1 C"]);
    // Everything vanishes.
    const end = start + 6 * HOUR;
    setClock(end);
    const body = await refresh(id);
    expect(await shifts(now)).toEqual(["0..2 B", "2..now B", "now..6 C"]);
    expect([await rota.now(), body.shift_count]).toEqual([[], 0]);
  });

  test("keeps overrides of shifts that the calendar keeps", async () => {
    setClock(start);
    const all = [shift("1", 0, 8, "B"), shift("2", 8, 16, "B"), shift("3", 16, 24, "B")];
    const id = await importShifts(...all);
    const { body } = await rota.account.api("GET", `/events?import_id=${id}`);
    for (const event of body.data) {
      const at = Date.parse(event.start_datetime);
      const reply = await rota.amend(event.id, "override", {
        action_time: event.start_datetime,
        start_time: iso(at + 4 * HOUR),
        end_time: iso(at + 6 * HOUR),
        layer: 1,
        time_zone: "UTC",
        account_user_ids: rota.ids("A"),
      });
      expect(reply.status, reply.text).toBe(201);
    }
    const now = start + 2 * HOUR;
    setClock(now);
    // Of the running shift the people change, of the next one the hours, and the last one vanishes.
    await refresh(id, shift("1", 0, 8, "C"), shift("2", 9, 16, "C"));
    expect(await shifts(now)).toEqual([
      "0..now B",
      "now..4 C",
      "4..6 A",
      "6..8 C",
      "9..12 C",
      "12..14 A",
      "14..16 C",
    ]);
    setClock(now + HOUR);
    const again = await eventIds(id);
    await refresh(id, shift("1", 0, 8, "C"), shift("2", 9, 16, "C"));
    expect(await eventIds(id)).toEqual(again);
    setClock(now + 2 * HOUR + MINUTE);
    await refresh(id);
    // The override that runs is served.
    expect((await shifts()).filter((it) => it.endsWith("A"))).toEqual(["4..6 A"]);
  });

  test("happens every hour by the alarm, and asks whether the calendar has changed", async () => {
    setClock(start);
    const id = await importShifts(shift("1", 0, 8, "B"));
    server.etag = '"one"';
    await refresh(id, shift("1", 0, 8, "B"));
    const conditions = () => server.requests.map(({ headers }) => headers.get("if-none-match"));
    setClock(start + HOUR);
    expect(await runImportAlarm(prefixId)).toBe(true);
    expect(conditions()).toEqual([null, null, '"one"']);
    expect((await read(id)).last_read_at).toBe(iso(start + HOUR));
    server.etag = '"two"';
    server.ical = newCalendar([shift("1", 0, 9, "B")]);
    setClock(start + 2 * HOUR);
    await runImportAlarm(prefixId);
    expect(await shifts()).toEqual(["0..9 B"]);
    // Once a day it is read completely: the window has moved.
    setClock(start + 27 * HOUR);
    await runImportAlarm(prefixId);
    expect(conditions().slice(3)).toEqual(['"one"', null]);
    expect((await read(id)).next_read_at).toBe(iso(start + 28 * HOUR));
  });

  test("expands series as the window moves, at most a thousand shifts", async () => {
    setClock(start);
    const daily = { ...shift("1", 0, 1, "B"), rrule: "FREQ=DAILY" };
    const id = await importShifts(daily);
    expect((await read(id)).shift_count).toBeGreaterThanOrEqual(179);
    const last = async () =>
      (await rota.account.api("GET", `/events?import_id=${id}&sort=start_datetime&limit=1`)).body
        .data[0].start_datetime;
    const before = Date.parse(await last());
    setClock(start + 2 * DAY);
    await runImportAlarm(prefixId);
    expect(Date.parse(await last()) - before).toBe(2 * DAY);
    const hourly = { ...daily, rrule: "FREQ=HOURLY" };
    const body = await refresh(id, hourly);
    expect(body.shift_count).toBe(1_000);
    expect(Date.parse(body.imported_until) - (start + 2 * DAY)).toBe(1_000 * HOUR);
  });

  test("notifies of a handoff that it makes", async () => {
    start -= DAY;
    await rota.account.api("PUT", `/teams/${rota.teamId}`, { handoff_notifications: "team_all" });
    const id = await importShifts(shift("1", -1, 8, "B"));
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(3), soon);
    expect(mailbox.mails[0]?.subject).toContain("B Person on call, nobody off call");
    mailbox.mails.length = 0;
    await refresh(id, shift("1", -1, 8, "C"));
    await vi.waitFor(() => expect(mailbox.mails.length).toBe(3), soon);
    expect(mailbox.mails[0]?.subject).toContain("C Person on call, B Person off call");
  });

  test("after a deletion empties the object", async () => {
    const id = await importShifts(shift("1", 0, 8, "B"));
    await rota.account.api("DELETE", `/calendar_imports/${id}`);
    expect(await runImportAlarm(prefixId)).toBe(false);
    // An import whose writer died before it was written.
    const orphan = "cim_AAAAAAAAAAAAAA";
    await importStub(orphan).expect({ id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", accountId: "x" });
    setClock(Date.now() + MINUTE);
    expect(await runImportAlarm(orphan)).toBe(true);
    expect(await runImportAlarm(orphan)).toBe(false);
  });
});

describe("a failure", () => {
  const failures: readonly [string, () => Response, string][] = [
    ["an error", () => new Response("no", { status: 404 }), "the server answered 404"],
    [
      "a redirect",
      () => Response.redirect("https://elsewhere.example.com/", 302),
      "the server answered 302: redirects are not followed",
    ],
    ["a page", () => new Response("<html>Sign in</html>"), "the calendar is not an iCalendar text"],
    ["too much", () => new Response("x".repeat(1_048_577)), "the calendar is larger than 1 MiB"],
    [
      "a lost connection",
      () => {
        throw new TypeError("network connection lost");
      },
      "no connection",
    ],
  ];
  test.each(failures)("by %s keeps the shifts and says why", async (_, failure, reason) => {
    const id = await importShifts(shift("1", 0, 8, "B"));
    const before = await eventIds(id);
    server.failure = failure;
    const body = await refresh(id);
    expect(body).toMatchObject({ last_error: reason, shift_count: 1 });
    expect(body.failing_since).not.toBeNull();
    expect(Date.parse(body.next_read_at) - Date.parse(body.failing_since)).toBe(5 * MINUTE);
    expect(await eventIds(id)).toEqual(before);
    server.failure = null;
    const mended = await refresh(id, shift("1", 0, 8, "B"));
    expect(mended).toMatchObject({ last_error: null, failing_since: null });
    expect(await eventIds(id)).toEqual(before);
  });

  test("by silence ends after ten seconds", async () => {
    const id = await importShifts(shift("1", 0, 8, "B"));
    serveAt(new URL(server.url).host, neverAnswers);
    const began = performance.now();
    const body = await refresh(id);
    expect(body.last_error).toBe("no answer within 10 seconds");
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  test("of the first reading still makes the import", async () => {
    server = openCalendarServer("");
    server.failure = () => new Response("", { status: 500 });
    const reply = await rota.account.api("POST", "/calendar_imports", {
      schedule_id: rota.scheduleId,
      name: "Broken",
      url: server.url,
    });
    prefixId = reply.body.prefix_id;
    expect([reply.status, reply.body.last_error]).toEqual([201, "the server answered 500"]);
    expect(reply.body.last_read_at).toBeNull();
  });

  test("is retried ever later, and told to the team's admins once after a day", async () => {
    setClock(start);
    const id = await importShifts(shift("1", 0, 100, "B"));
    server.failure = () => new Response("", { status: 503 });
    setClock(start + HOUR);
    const pauses: number[] = [];
    let now = start + HOUR;
    for (let i = 0; i < 14; i += 1) {
      await runImportAlarm(prefixId);
      const next = Date.parse((await read(id)).next_read_at);
      pauses.push((next - now) / MINUTE);
      now = next;
      setClock(now);
    }
    expect(pauses.slice(0, 7)).toEqual([5, 10, 20, 40, 80, 160, 240]);
    expect(Math.max(...pauses)).toBe(240);
    // One of the attempts is exactly a day after the first failure.
    const elapsed = pauses.map((_, i) => pauses.slice(0, i).reduce((sum, it) => sum + it, 0));
    expect(elapsed).toContain(24 * 60);
    const told = () => mailbox.mails.filter(({ subject }) => subject.includes("fails"));
    await vi.waitFor(() => expect(told().length).toBe(1), soon);
    expect(told()[0]?.to).toMatch(/^admin/);
    expect(told()[0]?.subject).toBe('Calendar import "Rota" fails');
    expect(told()[0]?.text).toContain("Last error: the server answered 503");
    expect(JSON.stringify(told())).not.toContain("secret");
    await vi.waitFor(async () => {
      await runImportAlarm(prefixId);
      expect(told().length).toBe(1);
    }, soon);
    // A later failure is another one.
    server.failure = null;
    await refresh(id, shift("1", 0, 100, "B"));
    server.failure = () => new Response("", { status: 503 });
    now += HOUR + MINUTE;
    setClock(now);
    await runImportAlarm(prefixId);
    setClock(now + DAY + MINUTE);
    await runImportAlarm(prefixId);
    await vi.waitFor(() => expect(told().length).toBe(2), soon);
  });

  test("of the database changes nothing, and is made up for by the alarm", async () => {
    setClock(start);
    const id = await importShifts(shift("1", 0, 8, "B"));
    server.ical = newCalendar([shift("1", 0, 9, "B")]);
    setClock(start + HOUR + MINUTE);
    const mend = failDatabase();
    const reported = vi.spyOn(console, "error").mockReturnValue();
    expect(await runImportAlarm(prefixId)).toBe(true);
    mend();
    expect(reported.mock.calls.flat()).toContainEqual(
      expect.objectContaining({ message: "the reading of a calendar is postponed" }),
    );
    expect([await shifts(), (await read(id)).last_error]).toEqual([["0..8 B"], null]);
    await runImportAlarm(prefixId);
    expect(await shifts()).toEqual(["0..9 B"]);
  });
});
