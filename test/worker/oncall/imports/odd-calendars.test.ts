// Calendars that are odd, or made to stop their reader: each is a result that the record shows, and a
// reading that ends its object is not repeated for hours.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
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
import { serveAt } from "../../../support/providers/outbound.ts";
import { soon } from "../../../support/worker/faults.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let rota: Rota;
let start: number;
beforeEach(async () => {
  rota = await makeRota("AB");
  start = Math.floor((Date.now() + DAY) / HOUR) * HOUR;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A shift of B, from and to hours after the start. */
const shift = (uid: string, from: number, to: number, more = {}) => ({
  uid,
  dtstart: utc(start + from * HOUR),
  dtend: utc(start + to * HOUR),
  summary: rota.colleagues.get("B")?.email ?? "",
  ...more,
});

const body = (source: object) => ({ schedule_id: rota.scheduleId, name: "Rota", ...source });

/** The zone that ran from the year 1 in seconds, used by one event: 476 bytes that stopped everything. */
const ENDLESS_ZONE = newCalendar(
  [{ dtstart: "tzid=Ours:20270301T090000", duration: "PT1H", summary: "Watch" }],
  [
    ...["BEGIN:VTIMEZONE", "TZID:Ours", "BEGIN:STANDARD", "DTSTART:00010101T000000"],
    ...[
      "TZOFFSETFROM:+0000",
      "TZOFFSETTO:+0000",
      "RRULE:FREQ=SECONDLY",
      "END:STANDARD",
      "END:VTIMEZONE",
    ],
  ],
);

describe("a calendar", () => {
  const odd: readonly [string, () => string, object][] = [
    [
      "of an endless zone",
      () => ENDLESS_ZONE,
      {
        error: 'the calendar has no event that can be read: Watch (unknown time zone "Ours")',
        unmatched: [],
      },
    ],
    [
      "with an endless event beside a right one",
      () =>
        newCalendar([
          { dtstart: "20270301T090000Z", duration: "P99999999999999999999999W", summary: "Odd" },
          shift("1", 0, 8),
        ]),
      { error: null, unmatched: ["Odd"], shift_count: 1 },
    ],
    [
      "with a time in an unknown zone beside a right one",
      () =>
        newCalendar([
          { dtstart: "tzid=Moon Time:20270301T090000", duration: "PT1H", summary: "Odd" },
          shift("1", 0, 8),
        ]),
      { error: null, unmatched: ['Odd (unknown time zone "Moon Time")'], shift_count: 1 },
    ],
  ];
  test.each(odd)(
    "%s is a result, in the request, at a URL and in every preview",
    async (_, text, result) => {
      const { api } = rota.account;
      const expected = result as {
        error: string | null;
        unmatched: string[];
        shift_count?: number;
      };
      const { error, unmatched, shift_count: count = 0 } = expected;
      const calendar = { error, unmatched, shift_count: count };
      const source = { ical: text() };
      const [preview, made] = [
        await api("POST", "/calendar_imports?preview=true", body(source)),
        await api("POST", "/calendar_imports", body(source)),
      ];
      if (error === null) {
        expect(preview.body.calendar, preview.text).toMatchObject(calendar);
        expect(made.body, made.text).toMatchObject({ last_error: null, unmatched });
      } else {
        const message = error.replace("the calendar", "ical");
        for (const reply of [preview, made]) {
          expect([reply.status, reply.text]).toEqual([
            422,
            expect.stringContaining(JSON.stringify(message).slice(1, -1)),
          ]);
        }
      }
      const server = openCalendarServer(text());
      const shown = await api("POST", "/calendar_imports?preview=true", body({ url: server.url }));
      expect(shown.body.calendar, shown.text).toMatchObject(calendar);
      const read = await api("POST", "/calendar_imports", body({ url: server.url }));
      expect(read.body, read.text).toMatchObject({ last_error: error, unmatched });
      expect(read.body.failing_since === null).toBe(error === null);
      const again = await api("POST", `/calendar_imports/${read.body.id}/refresh`);
      expect([again.status, again.body.last_error]).toEqual([200, error]);
    },
  );

  test("of absences takes who is busy or away from call, and names what it cannot read", async () => {
    const server = openCalendarServer(
      newCalendar([
        shift("1", 0, 8, { summary: "Holidays" }),
        shift("2", 10, 12, { summary: "A friend's birthday", transp: "TRANSPARENT" }),
        shift("3", 20, 22, {
          summary: "Away",
          transp: "TRANSPARENT",
          "x-microsoft-cdo-busystatus": "OOF",
        }),
        { dtstart: "tzid=Moon Time:20270301T090000", duration: "PT1H", summary: "Odd" },
      ]),
    );
    const { api } = rota.account;
    const create = { name: "HR", url: server.url };
    const preview = await api("POST", "/absence_calendars?preview=true", create);
    const unmatched = ['Odd (unknown time zone "Moon Time")'];
    expect(preview.body.calendar, preview.text).toMatchObject({ shift_count: 2, unmatched });
    const made = await api("POST", "/absence_calendars", create);
    expect(made.body, made.text).toMatchObject({
      last_error: `1 event could not be read: ${unmatched[0]}`,
      failing_since: null,
    });
    const { body: list } = await api("GET", "/absences?sort=start_datetime&direction=asc");
    expect(list.data.map(({ reason }: { reason: string }) => reason)).toEqual(["Holidays", "Away"]);
    server.ical = newCalendar([shift("1", 0, 8, { summary: "Holidays" })]);
    const mended = await api("POST", `/absence_calendars/${made.body.id}/refresh`);
    expect(mended.body.last_error).toBeNull();
  });

  test("of Office 365 is fetched: its host refuses those who name no browser", async () => {
    const server = openCalendarServer("");
    serveAt(new URL(server.url).host, ({ headers }) =>
      /^Mozilla\/5\.0 \([^)]+\) Chrome\/\d+/.test(headers.get("user-agent") ?? "")
        ? new Response(newCalendar([shift("1", 0, 8)]))
        : Response.redirect(
            "https://outlook.office365.com/owa/auth/errorfe.aspx?httpCode=500",
            302,
          ),
    );
    const made = await rota.account.api("POST", "/calendar_imports", body({ url: server.url }));
    expect(made.body, made.text).toMatchObject({ last_error: null, shift_count: 1 });
  });
});

describe("a reading that ends its object", () => {
  let server: CalendarServer;
  let id: string;
  let prefixId: string;
  beforeEach(async () => {
    server = openCalendarServer(newCalendar([shift("1", 0, 8)]));
    const made = await rota.account.api("POST", "/calendar_imports", body({ url: server.url }));
    expect(made.status, made.text).toBe(201);
    ({ id, prefix_id: prefixId } = made.body);
  });
  afterEach(() => forgetObject(importStub(prefixId)));

  const read = async () => (await rota.account.api("GET", `/calendar_imports/${id}`)).body;

  /** Ends the object after it has stored that it begins to read the calendar's text. */
  async function dieWhileReading(): Promise<void> {
    const storage = await runInDurableObject(importStub(prefixId), (_, state) =>
      Object.getPrototypeOf(state.storage),
    );
    const begun = vi
      .spyOn(storage as DurableObjectStorage, "sync")
      .mockImplementation(() => new Promise<never>(() => {}));
    const reading = importStub(prefixId).refresh({ id, accountId: rota.account.accountId });
    reading.catch(() => undefined);
    await vi.waitFor(() => expect(begun).toHaveBeenCalledTimes(1), soon);
    begun.mockRestore();
    await abortAllDurableObjects();
  }

  test("is a failure that the record shows, and is not repeated for hours", async () => {
    await dieWhileReading();
    const requests = server.requests.length;
    const refreshed = await rota.account.api("POST", `/calendar_imports/${id}/refresh`);
    expect(refreshed.body, refreshed.text).toMatchObject({
      last_error: "the last reading did not end",
      shift_count: 1,
    });
    expect(refreshed.body.failing_since).not.toBeNull();
    const pause = Date.parse(refreshed.body.next_read_at) - Date.now();
    expect(Math.round(pause / HOUR)).toBe(4);
    await rota.account.api("POST", `/calendar_imports/${id}/refresh`);
    await runImportAlarm(prefixId);
    expect(server.requests.length).toBe(requests);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(refreshed.body.next_read_at) + 1_000 });
    await runImportAlarm(prefixId);
    expect([(await read()).last_error, server.requests.length]).toEqual([null, requests + 1]);
  });

  test("is recorded by the alarm that the platform repeats", async () => {
    await dieWhileReading();
    const { next_read_at: due } = await read();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(due) });
    await runImportAlarm(prefixId);
    expect((await read()).last_error).toBe("the last reading did not end");
  });

  test("does not keep another calendar from being read", async () => {
    await dieWhileReading();
    await rota.account.api("POST", `/calendar_imports/${id}/refresh`);
    const other = openCalendarServer(newCalendar([shift("1", 0, 8), shift("2", 8, 16)]));
    const moved = await rota.account.api("PUT", `/calendar_imports/${id}`, { url: other.url });
    expect(moved.body, moved.text).toMatchObject({ last_error: null, shift_count: 2 });
  });

  test("leaves no trace when it ends as it should", async () => {
    const keys = await runInDurableObject(importStub(prefixId), (_, { storage }) =>
      [...storage.kv.list()].map(([key]) => key),
    );
    expect(keys).toEqual(["watch"]);
  });
});
