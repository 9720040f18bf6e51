// The expansion of recurring events against two other libraries: rules against `rrule`, whole
// calendars against `node-ical`.
import fc from "fast-check";
import nodeIcal from "node-ical";
import rruleLibrary from "rrule";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../../../../src/domain/shared/refusal.ts";
import { readCalendar } from "../../../../src/products/calendars/read-calendar.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { newCalendar, utc } from "../../../support/oncall/calendars.ts";

const { RRule } = rruleLibrary;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2027, 0, 1);
const WINDOW = { from: FROM, to: FROM + 200 * DAY };
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

function startsIn(text: string): number[] {
  const reading = readCalendar(text, WINDOW);
  if (isRefusal(reading)) throw new Error(reading.errors[0]?.message);
  expect(reading.unreadable).toEqual([]);
  return reading.entries.map(({ startAt }) => startAt);
}

const weekdays = fc.subarray(WEEKDAYS, { minLength: 1 }).map((days) => `;BYDAY=${days.join()}`);
const interval = fc.integer({ min: 1, max: 5 }).map((it) => (it === 1 ? "" : `;INTERVAL=${it}`));
const end = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 40 }).map((count) => `;COUNT=${count}`),
  fc.integer({ min: -30, max: 250 }).map((days) => `;UNTIL=${utc(FROM + days * DAY)}`),
);

/** The rules that calendars of shifts have. */
const rule = fc
  .oneof(
    fc.constantFrom("FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY"),
    fc.constantFrom("FREQ=HOURLY;INTERVAL=8", "FREQ=HOURLY;INTERVAL=12", "FREQ=HOURLY;INTERVAL=36"),
    weekdays.map((days) => `FREQ=DAILY${days}`),
    fc
      .tuple(weekdays, fc.constantFrom("", ";WKST=MO", ";WKST=SU"))
      .map(([a, b]) => `FREQ=WEEKLY${a}${b}`),
    fc
      .constantFrom("1", "15", "31", "-1", "1,15", "29,30,31")
      .map((days) => `FREQ=MONTHLY;BYMONTHDAY=${days}`),
    fc.constantFrom("1MO", "-1FR", "2TU,4TU", "5SU").map((days) => `FREQ=MONTHLY;BYDAY=${days}`),
    fc.constantFrom("1", "-1", "2").map((at) => `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=${at}`),
    fc
      .constantFrom("3", "3,9", "2")
      .map((months) => `FREQ=YEARLY;BYMONTH=${months};BYMONTHDAY=30,31`),
    fc.constantFrom("-1SU", "1MO").map((day) => `FREQ=YEARLY;BYMONTH=3,10;BYDAY=${day}`),
  )
  .chain((freq) =>
    fc
      .tuple(freq.includes("INTERVAL") ? fc.constant("") : interval, end)
      .map(([a, b]) => freq + a + b),
  );

/** Whether a rule includes its own start; if not, RFC 5545 leaves the occurrences undefined. */
const includes = (rrule: InstanceType<typeof RRule>, start: Date) =>
  rrule.between(new Date(+start - 1), new Date(+start + 1)).length === 1;

describe("any rule", () => {
  test("has the occurrences that rrule finds", () => {
    let compared = 0;
    const starts = fc
      .integer({ min: -1_000, max: 150 })
      .map((days) => FROM + days * DAY + 9 * HOUR);
    fc.assert(
      fc.property(rule, starts, (text, start) => {
        const options = RRule.parseString(text);
        let dtstart = new Date(start);
        let reference = new RRule({ ...options, dtstart });
        if (!includes(reference, dtstart)) {
          // The rule's first occurrence starts the series.
          const [first] = new RRule({ ...options, dtstart, count: 1, until: null }).all();
          if (!first || +first > WINDOW.to) return;
          dtstart = first;
          reference = new RRule({ ...options, dtstart });
          if (!includes(reference, dtstart)) return;
        }
        compared += 1;
        const expected = reference
          .between(new Date(WINDOW.from - 1), new Date(WINDOW.to - 1), true)
          .map(Number)
          .filter((at) => at >= WINDOW.from && at < WINDOW.to);
        const event = { uid: "1", dtstart: utc(+dtstart), duration: "PT1S", rrule: text };
        expect(startsIn(newCalendar([event])), `${utc(+dtstart)} ${text}`).toEqual(expected);
      }),
      { numRuns: sized(120, 2_000) },
    );
    expect(compared).toBeGreaterThan(sized(72, 1_200));
  });
});

// ── Whole calendars ──

const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney", "UTC"];
const local = (at: number) => utc(at).replace("Z", "");

const series = fc.record({
  zone: fc.constantFrom(...ZONES),
  day: fc.integer({ min: -60, max: 100 }),
  hour: fc.integer({ min: 4, max: 22 }),
  length: fc.integer({ min: 1, max: 30 }),
  rrule: fc.constantFrom(
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY",
    "FREQ=DAILY;COUNT=50",
  ),
  excluded: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 4 }),
  moved: fc.option(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 3 })), {
    nil: null,
  }),
});

type Series = typeof series extends fc.Arbitrary<infer Value> ? Value : never;

/** The events of a series; days count from its start, and may not be among its occurrences. */
function eventsOf({ zone, day, hour, length, rrule, excluded, moved }: Series, uid: string) {
  const start = FROM + day * DAY + hour * HOUR;
  const step = rrule.includes("INTERVAL=3") ? 3 : rrule.includes("WEEKLY") ? 7 : 1;
  const at = (occurrence: number) => `tzid=${zone}:${local(start + occurrence * step * DAY)}`;
  const event = { uid, dtstart: at(0), duration: `PT${length}H`, rrule };
  const exdates = excluded
    .filter((it) => it !== 0 && it !== moved?.[0])
    .map((it) => local(start + it * step * DAY));
  const [occurrence, hours] = moved ?? [0, 0];
  const change = {
    uid,
    "recurrence-id": at(occurrence),
    dtstart: `tzid=${zone}:${local(start + occurrence * step * DAY + hours * HOUR)}`,
    duration: "PT2H",
  };
  return [
    { ...event, ...(exdates.length > 0 && { exdate: `tzid=${zone}:${exdates.join()}` }) },
    ...(moved ? [change] : []),
  ];
}

/** The starts of all occurrences in the window, by `node-ical`. */
function referenceStarts(text: string): number[] {
  const range = { from: new Date(WINDOW.from - 3 * DAY), to: new Date(WINDOW.to) };
  return Object.values(nodeIcal.sync.parseICS(text))
    .filter((it) => it?.type === "VEVENT")
    .flatMap((event) => nodeIcal.expandRecurringEvent(event, range))
    .map((it) => ({ start: Number(it.start), end: Number(it.end) }))
    .filter(({ start, end }) => end > WINDOW.from && start < WINDOW.to)
    .map(({ start }) => start)
    .sort((a, b) => a - b);
}

describe("any calendar", () => {
  test("has the occurrences that node-ical finds", () => {
    fc.assert(
      fc.property(fc.array(series, { minLength: 1, maxLength: 3 }), (all) => {
        const text = newCalendar(all.flatMap((it, i) => eventsOf(it, `series-${i}`)));
        expect(
          startsIn(text).sort((a, b) => a - b),
          text,
        ).toEqual(referenceStarts(text));
      }),
      { numRuns: sized(20, 1_000) },
    );
  });
});
