// Shift handoffs since the last known state, and the recipients of each rotation notification.
import { describe, expect, it } from "vitest";
import { handoffsSince, rotationRecipients } from "../../../src/domain/oncall/shift-handoff.ts";
import { at, event } from "../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const shift = (id: string, who: string, start: string, end: string, layer = 1) =>
  event({ id, who, layer, start: `2026-03-02T${start}Z`, end: `2026-03-02T${end}Z` });
const clock = (time: string) => at(`2026-03-02T${time}Z`);

const morning = shift("morning", "A", "08:00", "12:00");
const afternoon = shift("afternoon", "B", "12:00", "16:00");
const both = [morning, afternoon];

describe("handoffs since the last known state", () => {
  it("are empty if no state is known", () => {
    expect(handoffsSince(scheduleOf(both), null, null, clock("09:00"))).toEqual({
      handoffs: [],
      onCall: { 1: ["A"] },
      nextAt: clock("12:00"),
    });
  });

  it("report a boundary at its instant, even if the timer is late", () => {
    const { handoffs, nextAt } = handoffsSince(
      scheduleOf(both),
      { 1: ["A"] },
      clock("12:00"),
      clock("12:30"),
    );
    expect(handoffs).toEqual([
      {
        at: clock("12:00"),
        layers: [{ layer: 1, off: ["A"], on: ["B"] }],
        onCall: { 1: ["B"] },
      },
    ]);
    expect(nextAt).toBe(clock("16:00"));
  });

  it("report every missed boundary, including one into a gap", () => {
    const { handoffs, nextAt } = handoffsSince(
      scheduleOf(both),
      { 1: ["A"] },
      clock("12:00"),
      clock("20:00"),
    );
    expect(handoffs.map((it) => [it.at, it.layers])).toEqual([
      [clock("12:00"), [{ layer: 1, off: ["A"], on: ["B"] }]],
      [clock("16:00"), [{ layer: 1, off: ["B"], on: [] }]],
    ]);
    expect(nextAt).toBeNull();
  });

  it("report a removal when it is detected, and no change of past shifts", () => {
    const past = shift("past", "C", "08:30", "08:45");
    const now = clock("09:00");
    expect(handoffsSince(scheduleOf([past, afternoon]), { 1: ["A"] }, clock("12:00"), now)).toEqual(
      {
        handoffs: [{ at: now, layers: [{ layer: 1, off: ["A"], on: [] }], onCall: {} }],
        onCall: {},
        nextAt: clock("12:00"),
      },
    );
  });

  it("omit a removed boundary, and process many boundaries in batches", () => {
    const long = shift("long", "A", "08:00", "20:00");
    const { handoffs } = handoffsSince(
      scheduleOf([long]),
      { 1: ["A"] },
      clock("12:00"),
      clock("12:00"),
    );
    expect(handoffs).toEqual([]);
    const hours = event({
      start: "2026-03-02T00:00Z",
      end: "2026-03-02T01:00Z",
      frequencyUnit: "hourly",
      rotation: true,
      who: "AB",
    });
    const late = at("2026-03-06T00:00Z");
    const first = handoffsSince(scheduleOf([hours]), { 1: ["A"] }, clock("01:00"), late);
    expect(first.handoffs).toHaveLength(50);
    expect(first.nextAt).toBe(clock("01:00") + 50 * 3_600_000);
    const second = handoffsSince(scheduleOf([hours]), first.onCall, first.nextAt, late);
    expect(first.handoffs.length + second.handoffs.length).toBe(96);
    expect(second.nextAt).toBe(late + 3_600_000);
  });
});

describe("rotation recipients", () => {
  const handoff = (layers: { layer: number; off: string[]; on: string[] }[], onCall: object) => ({
    at: 0,
    layers,
    onCall: onCall as Record<number, string[]>,
  });

  it("are the people on call after the handoff", () => {
    const layers = [{ layer: 1, off: ["A"], on: ["B"] }];
    expect(rotationRecipients(handoff(layers, { 1: ["B"], 2: ["C"] }))).toEqual(["B", "C"]);
  });

  it("include the people going off call if nobody follows on the layer", () => {
    const layers = [{ layer: 1, off: ["A"], on: [] }];
    expect(rotationRecipients(handoff(layers, { 2: ["C"] }))).toEqual(["C", "A"]);
    expect(rotationRecipients(handoff(layers, {}))).toEqual(["A"]);
  });
});
