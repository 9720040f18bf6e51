// What calendars of Outlook, Exchange, Google, Confluence and others have that RFC 5545 does not say, or
// that its readers get wrong: the right value of each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../../src/domain/shared/refusal.ts";
import { readCalendar } from "../../../../src/products/calendars/read-calendar.ts";
import { newCalendar } from "../../../support/oncall/calendars.ts";

type Lines = Readonly<Record<string, string>>;

const WINDOW = { from: Date.parse("2026-12-01T00:00Z"), to: Date.parse("2027-06-01T00:00Z") };
const minutes = (at: number) => new Date(at).toISOString().slice(0, 16);

function read(events: readonly (Lines | string)[], head: readonly string[] = []) {
  const reading = readCalendar(newCalendar(events, head), WINDOW);
  if (isRefusal(reading)) throw new Error(reading.errors[0]?.message);
  return reading;
}

/** The intervals of the events, in UTC. */
const intervals = (events: readonly (Lines | string)[], ...head: readonly string[]) =>
  read(events, head).entries.map((it) => `${minutes(it.startAt)} ${minutes(it.endAt)}`);

/** The local dates of entries of whole days in a zone. */
function dates(events: readonly Lines[], zone: string): string[] {
  const { entries } = read(events, [`X-WR-TIMEZONE:${zone}`]);
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  return entries.map(({ startAt }) => format.format(startAt));
}

const december = (...days: readonly number[]) =>
  days.map((day) => `2026-12-${String(day).padStart(2, "0")}`);

describe("a zone without a VTIMEZONE", () => {
  const at9 = (tzid: string) => ({
    dtstart: `tzid=${tzid}:20261207T090000`,
    dtend: `tzid=${tzid}:20261207T170000`,
    summary: "Watch",
  });
  const known: readonly [tzid: string, start: string][] = [
    ["W. Europe Standard Time", "08:00"],
    ["Eastern Standard Time", "14:00"],
    ["Eastern Daylight Time", "14:00"],
    ["eastern standard time", "14:00"],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', "14:00"],
    ["(UTC-05:00) Eastern Time (US & Canada)", "14:00"],
    ['"(GMT-05.00) Eastern Time (US and Canada)"', "14:00"],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', "08:00"],
    ['"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', "03:30"],
    ['"(UTC) Coordinated Universal Time"', "09:00"],
    ["tzone://Microsoft/Utc", "09:00"],
    ["GMT-0500", "14:00"],
    ["UTC+01:00", "08:00"],
    ["GMT+5:30", "03:30"],
    ["UTC-5", "14:00"],
    ["-0500", "14:00"],
    ["EST5EDT", "14:00"],
    ["CET", "08:00"],
    ["/citadel.org/20210210_1/Europe/Rome", "08:00"],
  ];
  test.each(known)("named %s is known", (tzid, start) => {
    expect(intervals([at9(tzid)], "X-WR-TIMEZONE:Asia/Tokyo")[0]?.slice(11, 16)).toBe(start);
  });

  test("that is known by its Windows name follows its daylight saving time", () => {
    const event = { dtstart: "tzid=W. Europe Standard Time:20270507T090000", duration: "PT1H" };
    expect(intervals([event])).toEqual(["2027-05-07T07:00 2027-05-07T08:00"]);
  });

  const unknown = [
    ...["Moon Standard Time", "Customized Time Zone", '"(UTC+01:00) Atlantis"', "GMT+25", "/"],
    // Berlin is not five hours behind.
    '"(UTC-05:00) Berlin"',
  ];
  test.each(unknown)("named %s is never another one: the event is named", (tzid) => {
    const head = ["X-WR-TIMEZONE:Asia/Tokyo"];
    const good = { dtstart: "20261208T090000Z", duration: "PT1H" };
    const { entries, unreadable } = read([at9(tzid), good], head);
    const name = tzid.replaceAll('"', "");
    expect(entries.map(({ startAt }) => minutes(startAt))).toEqual(["2026-12-08T09:00"]);
    expect(unreadable).toEqual([`Watch (unknown time zone "${name}")`]);
    // Nothing of the calendar is known then: it fails.
    expect(readCalendar(newCalendar([at9(tzid)], head), WINDOW)).toMatchObject({
      errors: [{ message: `has no event that can be read: ${unreadable[0]}` }],
    });
  });

  test("of the whole calendar is not UTC either", () => {
    const event = { dtstart: "20261207T090000", duration: "PT1H", summary: "Watch" };
    expect(intervals([event], "X-WR-TIMEZONE:W. Europe Standard Time")).toEqual([
      "2026-12-07T08:00 2026-12-07T09:00",
    ]);
    const reading = readCalendar(newCalendar([event], ["X-WR-TIMEZONE:Atlantis"]), WINDOW);
    expect(isRefusal(reading)).toBe(true);
  });

  // By another library's table, which has the display names of several versions of Windows.
  const file = join(import.meta.dirname, "../../../../node_modules/node-ical/windowsZones.json");
  const table: Record<string, { iana: [string] }> = JSON.parse(readFileSync(file, "utf8"));
  test("of a Windows name has the hours that another library finds, or is unknown", () => {
    const unknown = Object.entries(table).filter(([name, { iana }]) => {
      const months = [1, 2, 3, 4, 5];
      const events = months.map((month) => ({
        ...{ dtstart: `tzid="${name}":20270${month}07T090000`, duration: "PT1H" },
      }));
      const reading = readCalendar(newCalendar(events), WINDOW);
      if (isRefusal(reading)) return true;
      const clock = new Intl.DateTimeFormat("en-GB", { timeZone: iana[0], timeStyle: "short" });
      const hours = reading.entries.map(({ startAt }) => clock.format(startAt));
      expect([name, hours]).toEqual([name, months.map(() => "09:00")]);
      return false;
    });
    // Of places whose offset has changed since the name was made.
    expect(unknown.every(([name]) => name.startsWith("("))).toBe(true);
    expect(unknown.length).toBeLessThan(20);
  });
});

