/**
 * Table tests of hourly, weekly, monthly and yearly recurrence, and of the end of a series.
 */
import { describe, expect, it } from "vitest";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { at, event, readAll } from "../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const NEW_YORK = { timeZone: "Eastern Time (US & Canada)" };

/** The shifts of one event that overlap [from, to), in the local time of `zone`. */
function shifts(one: OnCallEvent, from: string, to: string, zone = "America/New_York") {
  return readAll(onCallBetween(scheduleOf([one]), at(from), at(to)), zone);
}

describe("hourly", () => {
  it("counts elapsed time: each pass of a repeated hour is a turn", () => {
    const hours = event({
      start: "2026-10-31T23:00-04:00",
      end: "2026-11-01T00:00-04:00",
      who: "ABC",
      frequencyUnit: "hourly",
      rotation: true,
      ...NEW_YORK,
    });
    expect(shifts(hours, "2026-11-01T00:00-04:00", "2026-11-01T03:00-05:00")).toEqual([
      "Sun 2026-11-01 00:00-04:00 | Sun 2026-11-01 01:00-04:00 | B",
      "Sun 2026-11-01 01:00-04:00 | Sun 2026-11-01 01:00-05:00 | C",
      "Sun 2026-11-01 01:00-05:00 | Sun 2026-11-01 02:00-05:00 | A",
      "Sun 2026-11-01 02:00-05:00 | Sun 2026-11-01 03:00-05:00 | B",
    ]);
  });

  it("moves a 12-hour rotation on the wall clock when summer time begins", () => {
    const halves = event({
      start: "2026-03-07T08:00-05:00",
      end: "2026-03-07T20:00-05:00",
      who: "AB",
      frequencyUnit: "hourly",
      frequency: 12,
      rotation: true,
      ...NEW_YORK,
    });
    expect(shifts(halves, "2026-03-07T12:00-05:00", "2026-03-08T12:00-04:00")).toEqual([
      "Sat 2026-03-07 08:00-05:00 | Sat 2026-03-07 20:00-05:00 | A",
      "Sat 2026-03-07 20:00-05:00 | Sun 2026-03-08 09:00-04:00 | B",
      "Sun 2026-03-08 09:00-04:00 | Sun 2026-03-08 21:00-04:00 | A",
    ]);
  });

  it("can overlap itself: two-hour shifts every hour", () => {
    const long = event({
      start: "2026-01-01T00:00Z",
      end: "2026-01-01T02:00Z",
      who: "AB",
      frequencyUnit: "hourly",
      rotation: true,
    });
    expect(shifts(long, "2026-01-01T10:00Z", "2026-01-01T11:00Z", "UTC")).toEqual([
      "Thu 2026-01-01 09:00+00:00 | Thu 2026-01-01 11:00+00:00 | B",
      "Thu 2026-01-01 10:00+00:00 | Thu 2026-01-01 12:00+00:00 | A",
    ]);
  });
});

