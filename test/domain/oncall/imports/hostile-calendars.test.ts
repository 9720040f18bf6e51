// Calendars that are made to stop whoever reads them. Every one ends in entries, in events that are
// named as unreadable, or in a refusal, after a bounded number of the library's steps; never in an
// exception.
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isRefusal } from "../../../../src/domain/shared/refusal.ts";
import { readCalendar } from "../../../../src/products/calendars/read-calendar.ts";
import { seed, selectSome, sized } from "../../../support/generated/sizes.ts";
import { newCalendar } from "../../../support/oncall/calendars.ts";

const WINDOW = { from: Date.UTC(2027, 0, 1), to: Date.UTC(2027, 5, 30) };
const MEBIBYTE = 1_048_576;

/** The library's loops call these. A billion steps take a minute. */
const COUNTED: readonly (readonly [object, string])[] = [
  [ICAL.Time, "daysInMonth"],
  [ICAL.RecurIterator.prototype, "check_contract_restriction"],
  [ICAL.RecurIterator.prototype, "increment_generic"],
  [ICAL.RecurIterator.prototype, "ruleDayOfWeek"],
  [ICAL.RecurIterator.prototype, "expand_year_days"],
  [ICAL.RecurIterator.prototype, "next"],
  [ICAL.Timezone.prototype, "_expandComponent"],
];
const MOST_STEPS = 5_000_000;
const MOST_ENTRIES = 100_000;

let steps = 0;
const restore: (() => void)[] = [];
beforeAll(() => {
  for (const [target, name] of COUNTED) {
    const original: (...values: unknown[]) => unknown = Reflect.get(target, name);
    restore.push(() => Reflect.set(target, name, original));
    Reflect.set(target, name, function (this: unknown, ...values: unknown[]) {
      steps += 1;
      // Ends a loop that would not end.
      if (steps > 20 * MOST_STEPS) throw new Error("too many steps");
      return original.apply(this, values);
    });
  }
});
afterAll(() => {
  for (const undo of restore) undo();
});

/** Reads a text, within the bounds. */
function read(text: string) {
  steps = 0;
  const reading = readCalendar(text, WINDOW);
  expect(steps, text.slice(0, 500)).toBeLessThan(MOST_STEPS);
  if (isRefusal(reading)) {
    expect(reading.errors[0]?.message, text.slice(0, 500)).toMatch(/^\S.{5,}/);
    return reading;
  }
  expect(reading.entries.length).toBeLessThan(MOST_ENTRIES);
  for (const { startAt, endAt } of reading.entries) {
    expect([endAt > startAt, startAt < WINDOW.to]).toEqual([true, true]);
  }
  return reading;
}

const FREQUENCIES = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"];
const YEARS = ["0001", "1601", "1900", "2026", "2199", "9999"];
const NUMBERS = Array.from({ length: 366 }, (_, i) => i + 1);
const WEEKDAYS = ["", "+", "-"].flatMap((sign) =>
  ["", ...NUMBERS.slice(0, 53)].flatMap((number) =>
    ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].map((day) => `${sign}${number}${day}`),
  ),
);
const PARTS = [
  ...["", ";COUNT=999999999", ";INTERVAL=999999999", ";INTERVAL=0", ";UNTIL=99991231T235959Z"],
  ...[";BYMONTH=2;BYMONTHDAY=30", ";BYDAY=1MO;BYMONTH=4;BYMONTHDAY=20", ";BYDAY=5MO;BYMONTH=2"],
  ...[";BYYEARDAY=366,-366", ";BYHOUR=25", ";BYHOUR=5;INTERVAL=24", ";BYSETPOS=366;BYDAY=MO"],
  `;BYDAY=${WEEKDAYS.join()}`,
  `;BYDAY=${WEEKDAYS.filter((it) => !/\d\d/.test(it)).join()}`,
  `;BYDAY=${WEEKDAYS.filter((it) => !/\d\d/.test(it)).join()};BYMONTHDAY=31,-31`,
  `;BYYEARDAY=${NUMBERS.join()}`,
  `;BYSECOND=${NUMBERS.slice(0, 59).join()};BYMINUTE=${NUMBERS.slice(0, 59).join()}`,
];

type Component = (start: string, rule: string, uid: number) => string;