describe("a zone with a VTIMEZONE", () => {
  const zone = (...lines: readonly string[]) => [
    ...["BEGIN:VTIMEZONE", "TZID:Ours", ...lines, "END:VTIMEZONE"],
  ];
  const observance = (kind: string, start: string, from: string, to: string, ...more: string[]) => [
    ...[`BEGIN:${kind}`, `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`],
    ...[...more, `END:${kind}`],
  ];
  const daily = {
    dtstart: "tzid=Ours:20270327T090000",
    duration: "PT1H",
    rrule: "FREQ=DAILY;COUNT=3",
  };
  const hours = (...lines: readonly string[]) =>
    intervals([daily], ...zone(...lines)).map((it) => it.slice(11, 13));
  const LAST_SUNDAYS = [
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
  ] as const;

  test.each(["16010101", "19700101", "20200101", "00010101"])("follows rules since %s", (since) => {
    const lines = [
      ...observance("STANDARD", `${since}T030000`, "+0200", "+0100", LAST_SUNDAYS[0]),
      ...observance("DAYLIGHT", `${since}T020000`, "+0100", "+0200", LAST_SUNDAYS[1]),
    ];
    expect(hours(...lines)).toEqual(["08", "07", "07"]);
  });

  test("may change by dates, once, or never", () => {
    expect(
      hours(
        ...observance("STANDARD", "20201025T030000", "+0200", "+0100", "RDATE:20261025T030000"),
        ...observance("DAYLIGHT", "20200329T020000", "+0100", "+0200", "RDATE:20270328T020000"),
      ),
    ).toEqual(["08", "07", "07"]);
    expect(hours(...observance("STANDARD", "19700101T000000", "-0330", "-0330"))).toEqual(
      Array(3).fill("12"),
    );
  });

  test("ends its rule with UNTIL, and skips and repeats hours as every zone does", () => {
    const lines = [
      ...observance("STANDARD", "20201025T030000", "+0200", "+0100", LAST_SUNDAYS[0]),
      ...observance(
        "DAYLIGHT",
        "20200329T020000",
        "+0100",
        "+0200",
        `${LAST_SUNDAYS[1]};UNTIL=20261231T000000Z`,
      ),
    ];
    expect(hours(...lines)).toEqual(["08", "08", "08"]);
    const skipped = { dtstart: "tzid=Ours:20270328T023000", dtend: "tzid=Ours:20270328T060000" };
    const both = lines.map((it) => it.replace(";UNTIL=20261231T000000Z", ""));
    expect(intervals([skipped], ...zone(...both))).toEqual(["2027-03-28T01:30 2027-03-28T04:00"]);
  });

  test("that cannot be used is taken by its Windows name, or unknown", () => {
    const bad = observance("STANDARD", "19700101T000000", "+0100", "+0100", "RRULE:FREQ=SECONDLY");
    const event = { ...daily, summary: "Watch" };
    expect(isRefusal(readCalendar(newCalendar([event], zone(...bad)), WINDOW))).toBe(true);
    const named = newCalendar(
      [{ ...event, dtstart: "tzid=Tokyo Standard Time:20270327T090000" }],
      zone(...bad).map((it) => it.replace("Ours", "Tokyo Standard Time")),
    );
    expect(readCalendar(named, WINDOW)).toMatchObject({ unreadable: [] });
  });
});

