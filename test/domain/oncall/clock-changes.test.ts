import { describe, expect, it } from "vitest";
import { clockChangeNotices } from "../../../src/domain/oncall/recurrence/clock-changes.ts";
import { at, type EventOptions, event } from "../../support/oncall/oncall-makers.ts";

const HOUR = 3_600_000;
const NOW = at("2026-01-15T00:00-05:00");

/** A nightly event in New York that starts on 1 January 2026 at these clock times. */
function nightly(start: string, end: string, options: EventOptions = {}) {
  return event({
    start: `2026-01-01T${start}-05:00`,
    end: `2026-01-01T${end}-05:00`,
    frequencyUnit: "daily",
    timeZone: "Eastern Time (US & Canada)",
    ...options,
  });
}

describe("notices of clock changes", () => {
  it("reports a skipped start and a repeated start", () => {
    expect(clockChangeNotices(nightly("02:30", "06:00"), NOW)).toEqual([
      {
        localStart: "2026-03-08 02:30",
        localEnd: "2026-03-08 06:00",
        start: "skipped",
        end: null,
        interval: { startAt: at("2026-03-08T03:30-04:00"), endAt: at("2026-03-08T06:00-04:00") },
        longerBy: -HOUR,
      },
    ]);
    expect(clockChangeNotices(nightly("01:30", "06:00"), NOW)).toEqual([
      {
        localStart: "2026-11-01 01:30",
        localEnd: "2026-11-01 06:00",
        start: "repeated",
        end: null,
        interval: { startAt: at("2026-11-01T01:30-04:00"), endAt: at("2026-11-01T06:00-05:00") },
        longerBy: HOUR,
      },
    ]);
  });

  it("reports an occurrence that does not take place", () => {
    expect(clockChangeNotices(nightly("02:00", "03:00"), NOW)).toEqual([
      {
        localStart: "2026-03-08 02:00",
        localEnd: "2026-03-08 03:00",
        start: "skipped",
        end: null,
        interval: null,
        longerBy: -HOUR,
      },
    ]);
  });

  it("reports a skipped end and a repeated end", () => {
    const notices = clockChangeNotices(nightly("00:00", "02:15"), NOW);
    expect(notices.map(({ localEnd, end, longerBy }) => [localEnd, end, longerBy])).toEqual([
      ["2026-03-08 02:15", "skipped", 0], // 00:00 to 03:15, an hour of which is skipped
    ]);
    const autumn = clockChangeNotices(nightly("00:00", "01:15"), NOW);
    expect(autumn.map(({ localEnd, end, longerBy }) => [localEnd, end, longerBy])).toEqual([
      ["2026-11-01 01:15", "repeated", 0],
    ]);
  });

  it.each<[string, ReturnType<typeof nightly>]>([
    ["a shift that only spans the change", nightly("00:30", "06:00")],
    ["an hourly event", nightly("02:30", "03:30", { frequencyUnit: "hourly" })],
    ["a single event", nightly("02:30", "03:30", { repeat: false })],
    [
      "an occurrence removed by an exception",
      nightly("02:30", "06:00", { exceptAt: ["2026-03-08T03:30-04:00"] }),
    ],
    [
      "a series cut before the change",
      nightly("02:30", "06:00", { cutAt: at("2026-02-01T02:30-05:00") }),
    ],
    [
      "a series that ends before the change",
      nightly("02:30", "06:00", { repeatEndAt: at("2026-03-07T12:00-05:00") }),
    ],
    [
      "a series whose days exclude the date of the change",
      nightly("02:30", "06:00", { daysOfWeek: [1, 2, 3] }),
    ],
    ["a zone without clock changes", nightly("02:30", "06:00", { timeZone: "Arizona" })],
  ])("reports nothing for %s", (_, one) => {
    expect(clockChangeNotices(one, NOW)).toEqual([]);
  });

  it("covers one year from now and no past change", () => {
    const after = at("2026-03-12T12:00-04:00");
    const notices = clockChangeNotices(nightly("02:30", "06:00"), after);
    expect(notices).toEqual([]); // 14 March 2027 is 367 days away, less some hours
    const later = clockChangeNotices(nightly("02:30", "06:00"), after + 24 * HOUR);
    expect(later.map(({ localStart }) => localStart)).toEqual(["2027-03-14 02:30"]);
  });

  it("reports the date that Samoa skipped", () => {
    const day = event({
      start: "2011-12-01T09:00-10:00",
      end: "2011-12-01T17:00-10:00",
      frequencyUnit: "daily",
      timeZone: "Samoa",
    });
    const [notice] = clockChangeNotices(day, at("2011-12-02T00:00Z"));
    expect(notice).toMatchObject({
      localStart: "2011-12-30 09:00",
      start: "skipped",
      interval: null,
    });
  });
});
