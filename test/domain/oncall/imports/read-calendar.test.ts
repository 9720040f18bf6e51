// The reading of iCalendar texts: in the shapes that the field's tools export, and at the edges of
// RFC 5545.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { matchPeople } from "../../../../src/domain/oncall/imports/match-people.ts";
import { isRefusal } from "../../../../src/domain/shared/refusal.ts";
import { readCalendar } from "../../../../src/products/calendars/read-calendar.ts";
import { newCalendar } from "../../../support/oncall/calendars.ts";

const FEEDS = join(import.meta.dirname, "../../../support/oncall/feeds");
const at = (text: string) => Date.parse(text);
const WINDOW = { from: at("2027-01-01T00:00Z"), to: at("2027-06-30T00:00Z") };

const PEOPLE = {
  byAddress: new Map([
    ["ana@example.com", "ANA"],
    ["ben@example.com", "BEN"],
    ["cleo@example.com", "CLEO"],
  ]),
  byPrefixId: new Map([["acu_AnaAnaAnaAnaAA", "ANA"]]),
};

function read(text: string, window = WINDOW) {
  const reading = readCalendar(text, window);
  if (isRefusal(reading)) throw new Error(reading.errors[0]?.message);
  return reading;
}

const minutes = (instant: number) => new Date(instant).toISOString().slice(0, 16);

/** Each shift as `start end people`. */
function shiftsIn(text: string, window = WINDOW) {
  const { entries } = read(text, window);
  const { shifts, unmatched } = matchPeople(entries, PEOPLE, 1);
  return {
    shifts: shifts.map(
      (it) => `${minutes(it.startAt)} ${minutes(it.endAt)} ${it.attendeeIds.join("+")}`,
    ),
    unmatched,
  };
}

const feedOf = (name: string) => readFileSync(join(FEEDS, `${name}.ics`), "utf8");

describe("the calendar of", () => {
  test("PagerDuty names people without mailto", () => {
    expect(shiftsIn(feedOf("pagerduty"))).toEqual({
      shifts: ["2027-01-04T08:00 2027-01-11T08:00 ANA", "2027-01-11T08:00 2027-01-18T08:00 BEN"],
      unmatched: [],
    });
  });

  test("Opsgenie names people in titles and descriptions", () => {
    expect(shiftsIn(feedOf("opsgenie"))).toEqual({
      shifts: [
        "2027-01-04T08:00 2027-01-05T08:00 ANA",
        "2027-01-05T08:00 2027-01-06T08:00 BEN+CLEO",
      ],
      unmatched: [],
    });
  });

  test("Google has series with changed, excluded and cancelled occurrences, and days", () => {
    // Clocks go forward on 28 March. Shifts keep the clock times of their start and end.
    expect(shiftsIn(feedOf("google"))).toEqual({
      shifts: [
        "2027-03-22T08:00 2027-03-23T08:00 ANA",
        "2027-03-23T08:00 2027-03-24T08:00 ANA",
        "2027-03-24T08:00 2027-03-25T08:00 ANA",
        "2027-03-26T08:00 2027-03-27T08:00 ANA",
        "2027-03-27T11:00 2027-03-28T10:00 BEN",
        "2027-03-28T07:00 2027-03-29T07:00 ANA",
        "2027-03-29T07:00 2027-03-30T07:00 ANA",
        "2027-03-31T07:00 2027-04-01T07:00 ANA",
        "2027-03-31T22:00 2027-04-02T22:00 CLEO",
      ],
      unmatched: [],
    });
  });

  test("Grafana OnCall has rules, and names that are no addresses", () => {
    const window = { from: at("2027-01-01T00:00Z"), to: at("2027-01-20T00:00Z") };
    const { shifts, unmatched } = shiftsIn(feedOf("grafana"), window);
    expect(shifts.map((it) => it.slice(0, 16))).toEqual(
      ["04", "05", "06", "07", "08", "18", "19"].map((day) => `2027-01-${day}T09:00`),
    );
    expect(unmatched).toEqual(["Ben"]);
  });

  test("Exchange has a zone of its own, and the organizer as its person", () => {
    expect(shiftsIn(feedOf("outlook"))).toEqual({
      shifts: [
        "2027-03-15T08:00 2027-03-22T08:00 ANA",
        "2027-03-22T08:00 2027-03-29T07:00 ANA",
        "2027-03-29T07:00 2027-04-05T07:00 ANA",
        "2027-04-05T07:00 2027-04-12T07:00 ANA",
        "2027-04-12T07:00 2027-04-19T07:00 ANA",
      ],
      unmatched: [],
    });
  });
});

