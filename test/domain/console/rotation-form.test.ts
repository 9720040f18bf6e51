// The form of a rotation: handoffs, hours, positions, and the events that templates make.
import { describe, expect, test } from "vitest";
import {
  endOfTurn,
  lastHandoff,
  movedStart,
} from "../../../src/console/oncall/rotation/handoff.ts";
import { hoursValues, restrictionsIn } from "../../../src/console/oncall/rotation/hours.ts";
import { positionsIn, withPositionEdit } from "../../../src/console/oncall/rotation/positions.ts";
import {
  blankRotation,
  newEvents,
  TEMPLATES,
  templateNamed,
} from "../../../src/console/oncall/rotation/templates.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { DAY, formatInstant, HOUR, zoneOf } from "../../../src/domain/shared/time.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const at = (text: string) => Date.parse(text);
const utc = zoneOf("UTC");
const berlin = zoneOf("Berlin");
const NOW = at("2026-11-18T10:30:00Z"); // A Wednesday.

describe("the last handoff", () => {
  const nine = { day: 1, date: 1, minute: 540 };
  test.each([
    ["daily", "2026-11-18T10:00Z", "2026-11-18T09:00:00.000Z"],
    ["daily", "2026-11-18T08:59Z", "2026-11-17T09:00:00.000Z"],
    ["weekly", "2026-11-18T10:00Z", "2026-11-16T09:00:00.000Z"],
    ["weekly", "2026-11-16T09:00Z", "2026-11-16T09:00:00.000Z"],
    ["weekly", "2026-11-16T08:59Z", "2026-11-09T09:00:00.000Z"],
    ["monthly", "2026-11-18T10:00Z", "2026-11-01T09:00:00.000Z"],
    ["monthly", "2026-11-01T08:00Z", "2026-10-01T09:00:00.000Z"],
  ] as const)("%s, seen from %s, is %s", (unit, from, handoff) => {
    expect(formatInstant(lastHandoff({ unit, ...nine }, utc, at(from)))).toBe(handoff);
  });

  test("is on the wall clock of its zone", () => {
    const handoff = { unit: "weekly", ...nine } as const;
    const found = [at("2026-03-28T12:00Z"), at("2026-03-31T12:00Z")].map((from) =>
      formatInstant(lastHandoff(handoff, berlin, from)),
    );
    expect(found).toEqual(["2026-03-23T08:00:00.000Z", "2026-03-30T07:00:00.000Z"]);
  });
});

describe("a turn", () => {
  test.each([
    ["daily", 2, "2026-03-28T08:00:00Z", "2026-03-30T07:00:00.000Z"],
    ["weekly", 1, "2026-03-23T08:00:00Z", "2026-03-30T07:00:00.000Z"],
    ["monthly", 1, "2026-01-31T08:00:00Z", "2026-02-28T08:00:00.000Z"],
  ] as const)("of %s × %d ends on the same clock time", (unit, every, start, end) => {
    expect(formatInstant(endOfTurn(unit, every, at(start), berlin))).toBe(end);
  });

  test.each([
    [1, 2, "2026-11-17T09:00:00.000Z"],
    [1, 0, "2026-11-15T09:00:00.000Z"],
    [1, 5, "2026-11-13T09:00:00.000Z"],
    [1, 1, "2026-11-16T09:00:00.000Z"],
  ])("moves from weekday %d to %d by at most three days", (from, to, moved) => {
    const handoff = { unit: "weekly", date: 1, minute: 540 } as const;
    const start = movedStart(
      at("2026-11-16T09:00Z"),
      { ...handoff, day: from },
      { ...handoff, day: to },
      { from: utc, to: utc },
    );
    expect(formatInstant(start)).toBe(moved);
  });
});

describe("positions", () => {
  const values = { positions_0: ["A", "B C", "nobody"] };
  test.each([
    ["0 up 1", [["B", "C"], ["A"], []]],
    ["0 up 0", [["A"], ["B", "C"], []]],
    ["0 down 1", [["A"], [], ["B", "C"]]],
    ["0 join 1", [["A", "B", "C"], []]],
    ["0 join 0", [["A"], ["B", "C"], []]],
    ["0 split 1", [["A"], ["B"], ["C"], []]],
    ["0 repeat 0", [["A"], ["B", "C"], [], ["A"]]],
    ["0 remove 2", [["A"], ["B", "C"]]],
    ["0 add D", [["A"], ["B", "C"], [], ["D"]]],
    ["0 each D E", [["A"], ["B", "C"], [], ["D"], ["E"]]],
    ["0 empty 0", [["A"], ["B", "C"], [], []]],
    ["0 remove 7", [["A"], ["B", "C"], []]],
    ["0 find 0", [["A"], ["B", "C"], []]],
    ["", [["A"], ["B", "C"], []]],
  ])("after %j", (pressed, expected) => {
    expect(positionsIn(withPositionEdit(values, pressed), 0)).toEqual(expected);
  });
});

