// The gaps that are reported: from the first shift on, and only on layers that have shifts.
import { describe, expect, test } from "vitest";
import { reportedCoverage } from "../../../src/domain/oncall/coverage.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { at, type EventOptions, event, people } from "../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const FROM = "2026-01-05T00:00Z";
const TO = "2026-01-12T00:00Z";

/** `1: 05–07 11–12`: the gaps of each layer by day; `none` of a layer that has no shifts. */
function gapsOf(
  events: readonly OnCallEvent[],
  pastSince: string | null = null,
  layers = [1, 2, 3],
): string[] {
  const coverage = reportedCoverage(
    scheduleOf(events),
    [at(FROM), at(TO)],
    layers,
    pastSince === null ? null : at(pastSince),
  );
  const day = (instant: number) => new Date(instant).toISOString().slice(8, 10);
  return coverage.layers.map(({ layer, hasShifts, gaps }) => {
    const texts = gaps.map((it) => `${day(it.startAt)}–${day(it.endAt)}`);
    return `${layer}${hasShifts ? "" : " none"}: ${texts.join(" ")}`.trim();
  });
}

/** A shift of some days of January, or of the days from one on. */
const shift = (days: string, more: EventOptions = {}): OnCallEvent => {
  const [from = "", until = "2027"] = days.split("–");
  const end = until === "2027" ? "2027-01-01T00:00Z" : `2026-01-${until}T00:00Z`;
  return event({ id: days, start: `2026-01-${from}T00:00Z`, end, ...more });
};

/** A series whose people serve from a day on, though its turns count from the first. */
const joinedOn = (day: string, more: EventOptions = {}): OnCallEvent =>
  event({
    ...{ id: `joined ${day}`, start: "2026-01-01T00:00Z", end: "2026-01-08T00:00Z" },
    ...{ frequencyUnit: "weekly", rotation: true },
    earlierRosters: [
      {
        ...{ untilAt: at(`2026-01-${day}T00:00Z`), rotation: true, turnOffset: 0 },
        ...{ attendees: [], emptyPositions: [1], cuts: [{ turn: 0, position: 1 }] },
      },
    ],
    ...more,
  });

describe("the gaps that are reported", () => {
  test.each<[string, readonly OnCallEvent[], readonly string[]]>([
    ["of a schedule without shifts are none", [], ["1 none:", "2 none:", "3 none:"]],
    ["start with the first shift", [shift("07–09")], ["1: 09–12", "2 none:", "3 none:"]],
    ["start with the people of a rotation", [joinedOn("07")], ["1:", "2 none:", "3 none:"]],
    [
      "are all of the window after an earlier start",
      [shift("02–06"), shift("08–12")],
      ["1: 06–08", "2 none:", "3 none:"],
    ],
    [
      "of another layer start with its own first shift",
      [shift("02"), shift("07–09", { layer: 2 })],
      ["1:", "2: 09–12", "3 none:"],
    ],
    [
      "of the first layer start with the schedule's first shift",
      [shift("06–12", { layer: 2 })],
      ["1 none: 06–12", "2:", "3 none:"],
    ],
    ["do not start before a window that ends first", [shift("20")], ["1:", "2 none:", "3 none:"]],
    [
      "start with a series that continues another one",
      [shift("02–06"), joinedOn("01", { beginsAt: at("2026-01-08T00:00Z") })],
      ["1: 06–08", "2 none:", "3 none:"],
    ],
  ])("%s", (_, events, expected) => {
    expect(gapsOf(events)).toEqual(expected);
  });

  test("are the first layer's, if the schedule has lost its shifts", () => {
    expect(gapsOf([], FROM)).toEqual(["1 none: 05–12", "2 none:", "3 none:"]);
    expect(gapsOf([], "2026-01-07T00:00Z")[0]).toBe("1 none: 07–12");
    expect(gapsOf([shift("08")], FROM)).toEqual(["1: 05–08", "2 none:", "3 none:"]);
  });

  test("are those of people who have all left", () => {
    const left: OnCallEvent = {
      ...joinedOn("07"),
      attendees: [],
      emptyPositions: [1],
      earlierRosters: [
        {
          ...{ untilAt: at("2026-01-07T00:00Z"), rotation: true, turnOffset: 0 },
          ...{ attendees: people("A"), emptyPositions: [], cuts: [{ turn: 0, position: 1 }] },
        },
      ],
    };
    expect(gapsOf([left])[0]).toBe("1: 07–12");
    expect(gapsOf([{ ...left, layer: 2 }])[1]).toBe("2: 07–12");
  });

  test("leave share, overlaps and hours as they are", () => {
    const { layers, people: hours } = reportedCoverage(
      scheduleOf([shift("07–09"), shift("08–09", { who: "B" })]),
      [at(FROM), at(TO)],
      [],
      null,
    );
    expect(layers[0]?.share).toBeCloseTo(2 / 7);
    expect(layers[0]?.overlaps).toHaveLength(1);
    expect(hours.map(({ attendeeId }) => attendeeId)).toEqual(["A", "B"]);
  });
});