const ANA = { attendee: "mailto:ana@example.com" };
const starts = (text: string, window = WINDOW) =>
  shiftsIn(text, window).shifts.map((it) => it.slice(0, 16));

describe("times", () => {
  const lengthened: readonly [string, Record<string, string>, string, readonly string[]][] = [
    [
      "a duration",
      { dtstart: "20270301T090000Z", duration: "PT90M" },
      "UTC",
      ["2027-03-01T09:00 2027-03-01T10:30"],
    ],
    [
      "a day",
      { dtstart: "value=DATE:20270301" },
      "Asia/Tokyo",
      ["2027-02-28T15:00 2027-03-01T15:00"],
    ],
    [
      "days",
      { dtstart: "value=DATE:20270301", dtend: "value=DATE:20270303" },
      "Asia/Tokyo",
      ["2027-02-28T15:00 2027-03-02T15:00"],
    ],
    ["no length", { dtstart: "20270301T090000Z" }, "UTC", []],
    ["a negative length", { dtstart: "20270301T090000Z", dtend: "20270301T080000Z" }, "UTC", []],
    [
      "a floating time",
      { dtstart: "20270301T090000", dtend: "20270301T100000" },
      "America/New_York",
      ["2027-03-01T14:00 2027-03-01T15:00"],
    ],
    [
      "a zone without a definition",
      { dtstart: "tzid=Asia/Kolkata:20270301T090000", dtend: "tzid=Asia/Kolkata:20270301T100000" },
      "UTC",
      ["2027-03-01T03:30 2027-03-01T04:30"],
    ],
    [
      "a prefixed zone",
      {
        dtstart: "tzid=/freeassociation.sourceforge.net/Europe/Rome:20270301T090000",
        duration: "PT1H",
      },
      "UTC",
      ["2027-03-01T08:00 2027-03-01T09:00"],
    ],
    [
      "different zones",
      {
        dtstart: "tzid=Europe/Paris:20270301T090000",
        dtend: "tzid=America/New_York:20270301T090000",
      },
      "UTC",
      ["2027-03-01T08:00 2027-03-01T14:00"],
    ],
    [
      "a skipped time",
      { dtstart: "tzid=Europe/Paris:20270328T023000", dtend: "tzid=Europe/Paris:20270328T060000" },
      "UTC",
      ["2027-03-28T01:30 2027-03-28T04:00"],
    ],
  ];
  test.each(lengthened)("with %s", (_, times, zone, expected) => {
    const text = newCalendar([{ ...times, ...ANA }], [`X-WR-TIMEZONE:${zone}`]);
    expect(shiftsIn(text).shifts).toEqual(expected.map((it) => `${it} ANA`));
  });

  test("of a calendar without a named zone are in its only one, else in UTC", () => {
    const event = { dtstart: "20270301T090000", duration: "PT1H", ...ANA };
    const zone = ["BEGIN:VTIMEZONE", "TZID:Europe/Rome", "END:VTIMEZONE"];
    expect(starts(newCalendar([event], zone))).toEqual(["2027-03-01T08:00"]);
    expect(starts(newCalendar([event]))).toEqual(["2027-03-01T09:00"]);
  });
});

