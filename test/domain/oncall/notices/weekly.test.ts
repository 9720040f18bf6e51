// When weekly digests and reminders are due, and what notices say.
import { describe, expect, test } from "vitest";
import { shiftsOfWeek } from "../../../../src/domain/oncall/notices/digest.ts";
import {
  digestText,
  gapText,
  hoursText,
  reminderText,
  shiftChangeText,
} from "../../../../src/domain/oncall/notices/notice-text.ts";
import { hoursBetween } from "../../../../src/domain/oncall/notices/person-hours.ts";
import {
  nextReminderAt,
  remindersDue,
  type ShiftReminder,
} from "../../../../src/domain/oncall/notices/reminders.ts";
import { nextWeekly, type Weekday } from "../../../../src/domain/oncall/notices/weekly.ts";
import { END_OF_TIME } from "../../../../src/domain/shared/time.ts";
import { at, event } from "../../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const DAY = 86_400_000;

describe("the weekly digest", () => {
  test.each<[Weekday, string, string, string, string]>([
    ["monday", "08:00", "UTC", "2026-03-02T07:59Z", "2026-03-02T08:00Z"],
    ["monday", "08:00", "UTC", "2026-03-02T08:00Z", "2026-03-09T08:00Z"],
    ["sunday", "20:30", "UTC", "2026-03-02T08:00Z", "2026-03-08T20:30Z"],
    ["monday", "08:00", "Tokyo", "2026-03-01T22:00Z", "2026-03-01T23:00Z"],
    ["friday", "00:00", "America/New_York", "2026-03-02T00:00Z", "2026-03-06T00:00-05:00"],
    // The clocks change on 8 March 2026 at 02:00 in New York.
    ["monday", "08:00", "America/New_York", "2026-03-02T08:00-05:00", "2026-03-09T08:00-04:00"],
    ["sunday", "02:30", "America/New_York", "2026-03-02T08:00-05:00", "2026-03-08T03:30-04:00"],
  ])("is due on %s at %s in %s, after %s", (day, time, timeZone, after, expected) => {
    const next = nextWeekly({ day, time, timeZone }, at(after));
    expect(new Date(next).toISOString()).toBe(new Date(at(expected)).toISOString());
  });

  test("lists the shifts that overlap the week, by start, joined where they touch", () => {
    const from = at("2026-03-02T08:00Z");
    const shift = (start: string, end: string, who: string, layer = 1) =>
      event({ id: `${start}${who}${layer}`, start, end, who, layer });
    const schedules = [
      {
        name: "Payments",
        schedule: scheduleOf([
          shift("2026-03-04T09:00Z", "2026-03-04T17:00Z", "A"),
          shift("2026-03-04T17:00Z", "2026-03-05T09:00Z", "AB"),
          shift("2026-03-06T09:00Z", "2026-03-06T17:00Z", "B"),
          shift("2026-03-09T08:00Z", "2026-03-10T08:00Z", "A"),
        ]),
      },
      {
        name: "Search",
        schedule: scheduleOf([shift("2026-03-01T09:00Z", "2026-03-03T09:00Z", "A", 2)]),
      },
    ];
    const shifts = shiftsOfWeek(schedules, "A", from);
    const text = digestText(shifts, { from, to: from + 7 * DAY, zone: "Berlin" });
    expect(text.subject).toBe(
      "Your on-call shifts, Mon 2 Mar to Mon 9 Mar: Search, step 2: Sun 1 Mar 10:00 – Tue 3 Mar 10:00 and 1 more",
    );
    expect(text.text.split("\n")).toEqual([
      "Your on-call shifts from Mon 2 Mar to Mon 9 Mar:",
      "",
      "- Search, step 2: Sun 1 Mar 10:00 – Tue 3 Mar 10:00",
      "- Payments, step 1: Wed 4 Mar 10:00 – Thu 5 Mar 10:00",
      "",
      "Times in Berlin.",
      "",
    ]);
    expect(digestText([], { from, to: from + 7 * DAY, zone: "UTC" }).subject).toBe(
      "Your on-call shifts, Mon 2 Mar to Mon 9 Mar: none",
    );
  });
});