const event = (start: string, uid: number, ...lines: readonly string[]) =>
  ["BEGIN:VEVENT", `UID:${uid}`, `DTSTART${start}`, "DURATION:PT1H", ...lines, "END:VEVENT"].join(
    "\r\n",
  );

const observance =
  (kind: string): Component =>
  (start, rule, uid) =>
    [
      ...["BEGIN:VTIMEZONE", `TZID:Zone ${uid}`, `BEGIN:${kind}`, `DTSTART:${start}`],
      ...["TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", rule, `END:${kind}`, "END:VTIMEZONE"],
      event(`;TZID=Zone ${uid}:20270301T090000`, uid),
    ].join("\r\n");

/** The components of the format that may have a rule. */
const COMPONENTS: Readonly<Record<string, Component>> = {
  "an event": (start, rule, uid) => event(`:${start}`, uid, rule),
  "an event of dates": (start, rule, uid) => event(`:${start.slice(0, 8)}`, uid, rule),
  "an exclusion": (start, rule, uid) =>
    event(`:${start}`, uid, "RRULE:FREQ=DAILY", rule.replace("RRULE", "EXRULE")),
  "standard time": observance("STANDARD"),
  "daylight saving time": observance("DAYLIGHT"),
  "a task": (start, rule) =>
    ["BEGIN:VTODO", `DTSTART:${start}`, `DUE:${start}`, rule, "END:VTODO"].join("\r\n"),
  "a journal": (start, rule) =>
    ["BEGIN:VJOURNAL", `DTSTART:${start}`, rule, "END:VJOURNAL"].join("\r\n"),
  "an alarm": (start, rule, uid) =>
    event(`:${start}`, uid, "BEGIN:VALARM", rule, "TRIGGER:-PT1S", "END:VALARM"),
};

/** As many items, evenly spread, at full size too: each of these readings takes a second. */
function spread<Item>(all: readonly Item[], count: number): readonly Item[] {
  const step = Math.ceil(all.length / count);
  return all.filter((_, at) => (at + seed) % step === 0);
}

const good = event(":20270301T090000Z", 0);

const rules = FREQUENCIES.flatMap((frequency) =>
  YEARS.flatMap((year) => PARTS.map((part) => [frequency, year, part] as const)),
);

describe.each(Object.entries(COMPONENTS))("%s", (_, component) => {
  test("with any rule ends, and does not spoil the others", () => {
    for (const [frequency, year, part] of selectSome(rules, 40, 0)) {
      const rule = `RRULE:FREQ=${frequency}${part}`;
      const reading = read(newCalendar([component(`${year}0101T000000`, rule, 1), good]));
      const entries = isRefusal(reading) ? [] : reading.entries;
      expect(
        entries.map(({ key }) => key),
        `${year} ${rule.slice(0, 200)}`,
      ).toContain("0");
    }
  });

  test("ends, as often as it fits into a mebibyte", () => {
    for (const [frequency, year, part] of spread(rules, sized(1, 12))) {
      const one = component(`${year}0101T000000`, `RRULE:FREQ=${frequency}${part}`, 10_000);
      const count = Math.floor(MEBIBYTE / (one.length + 2));
      const many = Array.from({ length: count }, (__, i) =>
        one.replaceAll("10000", String(10_000 + i)),
      );
      read(newCalendar(many));
    }
  });
});