describe("a series of dates", () => {
  const daily = { uid: "d", dtstart: "value=DATE:20261207" };
  const ends: readonly [zone: string, until: string, last: number][] = [
    // Outlook: midnight of the last day, in UTC.
    ["Europe/Berlin", "20261208T230000Z", 9],
    ["Asia/Tokyo", "20261208T150000Z", 9],
    ["America/New_York", "20261209T050000Z", 9],
    ["America/New_York", "20261210T045959Z", 9],
    // Midnight in UTC names its date, west of it too.
    ["America/New_York", "20261209T000000Z", 9],
    ["Europe/Berlin", "20261209T000000Z", 9],
    ["Europe/Berlin", "20261209", 9],
    ["Asia/Tokyo", "20261209T000000", 9],
  ];
  test.each(ends)("in %s until %s ends on the right day", (zone, until, last) => {
    const event = { ...daily, rrule: `FREQ=DAILY;UNTIL=${until}` };
    expect(dates([event], zone)).toEqual(december(7, 8, last));
  });

  test("every week has its last week", () => {
    const event = { ...daily, rrule: "FREQ=WEEKLY;BYDAY=MO;UNTIL=20261220T230000Z" };
    expect(dates([event], "Europe/Berlin")).toEqual(december(7, 14, 21));
  });

  const excluded: readonly [zone: string, exdate: string][] = [
    ["America/New_York", "tzid=Asia/Tokyo:20261208T000000"],
    ["Asia/Tokyo", "tzid=Asia/Tokyo:20261208T000000"],
    ["Asia/Tokyo", "20261207T150000Z"],
    ["Europe/Berlin", "20261208T000000Z"],
    ["America/New_York", "20261208T000000Z"],
    ["Asia/Tokyo", "20261208T000000"],
    ["Asia/Tokyo", "value=DATE:20261208"],
    ["Asia/Tokyo", "20261208"],
  ];
  test.each(excluded)("in %s leaves out EXDATE %s", (zone, exdate) => {
    const event = { ...daily, rrule: "FREQ=DAILY;COUNT=3", exdate };
    expect(dates([event], zone)).toEqual(december(7, 9));
    const { exdate: at, ...series } = event;
    const cancelled = { ...daily, "recurrence-id": at, status: "CANCELLED" };
    expect(dates([series, cancelled], zone)).toEqual(december(7, 9));
  });
});

