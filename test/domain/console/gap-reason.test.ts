// Why nobody is on call on a layer for a time.
import { describe, expect, test } from "vitest";
import { gapReason } from "../../../src/console/oncall/gap-reason.ts";
import type { Event } from "../../../src/features/oncall/events/contract.ts";

/** The fields of an event that the reason depends on. */
const event = (more: Partial<Event>): Event =>
  ({
    ...{ id: "E", parent_id: null, layer: 1, repeat: true, rotation: true },
    ...{ start_datetime: "2026-01-05T09:00:00Z", end_datetime: "2026-01-12T09:00:00Z" },
    ...{ terminated_at: null, repeat_end_datetime: null, positions: [["A"], ["B"]] },
    exceptions: [],
    ...more,
  }) as unknown as Event;

const gap = { from: Date.parse("2026-02-02T09:00Z"), until: Date.parse("2026-02-09T09:00Z") };
const removed = (at: string) => ({ exceptions: [{ id: "X", start_datetime: at }] });

describe("the reason of a gap", () => {
  test.each([
    ["the step has no rotation", []],
    ["the step has no rotation", [event({ layer: 2 })]],
    ["the step has no rotation", [event({ parent_id: "P" })]],
    ["the first shift starts later", [event({ start_datetime: "2026-02-09T09:00:00Z" })]],
    ["a shift was removed", [event(removed("2026-02-02T09:00:00Z"))]],
    ["no shift covers these hours", [event(removed("2026-02-09T09:00:00Z"))]],
    ["the last shift has ended", [event({ terminated_at: "2026-02-02T09:00:00Z" })]],
    ["the last shift has ended", [event({ repeat: false })]],
    ["the turn is empty", [event({ positions: [["A"], []] })]],
    ["no shift covers these hours", [event({ positions: [["A"], []], rotation: false })]],
    ["no shift covers these hours", [event({}), event({ repeat: false })]],
  ])("is that %s", (reason, events) => {
    expect(gapReason(gap, 1, events)).toBe(reason);
  });
});