describe("a mebibyte", () => {
  const NAMES = [
    ...["UID", "SEQUENCE", "STATUS", "TRANSP", "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE"],
    ...["RDATE", "EXDATE", "RECURRENCE-ID", "SUMMARY", "DESCRIPTION", "ATTENDEE", "ORGANIZER"],
    ...[
      "TZID",
      "TZOFFSETTO",
      "X-WR-TIMEZONE",
      "X-LIC-LOCATION",
      "X-TOCSIN-ON-CALL",
      "ATTACH",
      "BEGIN",
    ],
  ];
  const FILLINGS = [
    ...[
      "a",
      '"',
      ";x=",
      ",",
      ":",
      "@.",
      "\\",
      "9",
      "=",
      "/",
      "\r\n ",
      "\t",
      "BYDAY=MO;",
      "MO,",
      "P",
    ],
    ...["20270301T090000Z,", "20270301T090000/PT1H,", "a@b.cc,", "1W", ';TZID="x"', "Europe/"],
  ];
  const fill = (text: string) => text.repeat(Math.ceil(MEBIBYTE / text.length)).slice(0, MEBIBYTE);

  test("of any property ends", () => {
    const cases = NAMES.flatMap((name) =>
      FILLINGS.flatMap((filling) => [":", ";"].map((sign) => `${name}${sign}${fill(filling)}`)),
    );
    for (const line of spread(cases, sized(12, 120))) {
      const zoned = event(";TZID=Zone:20270301T090000", 1, "RRULE:FREQ=DAILY;COUNT=3", line);
      read(newCalendar([zoned, good], [line]));
    }
  });

  const LINES = [
    ...[
      "BEGIN:VEVENT",
      "END:VEVENT",
      "BEGIN:VCALENDAR",
      "BEGIN:VALARM",
      "BEGIN:",
      "BEGIN:VTIMEZONE",
    ],
    ...["", " ", ":", "RRULE:FREQ=DAILY", "RDATE:20270301T090000Z", "ATTENDEE:mailto:a@b.cc"],
  ];
  test.each(LINES)("of lines %j ends", (line) => {
    const lines = fill(`${line}\r\n`);
    read(newCalendar([`BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270301T090000Z\r\n${lines}`, good]));
    read(newCalendar([good], [lines]));
  });

  const count = 10_000;
  const numbered = (write: (at: number) => string) =>
    Array.from({ length: count }, (_, i) => write(i));
  const stamp = (at: number) =>
    new Date(Date.UTC(2027, 0, 1) + at * 600_000).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const MANY: Readonly<Record<string, () => readonly string[]>> = {
    "changes of one series": () => [
      event(":20270101T000000Z", 1, "RRULE:FREQ=HOURLY"),
      ...numbered((at) => event(`:${stamp(at)}`, 1, `RECURRENCE-ID:${stamp(at)}`)),
    ],
    "changes of the following": () => [
      event(":20270101T000000Z", 1, "RRULE:FREQ=HOURLY"),
      ...numbered((at) =>
        event(`:${stamp(at)}`, 1, `RECURRENCE-ID;RANGE=THISANDFUTURE:${stamp(at)}`),
      ),
    ],
    "series of one UID": () => [
      ...numbered((at) => event(`:${stamp(at)}`, 1, "RRULE:FREQ=HOURLY")),
      ...numbered((at) => event(`:${stamp(at)}`, 1, `RECURRENCE-ID:${stamp(at)}`)),
    ],
    "unknown zones": () =>
      numbered((at) => event(`;TZID=(UTC+01:00) a${at}, b:20270301T090000`, at)),
    "places of a zone": () => [
      event(`;TZID="(UTC+01:00) ${numbered((at) => `a${at}`).join()}":20270301T090000`, 1),
    ],
    "spellings of a zone": () =>
      numbered((at) => {
        const letters = [..."europe/berlin"].map((it, i) =>
          (at >> i) & 1 ? it.toUpperCase() : it,
        );
        return event(`;TZID=${letters.join("")}:20270301T090000`, at);
      }),
    "times far apart": () =>
      numbered((at) =>
        event(`;TZID=Europe/Berlin:${1900 + (at % 299)}0${1 + (at % 9)}01T090000`, at),
      ),
  };
  test.each(Object.entries(MANY))("of %s ends", (_, events) => {
    read(newCalendar(events()));
  });
});

test.each([
  ["DURATION:P99999999999999999999999W"],
  ["DURATION:PT99999999999S"],
  ["DURATION:P999999W"],
  ["DTEND:99991231T235959Z"],
  ["DTEND:00010101T000000Z"],
  ["RECURRENCE-ID:99991231T235959Z"],
  ["RECURRENCE-ID:tomorrow"],
  ["DTEND;TZID=Atlantis:20270301T100000"],
])("an event with %s is named, and the others are read", (line) => {
  const odd = ["BEGIN:VEVENT", "SUMMARY:Odd", "DTSTART:20270301T090000Z", line, "END:VEVENT"];
  const reading = read(newCalendar([odd.join("\r\n"), good]));
  if (isRefusal(reading)) throw new Error(reading.errors[0]?.message);
  expect(reading.entries.map(({ key }) => key)).toEqual(["0"]);
  expect(reading.unreadable.map((it) => it.slice(0, 3))).toEqual(["Odd"]);
});
