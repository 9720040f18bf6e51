// The form of a rotation that is copied to another layer.
import { describe, expect, test } from "vitest";
import { copiedRotation, isCopied } from "../../../src/console/oncall/rotation/copied-rotation.ts";
import { positionsIn } from "../../../src/console/oncall/rotation/positions.ts";
import { newEvents, templateNamed } from "../../../src/console/oncall/rotation/templates.ts";
import type { EventWithClockChanges as Event } from "../../../src/features/oncall/events/contract.ts";
import type { OnCallEntry } from "../../../src/features/oncall/on-call/contract.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-18T10:30:00Z"); // A Wednesday.

/** A rotation with the fields that the form depends on: by default weekly from Monday the 2nd. */
const rotation = (more: Partial<Event> = {}): Event =>
  ({
    ...{ id: "E", parent_id: null, import_id: null, schedule_ids: ["S"], layer: 1, priority: 0 },
    ...{ start_datetime: "2026-11-02T09:00:00.000Z", end_datetime: "2026-11-09T09:00:00.000Z" },
    ...{ repeat: true, rotation: true, frequency: 1, frequency_unit: "weekly", time_zone: "UTC" },
    ...{ terminated_at: null, repeat_end_datetime: null, begins_at: null, days_of_week: [] },
    ...{ positions: [["A"], ["B"], ["C"]], restrictions: [], exceptions: [] },
    ...{ when_away: "stay", rosters: [] },
    ...more,
  }) as unknown as Event;

/** The shifts of a rotation from now on; `2 B` is B's, two days from now. */
const served = (...texts: readonly string[]): OnCallEntry[] =>
  texts.map((text) => {
    const [days = "", people = ""] = text.split(" ");
    const at = NOW + Number(days) * DAY;
    return {
      ...{ layer: 1, event_id: "E", schedule_id: "S" },
      start_time: new Date(at).toISOString(),
      end_time: new Date(at + DAY).toISOString(),
      absent: [],
      attendees: [...people].map((id) => ({
        ...{ id, attendee_id: id, position: 0 },
        attendee_type: "AccountUser" as const,
      })),
    };
  });

const orderOf = (event: Event, ...texts: readonly string[]) =>
  positionsIn(copiedRotation(event, served(...texts), NOW), 0)
    .map((people) => people.join("") || "-")
    .join(" ");

describe("a copied rotation", () => {
  test("is on the next layer, with the same turns, hours and settings", () => {
    const weekends = [{ days_of_week: [6], start_time: "00:00", end_time: "12:00" }];
    const event = rotation({ layer: 2, restrictions: weekends, when_away: "next_in_line" });
    const values = copiedRotation(event, served("-2 A"), NOW);
    const [made] = newEvents(templateNamed("weekly"), values, NOW);
    expect(made?.body).toMatchObject({
      ...{ layer: "3", frequency: "1", frequency_unit: "weekly", time_zone: "UTC" },
      ...{ start_datetime: "2026-11-16T09:00:00.000Z", end_datetime: "2026-11-23T09:00:00.000Z" },
      ...{ restrictions: weekends, when_away: "next_in_line", effective_at: "now" },
    });
  });

  test.each([
    [["-2 A", "5 B"], "B C A"],
    [["-2 B", "5 C"], "C A B"],
    // An override of the present turn.
    [["-2 Z", "5 C", "12 A"], "C A B"],
    [["-2 A", "0 Z", "5 B"], "B C A"],
    // Of a rotation for weekends, this week's is over.
    [["11 C"], "C A B"],
    [[], "B C A"],
  ])("is a turn ahead where %j are on call", (texts, order) => {
    expect(orderOf(rotation(), ...texts)).toBe(order);
  });

  test("finds the turn of people who have several", () => {
    const event = rotation({ positions: [["A"], ["B"], ["A"], ["C"]] });
    expect(orderOf(event, "-2 A", "5 C")).toBe("C A B A");
    expect(orderOf(event, "-2 A", "5 B")).toBe("B A C A");
  });

  test("of one person, or with an empty turn", () => {
    expect(orderOf(rotation({ positions: [["A"]] }), "-2 A")).toBe("A");
    expect(orderOf(rotation({ positions: [["A", "B"], []] }), "-2 AB")).toBe("- AB");
  });

  test("has the present people, not those of a change that is planned", () => {
    const rosters = [
      { from: null, until: "2026-11-10T09:00:00.000Z", rotation: true, positions: [["Z"]] },
      {
        ...{ from: "2026-11-10T09:00:00.000Z", until: "2026-12-07T09:00:00.000Z" },
        ...{ rotation: true, positions: [["A"], ["B"]] },
      },
      { from: "2026-12-07T09:00:00.000Z", until: null, rotation: true, positions: [["C"]] },
    ];
    expect(orderOf(rotation({ rosters, positions: [["C"]] }), "-2 A", "5 B")).toBe("B A");
  });

  test("hands off with the other one, also if a turn has several weeks", () => {
    const event = rotation({ frequency: 2, end_datetime: "2026-11-16T09:00:00.000Z" });
    // The turns begin on the 2nd and the 16th; a week later another person would be on call.
    for (const [now, start] of [
      ["2026-11-12T10:00:00Z", "2026-11-02"],
      ["2026-11-18T10:00:00Z", "2026-11-16"],
      ["2026-11-25T10:00:00Z", "2026-11-16"],
    ] as const) {
      const values = copiedRotation(event, [], Date.parse(now));
      const [made] = newEvents(templateNamed("weekly"), values, Date.parse(now));
      expect(String(made?.body.start_datetime)).toBe(`${start}T09:00:00.000Z`);
    }
  });

  test("begins with a rotation that is still to come", () => {
    const start = "2026-12-07T09:00:00.000Z";
    const event = rotation({ start_datetime: start, end_datetime: "2026-12-14T09:00:00.000Z" });
    const values = copiedRotation(event, [], NOW);
    const [made] = newEvents(templateNamed("weekly"), values, NOW);
    expect(made?.body).toMatchObject({ start_datetime: start, positions: [["B"], ["C"], ["A"]] });
    expect(made?.body).not.toHaveProperty("effective_at");
  });

  test("is offered for rotations only", () => {
    expect(isCopied(rotation())).toBe(true);
    for (const more of [
      { import_id: "I" },
      { schedule_ids: [] },
      { rotation: false },
      { end_datetime: "2026-11-03T09:00:00.000Z" },
    ]) {
      expect(isCopied(rotation(more))).toBe(false);
    }
  });
});