describe("a series", () => {
  const daily = { uid: "d", dtstart: "20261207T090000Z", duration: "PT1H", summary: "Watch" };
  const days = (events: readonly Lines[]) => intervals(events).map((it) => Number(it.slice(8, 10)));

  test.each(["COUNT=-1", "COUNT=0"])("with an end and %s ends at its end", (count) => {
    const rrule = `FREQ=DAILY;UNTIL=20261210T090000Z;${count}`;
    expect(days([{ ...daily, rrule }])).toEqual([7, 8, 9, 10]);
  });

  test("of times leaves out dates without VALUE, and odd ones are named, not the end of it", () => {
    const rrule = "FREQ=DAILY;COUNT=4";
    expect(days([{ ...daily, rrule, exdate: "20261208" }])).toEqual([7, 9, 10]);
    const odd = { ...daily, rrule, exdate: "20261308,20261209T090000Z,,99991231T000000Z" };
    const { entries, unreadable } = read([odd]);
    expect([entries.length, unreadable]).toEqual([3, ["Watch"]]);
  });

  test("in a zone takes times without one in its own", () => {
    const zoned = { ...daily, dtstart: "tzid=America/New_York:20261207T090000" };
    const event = {
      ...zoned,
      rrule: "FREQ=DAILY;COUNT=3",
      exdate: "20261208T090000",
      rdate: "20261212T090000",
    };
    expect(intervals([event], "X-WR-TIMEZONE:Asia/Tokyo").map((it) => it.slice(8, 16))).toEqual([
      ...["07T14:00", "09T14:00", "12T14:00"],
    ]);
  });

  test("adds periods with lengths of their own", () => {
    const rdate = "value=PERIOD:20261208T090000Z/PT3H,20261209T090000Z/20261209T110000Z";
    expect(intervals([{ ...daily, rdate }])).toEqual([
      "2026-12-07T09:00 2026-12-07T10:00",
      "2026-12-08T09:00 2026-12-08T12:00",
      "2026-12-09T09:00 2026-12-09T11:00",
    ]);
  });

  test("does not have what its EXRULE excludes", () => {
    const event = { ...daily, rrule: "FREQ=DAILY;COUNT=4", exrule: "FREQ=DAILY;INTERVAL=2" };
    expect(days([event])).toEqual([8, 10]);
  });

  test.each([
    "FREQ=YEARLY;BYDAY=20MO",
    "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    "FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYSETPOS=-1",
    "FREQ=DAILY;BYHOUR=9,10;BYSETPOS=1",
    "FREQ=DAILY;UNTIL=soon",
  ])("by %s, which is expanded to more than it means, is named", (rrule) => {
    const good = { ...daily, uid: "good" };
    const { entries, unreadable } = read([{ ...daily, rrule }, good]);
    expect([entries.length, unreadable]).toEqual([1, ["Watch"]]);
  });

  test.each([
    ["FREQ=DAILY", "20161207T090000Z"],
    ["FREQ=DAILY;INTERVAL=7", "20061204T090000Z"],
    ["FREQ=WEEKLY;BYDAY=MO,TU;WKST=SU", "19901203T090000Z"],
    ["FREQ=WEEKLY;INTERVAL=3", "20161205T090000Z"],
    ["FREQ=HOURLY;INTERVAL=36", "20161207T090000Z"],
  ])("by %s since %s is as it is when every occurrence is counted", (rrule, dtstart) => {
    const event = { ...daily, dtstart };
    const counted = intervals([{ ...event, rrule: `${rrule};COUNT=90000` }]);
    expect(intervals([{ ...event, rrule }])).toEqual(counted);
    expect(counted.length).toBeGreaterThan(5);
  });
});

describe("an event of one day", () => {
  test("may be a date without VALUE", () => {
    expect(dates([{ dtstart: "20261207" }], "Asia/Tokyo")).toEqual(december(7));
    expect(dates([{ dtstart: "20261207", dtend: "20261209" }], "Asia/Tokyo")).toEqual(december(7));
  });
});