describe("weekly", () => {
  it("hands off at the same local time on both sides of a clock change", () => {
    const weeks = event({
      start: "2026-03-02T09:00-05:00",
      end: "2026-03-09T09:00-04:00",
      who: "AB",
      frequencyUnit: "weekly",
      rotation: true,
      ...NEW_YORK,
    });
    expect(shifts(weeks, "2026-03-02T12:00-05:00", "2026-03-20T00:00-04:00")).toEqual([
      "Mon 2026-03-02 09:00-05:00 | Mon 2026-03-09 09:00-04:00 | A",
      "Mon 2026-03-09 09:00-04:00 | Mon 2026-03-16 09:00-04:00 | B",
      "Mon 2026-03-16 09:00-04:00 | Mon 2026-03-23 09:00-04:00 | A",
    ]);
    // 26 October is 34 weeks after 2 March: A's turn. Its week has a 25-hour day.
    expect(shifts(weeks, "2026-10-27T00:00-04:00", "2026-11-03T00:00-05:00")).toEqual([
      "Mon 2026-10-26 09:00-04:00 | Mon 2026-11-02 09:00-05:00 | A",
      "Mon 2026-11-02 09:00-05:00 | Mon 2026-11-09 09:00-05:00 | B",
    ]);
  });

  it("with days: has seven-day blocks from the start date, one turn per active block", () => {
    const days = event({
      start: "2026-01-07T09:00Z", // a Wednesday: blocks run from Wednesday to Tuesday
      end: "2026-01-07T17:00Z",
      who: "AB",
      frequencyUnit: "weekly",
      frequency: 2,
      daysOfWeek: [1, 3, 5],
      rotation: true,
    });
    expect(shifts(days, "2026-01-01T00:00Z", "2026-02-06T00:00Z", "UTC")).toEqual([
      "Wed 2026-01-07 09:00+00:00 | Wed 2026-01-07 17:00+00:00 | A",
      "Fri 2026-01-09 09:00+00:00 | Fri 2026-01-09 17:00+00:00 | A",
      "Mon 2026-01-12 09:00+00:00 | Mon 2026-01-12 17:00+00:00 | A",
      "Wed 2026-01-21 09:00+00:00 | Wed 2026-01-21 17:00+00:00 | B",
      "Fri 2026-01-23 09:00+00:00 | Fri 2026-01-23 17:00+00:00 | B",
      "Mon 2026-01-26 09:00+00:00 | Mon 2026-01-26 17:00+00:00 | B",
      "Wed 2026-02-04 09:00+00:00 | Wed 2026-02-04 17:00+00:00 | A",
    ]);
  });

  it("has no shift before the start, nor at a start that the days exclude", () => {
    const tuesdays = event({
      start: "2026-01-07T09:00Z",
      end: "2026-01-07T17:00Z",
      who: "AB",
      frequencyUnit: "weekly",
      daysOfWeek: [2],
      rotation: true,
    });
    expect(shifts(tuesdays, "2026-01-01T00:00Z", "2026-01-21T00:00Z", "UTC")).toEqual([
      "Tue 2026-01-13 09:00+00:00 | Tue 2026-01-13 17:00+00:00 | A",
      "Tue 2026-01-20 09:00+00:00 | Tue 2026-01-20 17:00+00:00 | B",
    ]);
  });

  it("every four weeks: stays 28 days, even if the first shift is also a month", () => {
    const fourWeeks = event({
      start: "2026-02-01T00:00Z",
      end: "2026-03-01T00:00Z",
      who: "AB",
      frequencyUnit: "weekly",
      frequency: 4,
      rotation: true,
    });
    expect(shifts(fourWeeks, "2026-02-01T00:00Z", "2026-03-30T00:00Z", "UTC")).toEqual([
      "Sun 2026-02-01 00:00+00:00 | Sun 2026-03-01 00:00+00:00 | A",
      "Sun 2026-03-01 00:00+00:00 | Sun 2026-03-29 00:00+00:00 | B",
      "Sun 2026-03-29 00:00+00:00 | Sun 2026-04-26 00:00+00:00 | A",
    ]);
  });
});

