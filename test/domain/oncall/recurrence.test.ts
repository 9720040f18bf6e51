/**
 * Table tests of recurrence: an event, then every shift in a window as readable text.
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

describe("a single event", () => {
  it("takes place once with all attendees, regardless of its recurrence fields", () => {
    const once = event({
      start: "2026-03-05T09:00-05:00",
      end: "2026-03-05T17:00-05:00",
      who: "AB",
      repeat: false,
      rotation: true,
      frequency: 1,
      frequencyUnit: "daily",
      daysOfWeek: [1],
      repeatEndAt: at("2026-03-01T00:00-05:00"),
      ...NEW_YORK,
    });
    expect(shifts(once, "2026-01-01T00:00Z", "2027-01-01T00:00Z")).toEqual([
      "Thu 2026-03-05 09:00-05:00 | Thu 2026-03-05 17:00-05:00 | AB",
    ]);
  });

  it("includes its start and excludes its end", () => {
    const once = event({ start: "2026-03-05T09:00Z", end: "2026-03-05T17:00Z" });
    expect(shifts(once, "2026-03-05T08:00Z", "2026-03-05T09:00Z")).toHaveLength(0);
    expect(shifts(once, "2026-03-05T08:59Z", "2026-03-05T09:01Z")).toHaveLength(1);
    expect(shifts(once, "2026-03-05T16:59Z", "2026-03-05T17:00Z")).toHaveLength(1);
    expect(shifts(once, "2026-03-05T17:00Z", "2026-03-05T18:00Z")).toHaveLength(0);
  });
});

describe("daily", () => {
  it("rotates over weekdays without losing a turn on weekends", () => {
    const weekdays = event({
      start: "2026-01-07T09:00Z",
      end: "2026-01-07T17:00Z",
      who: "ABC",
      frequencyUnit: "daily",
      daysOfWeek: [1, 2, 3, 4, 5],
      rotation: true,
    });
    expect(shifts(weekdays, "2026-01-01T00:00Z", "2026-01-15T00:00Z", "UTC")).toEqual([
      "Wed 2026-01-07 09:00+00:00 | Wed 2026-01-07 17:00+00:00 | A",
      "Thu 2026-01-08 09:00+00:00 | Thu 2026-01-08 17:00+00:00 | B",
      "Fri 2026-01-09 09:00+00:00 | Fri 2026-01-09 17:00+00:00 | C",
      "Mon 2026-01-12 09:00+00:00 | Mon 2026-01-12 17:00+00:00 | A",
      "Tue 2026-01-13 09:00+00:00 | Tue 2026-01-13 17:00+00:00 | B",
      "Wed 2026-01-14 09:00+00:00 | Wed 2026-01-14 17:00+00:00 | C",
    ]);
  });

  it("starts on the first allowed day if the start is excluded", () => {
    const weekend = event({
      start: "2026-01-07T09:00Z",
      end: "2026-01-07T17:00Z",
      who: "AB",
      frequencyUnit: "daily",
      daysOfWeek: [0, 6],
      rotation: true,
    });
    expect(shifts(weekend, "2026-01-01T00:00Z", "2026-01-18T00:00Z", "UTC")).toEqual([
      "Sat 2026-01-10 09:00+00:00 | Sat 2026-01-10 17:00+00:00 | A",
      "Sun 2026-01-11 09:00+00:00 | Sun 2026-01-11 17:00+00:00 | B",
      "Sat 2026-01-17 09:00+00:00 | Sat 2026-01-17 17:00+00:00 | A",
    ]);
  });

  it("omits the weekend days of every second day: 7, 9, (11 is a Sunday), 13, 15", () => {
    const everySecond = event({
      start: "2026-01-07T09:00Z",
      end: "2026-01-07T10:00Z",
      who: "ABC",
      frequencyUnit: "daily",
      frequency: 2,
      daysOfWeek: [1, 2, 3, 4, 5],
      rotation: true,
    });
    expect(shifts(everySecond, "2026-01-01T00:00Z", "2026-01-16T00:00Z", "UTC")).toEqual([
      "Wed 2026-01-07 09:00+00:00 | Wed 2026-01-07 10:00+00:00 | A",
      "Fri 2026-01-09 09:00+00:00 | Fri 2026-01-09 10:00+00:00 | B",
      "Tue 2026-01-13 09:00+00:00 | Tue 2026-01-13 10:00+00:00 | C",
      "Thu 2026-01-15 09:00+00:00 | Thu 2026-01-15 10:00+00:00 | A",
    ]);
  });

  it("keeps a night shift's local times: seven hours in spring, nine in autumn", () => {
    const night = event({
      start: "2026-03-06T22:00-05:00",
      end: "2026-03-07T06:00-05:00",
      frequencyUnit: "daily",
      ...NEW_YORK,
    });
    expect(shifts(night, "2026-03-07T12:00-05:00", "2026-03-09T12:00-04:00")).toEqual([
      "Sat 2026-03-07 22:00-05:00 | Sun 2026-03-08 06:00-04:00 | A",
      "Sun 2026-03-08 22:00-04:00 | Mon 2026-03-09 06:00-04:00 | A",
    ]);
    expect(shifts(night, "2026-10-31T12:00-04:00", "2026-11-01T12:00-05:00")).toEqual([
      "Sat 2026-10-31 22:00-04:00 | Sun 2026-11-01 06:00-05:00 | A",
    ]);
  });

  it("leaves no gap between 24-hour shifts on days of 23 and 25 hours", () => {
    const days = {
      who: "AB",
      frequencyUnit: "daily",
      rotation: true,
      ...NEW_YORK,
    } as const;
    const spring = event({
      start: "2026-01-01T02:30-05:00",
      end: "2026-01-02T02:30-05:00",
      ...days,
    });
    // 7 March is day 65 from 1 January: B's turn, since A has the even days. 02:30 on 8 March is
    // skipped.
    expect(shifts(spring, "2026-03-07T12:00-05:00", "2026-03-09T12:00-04:00")).toEqual([
      "Sat 2026-03-07 02:30-05:00 | Sun 2026-03-08 03:30-04:00 | B",
      "Sun 2026-03-08 03:30-04:00 | Mon 2026-03-09 02:30-04:00 | A",
      "Mon 2026-03-09 02:30-04:00 | Tue 2026-03-10 02:30-04:00 | B",
    ]);
    const autumn = event({
      start: "2026-01-01T01:30-05:00",
      end: "2026-01-02T01:30-05:00",
      ...days,
    });
    // 31 October is day 303. 01:30 on 1 November is the first pass, in summer time.
    expect(shifts(autumn, "2026-10-31T12:00-04:00", "2026-11-02T12:00-05:00")).toEqual([
      "Sat 2026-10-31 01:30-04:00 | Sun 2026-11-01 01:30-04:00 | B",
      "Sun 2026-11-01 01:30-04:00 | Mon 2026-11-02 01:30-05:00 | A",
      "Mon 2026-11-02 01:30-05:00 | Tue 2026-11-03 01:30-05:00 | B",
    ]);
  });

  it("does not take place if it spans exactly the clock gap, and uses its turn", () => {
    const skipped = event({
      start: "2026-03-06T02:00-05:00",
      end: "2026-03-06T03:00-05:00",
      who: "ABCD",
      frequencyUnit: "daily",
      rotation: true,
      ...NEW_YORK,
    });
    expect(shifts(skipped, "2026-03-06T00:00-05:00", "2026-03-10T00:00-04:00")).toEqual([
      "Fri 2026-03-06 02:00-05:00 | Fri 2026-03-06 03:00-05:00 | A",
      "Sat 2026-03-07 02:00-05:00 | Sat 2026-03-07 03:00-05:00 | B",
      "Mon 2026-03-09 02:00-04:00 | Mon 2026-03-09 03:00-04:00 | D",
    ]);
  });

  it("moves forward by the gap if it lies within the gap", () => {
    const inside = event({
      start: "2026-03-07T02:15-05:00",
      end: "2026-03-07T02:45-05:00",
      frequencyUnit: "daily",
      ...NEW_YORK,
    });
    expect(shifts(inside, "2026-03-08T00:00-05:00", "2026-03-09T00:00-04:00")).toEqual([
      "Sun 2026-03-08 03:15-04:00 | Sun 2026-03-08 03:45-04:00 | A",
    ]);
  });

  it("moves also if the gap is at the start of the day: midnight to one in Santiago", () => {
    const midnight = event({
      start: "2026-09-05T00:15-04:00",
      end: "2026-09-05T00:45-04:00",
      frequencyUnit: "daily",
      timeZone: "Santiago",
    });
    const zone = "America/Santiago";
    expect(shifts(midnight, "2026-09-05T12:00-04:00", "2026-09-06T12:00-03:00", zone)).toEqual([
      "Sun 2026-09-06 01:15-03:00 | Sun 2026-09-06 01:45-03:00 | A",
    ]);
  });

  it("moves by half an hour on Lord Howe", () => {
    const island = event({
      start: "2026-10-03T02:10+10:30",
      end: "2026-10-03T04:00+10:30",
      frequencyUnit: "daily",
      timeZone: "Australia/Lord_Howe",
    });
    const zone = "Australia/Lord_Howe";
    expect(shifts(island, "2026-10-04T00:00+10:30", "2026-10-05T12:00+11:00", zone)).toEqual([
      "Sun 2026-10-04 02:40+11:00 | Sun 2026-10-04 04:00+11:00 | A",
      "Mon 2026-10-05 02:10+11:00 | Mon 2026-10-05 04:00+11:00 | A",
    ]);
  });

  it("follows changes of a zone's rules: Istanbul stays on summer time from 2016", () => {
    const noon = event({
      start: "2015-12-01T12:00+02:00",
      end: "2015-12-01T13:00+02:00",
      frequencyUnit: "daily",
      timeZone: "Istanbul",
    });
    const zone = "Europe/Istanbul";
    expect(shifts(noon, "2016-02-01T00:00Z", "2016-02-02T00:00Z", zone)).toEqual([
      "Mon 2016-02-01 12:00+02:00 | Mon 2016-02-01 13:00+02:00 | A",
    ]);
    expect(shifts(noon, "2017-02-01T00:00Z", "2017-02-02T00:00Z", zone)).toEqual([
      "Wed 2017-02-01 12:00+03:00 | Wed 2017-02-01 13:00+03:00 | A",
    ]);
  });

  it("keeps the first occurrence as given, even in the second pass of a repeated hour", () => {
    const second = event({
      start: "2026-11-01T01:30-05:00",
      end: "2026-11-01T01:45-05:00",
      frequencyUnit: "daily",
      ...NEW_YORK,
    });
    expect(shifts(second, "2026-11-01T00:00-04:00", "2026-11-03T00:00-05:00")).toEqual([
      "Sun 2026-11-01 01:30-05:00 | Sun 2026-11-01 01:45-05:00 | A",
      "Mon 2026-11-02 01:30-05:00 | Mon 2026-11-02 01:45-05:00 | A",
    ]);
  });

  it("keeps the length of a shift whose local end is before its local start", () => {
    const backwards = event({
      start: "2026-11-01T01:45-04:00",
      end: "2026-11-01T01:15-05:00", // half an hour later
      frequencyUnit: "daily",
      ...NEW_YORK,
    });
    expect(shifts(backwards, "2026-11-01T00:00-04:00", "2026-11-03T00:00-05:00")).toEqual([
      "Sun 2026-11-01 01:45-04:00 | Sun 2026-11-01 01:15-05:00 | A",
      "Mon 2026-11-02 01:45-05:00 | Mon 2026-11-02 02:15-05:00 | A",
    ]);
  });
});

describe("a date that a zone skips", () => {
  const apia = "Pacific/Apia";
  const samoa = { timeZone: "Samoa", who: "ABC", rotation: true } as const;

  it("has no day shift but uses its turn (Samoa, 30 December 2011)", () => {
    const day = event({
      start: "2011-12-28T09:00-10:00",
      end: "2011-12-28T17:00-10:00",
      frequencyUnit: "daily",
      ...samoa,
    });
    expect(shifts(day, "2011-12-28T00:00-10:00", "2012-01-02T00:00+14:00", apia)).toEqual([
      "Wed 2011-12-28 09:00-10:00 | Wed 2011-12-28 17:00-10:00 | A",
      "Thu 2011-12-29 09:00-10:00 | Thu 2011-12-29 17:00-10:00 | B",
      "Sat 2011-12-31 09:00+14:00 | Sat 2011-12-31 17:00+14:00 | A",
      "Sun 2012-01-01 09:00+14:00 | Sun 2012-01-01 17:00+14:00 | B",
    ]);
  });

  it("leaves no gap or overlap in a night shift and a 24-hour shift", () => {
    const night = event({
      start: "2011-12-28T22:00-10:00",
      end: "2011-12-29T06:00-10:00",
      frequencyUnit: "daily",
      ...samoa,
    });
    expect(shifts(night, "2011-12-29T12:00-10:00", "2012-01-01T12:00+14:00", apia)).toEqual([
      "Thu 2011-12-29 22:00-10:00 | Sat 2011-12-31 06:00+14:00 | B",
      "Sat 2011-12-31 22:00+14:00 | Sun 2012-01-01 06:00+14:00 | A",
    ]);
    const around = event({
      start: "2011-12-28T09:00-10:00",
      end: "2011-12-29T09:00-10:00",
      frequencyUnit: "daily",
      ...samoa,
    });
    expect(shifts(around, "2011-12-29T12:00-10:00", "2012-01-01T00:00+14:00", apia)).toEqual([
      "Thu 2011-12-29 09:00-10:00 | Sat 2011-12-31 09:00+14:00 | B",
      "Sat 2011-12-31 09:00+14:00 | Sun 2012-01-01 09:00+14:00 | A",
    ]);
  });

  it("does not remove a week-long shift that starts on it", () => {
    const week = event({
      start: "2011-12-16T09:00-10:00",
      end: "2011-12-23T09:00-10:00",
      frequencyUnit: "weekly",
      ...samoa,
    });
    expect(shifts(week, "2011-12-24T00:00-10:00", "2012-01-07T00:00+14:00", apia)).toEqual([
      "Fri 2011-12-23 09:00-10:00 | Sat 2011-12-31 09:00+14:00 | B",
      "Sat 2011-12-31 09:00+14:00 | Fri 2012-01-06 09:00+14:00 | C",
      "Fri 2012-01-06 09:00+14:00 | Fri 2012-01-13 09:00+14:00 | A",
    ]);
  });

  it("counts as the Friday it would have been for days of the week", () => {
    const fridays = event({
      start: "2011-12-23T09:00-10:00",
      end: "2011-12-25T09:00-10:00",
      frequencyUnit: "daily",
      daysOfWeek: [5],
      ...samoa,
    });
    expect(shifts(fridays, "2011-12-24T00:00-10:00", "2012-01-07T00:00+14:00", apia)).toEqual([
      "Fri 2011-12-23 09:00-10:00 | Sun 2011-12-25 09:00-10:00 | A",
      "Sat 2011-12-31 09:00+14:00 | Sun 2012-01-01 09:00+14:00 | B",
      "Fri 2012-01-06 09:00+14:00 | Sun 2012-01-08 09:00+14:00 | C",
    ]);
  });

  it("is skipped on Kwajalein too (21 August 1993)", () => {
    const day = event({
      start: "1993-08-20T09:00-12:00",
      end: "1993-08-20T17:00-12:00",
      who: "ABC",
      rotation: true,
      frequencyUnit: "daily",
      timeZone: "Pacific/Kwajalein",
    });
    const zone = "Pacific/Kwajalein";
    expect(shifts(day, "1993-08-20T00:00-12:00", "1993-08-23T00:00+12:00", zone)).toEqual([
      "Fri 1993-08-20 09:00-12:00 | Fri 1993-08-20 17:00-12:00 | A",
      "Sun 1993-08-22 09:00+12:00 | Sun 1993-08-22 17:00+12:00 | C",
    ]);
  });
});