describe("hours", () => {
  test.each([
    [[]],
    [[{ days_of_week: [1, 2, 3, 4, 5], start_time: "09:00", end_time: "17:00" }]],
    [[{ days_of_week: [], start_time: "22:00", end_time: "06:30" }]],
    [
      [
        { days_of_week: [0, 3], start_time: "00:00", end_time: "24:00" },
        { days_of_week: [6], start_time: "12:00", end_time: "12:00" },
      ],
    ],
  ])("of %j are the same after the form", (windows) => {
    expect(restrictionsIn(hoursValues(0, windows), 0)).toEqual(windows);
  });
});

/** The event that the API makes of a body, for the calculation of who is on call. */
function eventOf(body: Readonly<Record<string, any>>, id: string): OnCallEvent {
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const attendees = (body.positions as string[][]).flatMap((people, position) =>
    people.map((attendeeId) => ({
      ...{ id: `${id}${position}`, attendeeId, position },
      attendeeType: "AccountUser" as const,
    })),
  );
  return {
    ...{ id, seriesId: id, createdAt: 0, parentId: null, repeatEndAt: null },
    ...{ cutAt: null, exceptions: [], daysOfWeek: [], repeat: true, rotation: true, attendees },
    startAt: Date.parse(body.start_datetime),
    endAt: Date.parse(body.end_datetime),
    layer: Number(body.layer),
    timeZone: body.time_zone,
    frequency: Number(body.frequency),
    frequencyUnit: body.frequency_unit,
    restrictions: (body.restrictions as any[]).map((it) => ({
      daysOfWeek: it.days_of_week,
      startMinute: minutes(it.start_time),
      endMinute: minutes(it.end_time),
    })),
  };
}

const withPeople = (name: string, people: Readonly<Record<string, unknown>>) => {
  const template = templateNamed(name);
  return newEvents(template, { ...blankRotation(template, "UTC"), ...people }, NOW);
};

describe("the templates", () => {
  test.each(TEMPLATES.map(({ value }) => value))("%s covers a year without a gap", (name) => {
    const people = { positions_0: ["A", "B"], positions_1: ["C", "D"], positions_2: ["E", "F"] };
    const events = withPeople(name, people).map(({ body }, at) => eventOf(body, String(at)));
    for (const layer of new Set(events.map((event) => event.layer))) {
      let covered = NOW;
      const entries = onCallBetween(scheduleOf(events), NOW, NOW + 366 * DAY)
        .filter((it) => it.layer === layer)
        .sort((one, other) => one.startAt - other.startAt);
      for (const { startAt, endAt } of entries) {
        expect(startAt).toBeLessThanOrEqual(covered);
        covered = Math.max(covered, endAt);
      }
      expect(covered).toBeGreaterThanOrEqual(NOW + 366 * DAY);
    }
  });

  test("weekly begins now, in a turn that hands off on Monday at nine", () => {
    const [weekly] = withPeople("weekly", { positions_0: ["A", "B"] });
    expect(weekly?.body).toMatchObject({
      start_datetime: "2026-11-16T09:00:00.000Z",
      end_datetime: "2026-11-23T09:00:00.000Z",
      effective_at: "now",
      positions: [["A"], ["B"]],
    });
  });

  test("a start on a handoff needs no other instant", () => {
    const [weekly] = withPeople("weekly", { positions_0: ["A"], start: "2026-11-23T09:00" });
    expect(weekly?.body.start_datetime).toBe("2026-11-23T09:00:00.000Z");
    expect(weekly?.body).not.toHaveProperty("effective_at");
  });

  test("two regions share the day, and overlap only where the clocks disagree", () => {
    const people = { positions_0: ["A"], positions_1: ["B"] };
    const events = withPeople("sun-2", people);
    expect(events.map(({ body }) => body.time_zone)).toEqual([
      "London",
      "Pacific Time (US & Canada)",
    ]);
    const entries = events.flatMap(({ body }, at) =>
      onCallBetween(scheduleOf([eventOf(body, String(at))]), NOW, NOW + 10 * DAY),
    );
    const lengths = new Set(entries.map(({ startAt, endAt }) => (endAt - startAt) / HOUR));
    expect([...lengths].sort()).toEqual([12, 13]);
  });

  test("the secondary is the next primary", () => {
    const events = withPeople("primary", { positions_0: ["A", "B", "C"], layer: "2" });
    expect(events.map(({ body }) => [Number(body.layer), body.positions])).toEqual([
      [2, [["A"], ["B"], ["C"]]],
      [3, [["B"], ["C"], ["A"]]],
    ]);
  });
});