describe("monthly and yearly", () => {
  it("the 31st becomes the last day in shorter months only", () => {
    const last = event({
      start: "2026-01-31T22:00Z",
      end: "2026-02-01T06:00Z",
      who: "ABC",
      frequencyUnit: "monthly",
      rotation: true,
    });
    expect(shifts(last, "2026-01-01T00:00Z", "2026-05-30T00:00Z", "UTC")).toEqual([
      "Sat 2026-01-31 22:00+00:00 | Sun 2026-02-01 06:00+00:00 | A",
      "Sat 2026-02-28 22:00+00:00 | Sun 2026-03-01 06:00+00:00 | B",
      "Tue 2026-03-31 22:00+00:00 | Wed 2026-04-01 06:00+00:00 | C",
      "Thu 2026-04-30 22:00+00:00 | Fri 2026-05-01 06:00+00:00 | A",
    ]);
  });

  it("a month-long shift ends where the next begins, also in short months and leap years", () => {
    const month = event({
      start: "2027-12-31T09:00Z",
      end: "2028-01-31T09:00Z",
      who: "AB",
      frequencyUnit: "monthly",
      rotation: true,
    });
    expect(shifts(month, "2028-01-01T00:00Z", "2028-05-01T00:00Z", "UTC")).toEqual([
      "Fri 2027-12-31 09:00+00:00 | Mon 2028-01-31 09:00+00:00 | A",
      "Mon 2028-01-31 09:00+00:00 | Tue 2028-02-29 09:00+00:00 | B",
      "Tue 2028-02-29 09:00+00:00 | Fri 2028-03-31 09:00+00:00 | A",
      "Fri 2028-03-31 09:00+00:00 | Sun 2028-04-30 09:00+00:00 | B",
      "Sun 2028-04-30 09:00+00:00 | Wed 2028-05-31 09:00+00:00 | A",
    ]);
  });

  it("a month-long shift that starts in a short month also covers a long month", () => {
    const month = event({
      start: "2026-02-01T00:00Z",
      end: "2026-03-01T00:00Z",
      who: "AB",
      frequencyUnit: "monthly",
      rotation: true,
    });
    expect(shifts(month, "2026-08-31T23:59Z", "2026-09-01T00:00Z", "UTC")).toEqual([
      "Sat 2026-08-01 00:00+00:00 | Tue 2026-09-01 00:00+00:00 | A",
    ]);
  });

  it("a two-month shift stays two months long", () => {
    const twoMonths = event({
      start: "2025-12-31T00:00Z",
      end: "2026-02-28T00:00Z",
      who: "AB",
      frequencyUnit: "monthly",
      frequency: 2,
      rotation: true,
    });
    expect(shifts(twoMonths, "2026-01-01T00:00Z", "2026-05-01T00:00Z", "UTC")).toEqual([
      "Wed 2025-12-31 00:00+00:00 | Sat 2026-02-28 00:00+00:00 | A",
      "Sat 2026-02-28 00:00+00:00 | Thu 2026-04-30 00:00+00:00 | B",
      "Thu 2026-04-30 00:00+00:00 | Tue 2026-06-30 00:00+00:00 | A",
    ]);
  });

  it("any other length keeps its days and clock times", () => {
    const tenDays = event({
      start: "2026-01-31T09:00Z",
      end: "2026-02-10T17:00Z",
      frequencyUnit: "monthly",
    });
    expect(shifts(tenDays, "2026-02-15T00:00Z", "2026-04-01T00:00Z", "UTC")).toEqual([
      "Sat 2026-02-28 09:00+00:00 | Tue 2026-03-10 17:00+00:00 | A",
      "Tue 2026-03-31 09:00+00:00 | Fri 2026-04-10 17:00+00:00 | A",
    ]);
  });

  it("29 February becomes the 28th in common years and the 29th in leap years", () => {
    const leap = event({
      start: "2024-02-29T09:00Z",
      end: "2024-02-29T17:00Z",
      who: "AB",
      frequencyUnit: "yearly",
      rotation: true,
    });
    expect(shifts(leap, "2024-01-01T00:00Z", "2029-01-01T00:00Z", "UTC")).toEqual([
      "Thu 2024-02-29 09:00+00:00 | Thu 2024-02-29 17:00+00:00 | A",
      "Fri 2025-02-28 09:00+00:00 | Fri 2025-02-28 17:00+00:00 | B",
      "Sat 2026-02-28 09:00+00:00 | Sat 2026-02-28 17:00+00:00 | A",
      "Sun 2027-02-28 09:00+00:00 | Sun 2027-02-28 17:00+00:00 | B",
      "Tue 2028-02-29 09:00+00:00 | Tue 2028-02-29 17:00+00:00 | A",
    ]);
  });

  it("a year-long shift and a six-monthly shift keep their local times", () => {
    const year = event({
      start: "2026-07-01T09:00-04:00",
      end: "2027-07-01T09:00-04:00",
      who: "AB",
      frequencyUnit: "yearly",
      rotation: true,
      ...NEW_YORK,
    });
    expect(shifts(year, "2028-01-01T00:00Z", "2028-01-02T00:00Z")).toEqual([
      "Thu 2027-07-01 09:00-04:00 | Sat 2028-07-01 09:00-04:00 | B",
    ]);
    const winter = event({
      start: "2026-01-15T09:00-05:00",
      end: "2026-01-15T17:00-05:00",
      frequencyUnit: "monthly",
      frequency: 6,
      ...NEW_YORK,
    });
    expect(shifts(winter, "2026-07-01T00:00Z", "2026-08-01T00:00Z")).toEqual([
      "Wed 2026-07-15 09:00-04:00 | Wed 2026-07-15 17:00-04:00 | A",
    ]);
  });
});