describe("reminders", () => {
  const rotation = event({
    start: "2026-03-02T09:00Z",
    end: "2026-03-02T17:00Z",
    frequencyUnit: "daily",
    rotation: true,
    who: "AB",
  });
  const wanted = new Map<string, readonly ShiftReminder[]>([
    [
      "A",
      [
        { minutes_before: 60, channel: "sms" },
        { minutes_before: 0, channel: null },
      ],
    ],
    ["B", []],
  ]);
  const from = at("2026-03-02T08:00Z");
  const { people } = hoursBetween(scheduleOf([rotation]), from - 1, from + 35 * DAY);

  test("are due before each shift of those who want them", () => {
    const due = remindersDue(people, wanted, from - 1, from + 3 * DAY);
    expect(due.map((it) => [new Date(it.dueAt).toISOString(), it.reminder.channel])).toEqual([
      ["2026-03-02T08:00:00.000Z", "sms"],
      ["2026-03-02T09:00:00.000Z", null],
      ["2026-03-04T08:00:00.000Z", "sms"],
      ["2026-03-04T09:00:00.000Z", null],
    ]);
    expect(nextReminderAt(people, wanted, from)).toBe(at("2026-03-02T09:00Z"));
    expect(nextReminderAt(people, new Map([["B", []]]), from)).toBeNull();
    expect(remindersDue(people, wanted, from, from)).toEqual([]);
  });

  test("of shifts that follow each other without a pause come once", () => {
    const shift = (start: string, end: string) => event({ id: start, start, end });
    const events = [
      shift("2026-03-02T09:00Z", "2026-03-02T17:00Z"),
      shift("2026-03-02T17:00Z", "2026-03-03T09:00Z"),
    ];
    // Also when the first of them has just ended.
    const later = at("2026-03-02T17:00Z");
    for (const start of [from, later]) {
      const hours = hoursBetween(scheduleOf(events), start - 1, start + DAY).people;
      const due = remindersDue(hours, wanted, later - 1, later + DAY);
      expect(due).toEqual([]);
    }
  });
});

describe("the text", () => {
  test.each([
    ["2026-03-02T09:00Z", "2026-03-02T17:00Z", "UTC", "Mon 2 Mar 09:00 – 17:00"],
    ["2026-03-02T09:00Z", "2026-03-03T09:00Z", "UTC", "Mon 2 Mar 09:00 – Tue 3 Mar 09:00"],
    ["2026-03-02T20:00Z", "2026-03-02T23:00Z", "Tokyo", "Tue 3 Mar 05:00 – 08:00"],
  ])("of the hours %s to %s in %s", (start, end, zone, expected) => {
    expect(hoursText({ startAt: at(start), endAt: at(end) }, zone)).toBe(expected);
  });

  test("of hours without a known end", () => {
    expect(hoursText({ startAt: at("2026-03-02T09:00Z"), endAt: END_OF_TIME }, "UTC")).toBe(
      "from Mon 2 Mar 09:00 on",
    );
  });

  const hours = (day: number, layer = 1) => ({
    layer,
    startAt: at("2026-03-02T09:00Z") + day * DAY,
    endAt: at("2026-03-02T17:00Z") + day * DAY,
  });

  test("of a change says what changed, and summarises many", () => {
    const many = [...Array(25).keys()].map((day) => hours(day));
    expect(shiftChangeText("Payments", { added: many, removed: [] }, "UTC")).toEqual({
      subject: "You were put on call in Payments: step 1: Mon 2 Mar 09:00 – 17:00 and 24 more",
      text: [
        "You were put on call in Payments.",
        "",
        "Now on call:",
        ...many.slice(0, 20).map((it) => `- step 1: ${hoursText(it, "UTC")}`),
        "- and 5 more",
        "",
        "Times in UTC. Only changes of the next 28 days are listed.",
        "",
      ].join("\n"),
    });
    const removed = shiftChangeText("Payments", { added: [], removed: [hours(0, 2)] }, "Tokyo");
    expect(removed.subject).toBe(
      "You were taken off call in Payments: step 2: Mon 2 Mar 18:00 – Tue 3 Mar 02:00",
    );
    const both = shiftChangeText("Payments", { added: [hours(1)], removed: [hours(0)] }, "UTC");
    expect(both.subject).toMatch(/^Your on-call shifts in Payments were changed: /);
    expect(both.text).toContain("No longer on call:\n- step 1: Mon 2 Mar 09:00 – 17:00");
  });

  test("of a gap and of a reminder", () => {
    expect(gapText("Payments", [hours(0), hours(1)], "UTC").subject).toBe(
      "Nobody is on call for Payments: step 1: Mon 2 Mar 09:00 – 17:00 and 1 more",
    );
    const reminder = { minutes_before: 1_530, channel: null };
    expect(reminderText("Payments", { ...hours(0), reminder }, "UTC").subject).toBe(
      "You go on call in 1 day 1 hour 30 minutes: Payments, step 1, Mon 2 Mar 09:00 – 17:00",
    );
    const now = { minutes_before: 0, channel: null };
    expect(reminderText("Payments", { ...hours(0), reminder: now }, "UTC").text).toContain(
      "You go on call now.",
    );
  });
});
