import { describe, expect, it } from "vitest";
import { coverageBetween } from "../../../src/domain/oncall/coverage.ts";
import { at, event } from "../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const interval = (start: string, end: string) => ({ startAt: at(start), endAt: at(end) });

describe("coverage of a window", () => {
  const day = event({
    id: "day",
    start: "2026-01-05T08:00Z",
    end: "2026-01-05T16:00Z",
    who: "AB",
    frequencyUnit: "daily",
    rotation: true,
  });
  const late = event({
    id: "late",
    start: "2026-01-05T14:00Z",
    end: "2026-01-05T20:00Z",
    who: "A",
    frequencyUnit: "daily",
  });
  const from = at("2026-01-05T00:00Z");
  const to = at("2026-01-07T00:00Z");

  it("reports the share, gaps and overlaps of each layer", () => {
    const { layers } = coverageBetween(scheduleOf([day, late]), from, to);
    expect(layers).toEqual([
      {
        layer: 1,
        share: 24 / 48, // 08:00 to 20:00 on two days
        gaps: [
          interval("2026-01-05T00:00Z", "2026-01-05T08:00Z"),
          interval("2026-01-05T20:00Z", "2026-01-06T08:00Z"),
          interval("2026-01-06T20:00Z", "2026-01-07T00:00Z"),
        ],
        overlaps: [
          { ...interval("2026-01-05T14:00Z", "2026-01-05T16:00Z"), eventIds: ["day", "late"] },
          { ...interval("2026-01-06T14:00Z", "2026-01-06T16:00Z"), eventIds: ["day", "late"] },
        ],
      },
    ]);
  });

  it("counts a person's time once where two of their shifts overlap", () => {
    // A: 08–20 on the 5th, 14–20 on the 6th. B: 08–16 on the 6th.
    expect(coverageBetween(scheduleOf([day, late]), from, to).people).toEqual([
      { attendeeId: "A", onCallMs: 18 * HOUR },
      { attendeeId: "B", onCallMs: 8 * HOUR },
    ]);
  });

  it("clips shifts to the window", () => {
    const noon = at("2026-01-05T12:00Z");
    const { layers, people } = coverageBetween(scheduleOf([day]), noon, noon + 8 * HOUR);
    expect(layers[0]?.share).toBe(0.5);
    expect(layers[0]?.gaps).toEqual([interval("2026-01-05T16:00Z", "2026-01-05T20:00Z")]);
    expect(people).toEqual([{ attendeeId: "A", onCallMs: 4 * HOUR }]);
  });

  it("reports a layer without shifts as one gap", () => {
    expect(coverageBetween(scheduleOf([]), from, to, [1, 2]).layers).toEqual([
      { layer: 1, share: 0, gaps: [{ startAt: from, endAt: to }], overlaps: [] },
      { layer: 2, share: 0, gaps: [{ startAt: from, endAt: to }], overlaps: [] },
    ]);
  });

  it("reports full coverage without gaps or overlaps if consecutive shifts meet", () => {
    const always = event({ ...day, start: "2026-01-01T00:00Z", end: "2026-01-02T00:00Z" });
    expect(coverageBetween(scheduleOf([always]), from, to).layers).toEqual([
      { layer: 1, share: 1, gaps: [], overlaps: [] },
    ]);
  });

  it("reports the gap that an override on another layer leaves", () => {
    const always = event({ ...day, start: "2026-01-01T00:00Z", end: "2026-01-02T00:00Z" });
    const override = event({
      id: "hole",
      parentId: "day",
      layer: 2,
      start: "2026-01-05T10:00Z",
      end: "2026-01-05T11:00Z",
    });
    expect(coverageBetween(scheduleOf([always, override]), from, to).layers[0]?.gaps).toEqual([
      interval("2026-01-05T10:00Z", "2026-01-05T11:00Z"),
    ]);
  });

  it("merges overlaps of the same events and splits them where the events change", () => {
    const one = event({ id: "one", start: "2026-01-05T00:00Z", end: "2026-01-05T12:00Z" });
    const hours = event({
      id: "hours",
      start: "2026-01-05T00:00Z",
      end: "2026-01-05T01:00Z",
      frequencyUnit: "hourly",
      repeatEndAt: at("2026-01-05T00:00Z"),
    });
    const two = event({ id: "two", start: "2026-01-05T06:00Z", end: "2026-01-05T12:00Z" });
    expect(coverageBetween(scheduleOf([one, hours, two]), from, to).layers[0]?.overlaps).toEqual([
      { ...interval("2026-01-05T00:00Z", "2026-01-05T06:00Z"), eventIds: ["hours", "one"] },
      { ...interval("2026-01-05T06:00Z", "2026-01-05T12:00Z"), eventIds: ["hours", "one", "two"] },
    ]);
  });
});