describe("of several versions", () => {
  const shift = (sequence: number, hour: string, more: Lines = {}) => ({
    ...{ uid: "u", sequence: String(sequence), dtstart: `20261207T${hour}0000Z`, duration: "PT1H" },
    ...more,
  });
  const hours = (events: readonly Lines[]) => intervals(events).map((it) => it.slice(8, 13));

  test("of a moved event only the newest counts, whatever their order", () => {
    expect(hours([shift(1, "09"), shift(3, "15")])).toEqual(["07T15"]);
    expect(hours([shift(3, "15"), shift(1, "09")])).toEqual(["07T15"]);
  });

  test("that are equally new all count: they are several shifts", () => {
    expect(hours([shift(2, "09"), shift(2, "15")])).toEqual(["07T09", "07T15"]);
  });

  const series = (sequence: number, more: Lines = {}) =>
    shift(sequence, "09", { rrule: "FREQ=DAILY;COUNT=3", ...more });
  const change = (sequence: number, hour: string, more: Lines = {}) =>
    shift(sequence, hour, { "recurrence-id": "20261208T090000Z", ...more });

  test("an occurrence that a newer series excludes is gone, and an older series' change stays", () => {
    const excluding = series(2, { exdate: "20261208T090000Z" });
    expect(hours([excluding, change(1, "15")])).toEqual(["07T09", "09T09"]);
    expect(hours([series(2), change(1, "15")])).toEqual(["07T09", "07T15", "09T09"]);
    expect(hours([series(1, { exdate: "20261208T090000Z" }), change(1, "15")])).toEqual([
      ...["07T09", "07T15", "09T09"],
    ]);
  });

  test("of a changed occurrence the newest counts, also if it is cancelled or moved away", () => {
    const all = (last: Lines) => hours([series(1), change(1, "15"), change(2, "18", last)]);
    expect(all({})).toEqual(["07T09", "07T18", "09T09"]);
    expect(all({ status: "CANCELLED" })).toEqual(["07T09", "09T09"]);
    expect(all({ dtstart: "20280101T090000Z" })).toEqual(["07T09", "09T09"]);
  });
});

test.each<[Lines, boolean]>([
  [{}, false],
  [{ transp: "OPAQUE" }, false],
  [{ transp: "TRANSPARENT" }, true],
  [{ "x-microsoft-cdo-busystatus": "FREE" }, true],
  [{ "x-microsoft-cdo-busystatus": "WORKINGELSEWHERE" }, true],
  [{ "x-microsoft-cdo-busystatus": "BUSY" }, false],
  [{ transp: "TRANSPARENT", "x-microsoft-cdo-busystatus": "OOF" }, false],
])("an event with %j leaves people free: %s", (lines, isFree) => {
  const event = { dtstart: "20261207T090000Z", duration: "PT1H", ...lines };
  expect(read([event]).entries.map((it) => it.isFree)).toEqual([isFree]);
});

describe("a text", () => {
  const event = (...lines: readonly string[]) =>
    [
      "BEGIN:VEVENT",
      "UID:1",
      "DTSTART:20261207T090000Z",
      "DURATION:PT1H",
      ...lines,
      "END:VEVENT",
    ].join("\r\n");
  test("may have odd lines, alarms, folds and escapes", () => {
    const odd = event(
      ...["SUMMARY:Watch\\, of", "  Ana\\; at\\nnight", "no colon", "X-ODD;=:x", "DTSTAMP:never"],
      ...[
        "BEGIN:VALARM",
        "TRIGGER:never",
        "DTSTART:20271207T090000Z",
        "END:VALARM",
        "CREATED:never",
      ],
    );
    expect(read([odd], ["BEGIN:VTODO", "DTSTART:x", "END:VTODO"]).entries).toMatchObject([
      { summary: "Watch, of Ana; at night", startAt: Date.parse("2026-12-07T09:00Z") },
    ]);
  });

  test.each([
    ["BEGIN:VEVENT"],
    ["END:VEVENT"],
    ["BEGIN:VALARM"],
    ["BEGIN:VTIMEZONE", "END:VEVENT"],
  ])("with %s is incomplete: what is missing in it is unknown", (...lines) => {
    expect(isRefusal(readCalendar(newCalendar([event(), lines.join("\r\n")]), WINDOW))).toBe(true);
  });
});