describe("series", () => {
  const daily = { uid: "d", dtstart: "20270301T090000Z", duration: "PT1H", ...ANA };
  const series: readonly [string, Record<string, string>, readonly string[]][] = [
    ["count their occurrences", { rrule: "FREQ=DAILY;COUNT=3" }, ["01", "02", "03"]],
    ["end inclusively", { rrule: "FREQ=DAILY;UNTIL=20270302T090000Z" }, ["01", "02"]],
    ["end with a day", { rrule: "FREQ=DAILY;UNTIL=20270302" }, ["01", "02"]],
    ["leave out days", { rrule: "FREQ=DAILY;COUNT=3", exdate: "20270302T090000Z" }, ["01", "03"]],
    [
      "leave out dates",
      { rrule: "FREQ=DAILY;COUNT=3", exdate: "value=DATE:20270302" },
      ["01", "03"],
    ],
    ["add days", { rdate: "20270305T090000Z,20270307T090000Z" }, ["01", "05", "07"]],
    [
      "do not repeat an added day",
      { rrule: "FREQ=DAILY;COUNT=2", rdate: "20270302T090000Z" },
      ["01", "02"],
    ],
  ];
  test.each(series)("%s", (_, properties, days) => {
    const text = newCalendar([{ ...daily, ...properties }]);
    expect(starts(text)).toEqual(days.map((day) => `2027-03-${day}T09:00`));
  });

  test("change one occurrence, also into the window, and this and following ones", () => {
    const of = (changes: Record<string, string>) =>
      starts(
        newCalendar([
          { ...daily, rrule: "FREQ=DAILY;COUNT=4" },
          { ...daily, ...changes },
        ]),
      );
    expect(of({ "recurrence-id": "20270302T090000Z", dtstart: "20270302T120000Z" })).toEqual(
      ["01T09", "02T12", "03T09", "04T09"].map((it) => `2027-03-${it}:00`),
    );
    expect(
      of({ "recurrence-id": "range=THISANDFUTURE:20270303T090000Z", dtstart: "20270303T130000Z" }),
    ).toEqual(["01T09", "02T09", "03T13", "04T13"].map((it) => `2027-03-${it}:00`));
    expect(of({ "recurrence-id": "value=DATE:20270302", status: "CANCELLED" })).toEqual(
      ["01", "03", "04"].map((it) => `2027-03-${it}T09:00`),
    );
    const window = { from: at("2027-05-01T00:00Z"), to: at("2027-05-02T00:00Z") };
    const moved = { ...daily, "recurrence-id": "20270302T090000Z", dtstart: "20270501T090000Z" };
    const text = newCalendar([{ ...daily, rrule: "FREQ=DAILY;COUNT=4" }, moved]);
    expect(starts(text, window)).toEqual(["2027-05-01T09:00"]);
    expect(starts(newCalendar([moved]), window)).toEqual(["2027-05-01T09:00"]);
  });

  test("have keys that stay the same when they are read later, and differ from each other", () => {
    const text = newCalendar([
      { ...daily, rrule: "FREQ=DAILY;COUNT=30" },
      { ...daily, uid: "e" },
    ]);
    const all = read(text).entries.map(({ key }) => key);
    const later = read(text, { from: at("2027-03-10T00:00Z"), to: WINDOW.to }).entries;
    expect(new Set(all).size).toBe(31);
    expect(later.map(({ key }) => key)).toEqual(all.slice(-later.length));
    expect(later).toHaveLength(21);
  });

  test("that are cancelled have no occurrence, and of several versions the last counts", () => {
    const cancelled = { ...daily, rrule: "FREQ=DAILY;COUNT=4", status: "CANCELLED", sequence: "2" };
    expect(starts(newCalendar([cancelled, { ...daily, sequence: "1" }]))).toEqual([]);
  });

  test("with one UID for several shifts are several shifts", () => {
    const second = { ...daily, dtstart: "20270302T090000Z" };
    expect(starts(newCalendar([daily, second]))).toEqual(["2027-03-01T09:00", "2027-03-02T09:00"]);
  });

  const hostile = [
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=HOURLY;INTERVAL=24;BYHOUR=5",
    "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
    "FREQ=MONTHLY;BYMONTH=2;BYDAY=5MO",
    "FREQ=YEARLY;BYDAY=1MO;BYMONTH=4;BYMONTHDAY=20",
    "FREQ=DAILY;INTERVAL=999999999",
    "FREQ=WEEKLY;INTERVAL=999999999",
    "FREQ=HOURLY;INTERVAL=999999999",
    "FREQ=YEARLY;INTERVAL=999999999",
  ];
  test.each(hostile)("by %s end", (rule) => {
    const began = performance.now();
    const text = newCalendar([
      { ...daily, rrule: rule },
      { ...daily, uid: "other" },
    ]);
    expect(starts(text)).toContain("2027-03-01T09:00");
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test.each(["FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=5", "FREQ=SOMETIMES", "FREQ=DAILY;BYHOUR=x"])(
    "by %s are unreadable, and the other events are read",
    (rule) => {
      const bad = { ...daily, uid: "bad", summary: "Too often", rrule: rule };
      const { entries, unreadable } = read(newCalendar([bad, daily]));
      expect([entries.length, unreadable]).toEqual([1, ["Too often"]]);
    },
  );

  test("that repeat too often together are refused", () => {
    const old = { ...daily, dtstart: "19000101T090000Z", rrule: "FREQ=DAILY;COUNT=99999" };
    const many = Array.from({ length: 12 }, (_, i) => ({ ...old, uid: `old ${i}` }));
    expect(readCalendar(newCalendar(many), WINDOW)).toMatchObject({ reason: "invalid" });
  });
});

describe("people", () => {
  const event = { dtstart: "20270301T090000Z", duration: "PT1H" };
  const people: readonly [string, Record<string, string>, readonly string[], readonly string[]][] =
    [
      [
        "attendees before the organizer",
        { attendee: "mailto:ben@example.com", organizer: "mailto:ana@example.com" },
        ["BEN"],
        [],
      ],
      [
        "the organizer if no attendee is known",
        { attendee: "mailto:x@other.example", organizer: "mailto:ana@example.com", summary: "S" },
        ["ANA"],
        ["S"],
      ],
      [
        "the title before the description",
        { summary: "Cleo <cleo@example.com>", description: "ana@example.com" },
        ["CLEO"],
        [],
      ],
      [
        "the description at last",
        { summary: "Shift of x@other.example", description: "Call ANA@Example.com." },
        ["ANA"],
        [],
      ],
      ["nobody", { summary: "Free\\, nobody" }, [], ["Free, nobody"]],
      ["an address as a parameter", { attendee: "email=ana@example.com:urn:uuid:1" }, ["ANA"], []],
      [
        "what a Tocsin feed states",
        {
          "x-tocsin-on-call": "acu_AnaAnaAnaAnaAA",
          "x-tocsin-layer": "2",
          summary: "ben@example.com",
        },
        ["ANA"],
        [],
      ],
      [
        "nobody of another account's feed",
        {
          "x-tocsin-on-call": "acu_BobBobBobBobBA",
          "x-tocsin-layer": "2",
          summary: "ana@example.com",
        },
        [],
        ["ana@example.com"],
      ],
    ];
  test.each(people)("are %s", (_, properties, ids, unmatched) => {
    const found = matchPeople(read(newCalendar([{ ...event, ...properties }])).entries, PEOPLE, 3);
    expect(found.shifts.flatMap(({ attendeeIds }) => attendeeIds)).toEqual(ids);
    expect(found.unmatched).toEqual(unmatched);
    const layer = "x-tocsin-layer" in properties ? 2 : 3;
    for (const shift of found.shifts) expect(shift.layer).toBe(layer);
  });

  test("are found in linear time", () => {
    const began = performance.now();
    read(
      newCalendar([{ ...event, description: "a".repeat(900_000), summary: "@.".repeat(90_000) }]),
    );
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe("a text", () => {
  test.each([
    "",
    "<html>Sign in</html>",
    "BEGIN:VCARD\r\nEND:VCARD",
    "BEGIN:VCALENDAR\r\nnonsense",
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR",
  ])("%j is no calendar", (text) => {
    const reading = readCalendar(text, WINDOW);
    expect(isRefusal(reading) || reading.entries.length === 0).toBe(true);
  });

  test("may have a byte order mark, bare line feeds and several calendars", () => {
    const one = newCalendar([{ uid: "1", dtstart: "20270301T090000Z", duration: "PT1H", ...ANA }]);
    const two = newCalendar([{ uid: "2", dtstart: "20270302T090000Z", duration: "PT1H", ...ANA }]);
    expect(starts(`\uFEFF${one}${two}`.replaceAll("\r\n", "\n"))).toEqual([
      "2027-03-01T09:00",
      "2027-03-02T09:00",
    ]);
  });

  test("of a megabyte is read in seconds", () => {
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      uid: `${i}@example.com`,
      dtstart: "20270301T090000Z",
      duration: "PT1H",
      summary: "On call ".repeat(4),
      ...ANA,
    }));
    const text = newCalendar(many);
    expect(text.length).toBeGreaterThan(800_000);
    const began = performance.now();
    expect(read(text).entries).toHaveLength(5_000);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test.each<Record<string, string>>([
    { dtstart: "20271301T090000Z", duration: "PT1H" },
    { dtstart: "tomorrow", duration: "PT1H" },
    { dtstart: "20270301T090000Z", dtend: "later" },
    { dtstart: "20270301T090000Z", duration: "long" },
  ])("with an event of %j reads the others", (times) => {
    const good = { dtstart: "20270301T090000Z", duration: "PT1H", ...ANA };
    const { entries } = read(newCalendar([{ ...times, summary: "Bad" }, good]));
    expect(entries.some(({ attendees }) => attendees.length === 1)).toBe(true);
  });
});