describe("the end of a series", () => {
  const nights = {
    start: "2026-06-01T22:00-04:00",
    end: "2026-06-02T06:00-04:00",
    who: "AB",
    rotation: true,
    frequencyUnit: "daily",
    ...NEW_YORK,
  } as const;
  const june = ["2026-06-01T00:00-04:00", "2026-07-01T00:00-04:00"] as const;

  it("the repeat end includes every occurrence that starts on its local day, in full", () => {
    // 2026-06-03T03:30Z is 23:30 of 2 June in New York.
    for (const end of ["2026-06-02T00:00-04:00", "2026-06-03T03:30Z"]) {
      expect(shifts(event({ ...nights, repeatEndAt: at(end) }), ...june)).toEqual([
        "Mon 2026-06-01 22:00-04:00 | Tue 2026-06-02 06:00-04:00 | A",
        "Tue 2026-06-02 22:00-04:00 | Wed 2026-06-03 06:00-04:00 | B",
      ]);
    }
  });

  it("the repeat end applies to the local date on which an hourly shift starts", () => {
    const hours = event({
      ...nights,
      end: "2026-06-01T23:00-04:00",
      frequencyUnit: "hourly",
      repeatEndAt: at("2026-06-01T22:00-04:00"),
    });
    expect(shifts(hours, ...june)).toEqual([
      "Mon 2026-06-01 22:00-04:00 | Mon 2026-06-01 23:00-04:00 | A",
      "Mon 2026-06-01 23:00-04:00 | Tue 2026-06-02 00:00-04:00 | B",
    ]);
  });

  it("a cut excludes the occurrence at that time and all later ones, also within a day", () => {
    const cut = event({ ...nights, cutAt: at("2026-06-03T22:00-04:00") });
    expect(shifts(cut, ...june)).toHaveLength(2);
    const hours = event({
      ...nights,
      end: "2026-06-01T23:00-04:00",
      frequencyUnit: "hourly",
      cutAt: at("2026-06-02T00:00-04:00"),
    });
    expect(shifts(hours, ...june)).toHaveLength(2);
  });

  it("an exception removes one occurrence and changes no other turn", () => {
    const excepted = event({
      ...nights,
      exceptAt: ["2026-06-02T22:00-04:00", "2026-06-03T21:00-04:00"], // the second matches no occurrence
      repeatEndAt: at("2026-06-04T00:00-04:00"),
    });
    expect(shifts(excepted, ...june)).toEqual([
      "Mon 2026-06-01 22:00-04:00 | Tue 2026-06-02 06:00-04:00 | A",
      "Wed 2026-06-03 22:00-04:00 | Thu 2026-06-04 06:00-04:00 | A",
      "Thu 2026-06-04 22:00-04:00 | Fri 2026-06-05 06:00-04:00 | B",
    ]);
  });
});
