/**
 * The hours between the shift before a change of a series and the first changed one.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extendingShifts, extensionOf } from "../../../../src/domain/oncall/changes/extension.ts";
import { decideFollowing } from "../../../../src/domain/oncall/changes/following-change.ts";
import type { OnCallEvent, Restriction } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { nextOccurrence } from "../../../../src/domain/oncall/recurrence/occurrences.ts";
import { seriesOf } from "../../../../src/domain/oncall/recurrence/recurrence.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { at, event, FROM_START, people, readAll } from "../../../support/oncall/oncall-makers.ts";
import { anySeries, DAY } from "../../../support/oncall/oncall-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

function changeAt(series: OnCallEvent, start: number, more: Partial<OnCallEvent>) {
  const occurrence = nextOccurrence(seriesOf(series), start);
  if (!occurrence) throw new Error("no occurrence");
  const { startAt, endAt } = occurrence;
  const edited = { ...series, startAt, endAt, ...more };
  const { before, after } = decideFollowing(series, occurrence, edited, "after", FROM_START);
  const extension = extensionOf(series, occurrence, after);
  let made = 0;
  const shifts = extension
    ? extendingShifts(series, after, extension, () => `extension-${made++}`)
    : [];
  return { events: [...(before ? [before] : []), after], extension, shifts };
}

const weekly = event({
  frequencyUnit: "weekly",
  start: "2026-03-02T09:00Z",
  end: "2026-03-09T09:00Z",
  who: "ABC",
  rotation: true,
});

const hours = (days: readonly number[], from: number, until: number): Restriction[] => [
  { daysOfWeek: days, startMinute: from * 60, endMinute: until * 60 },
];

describe("an extension of the shift before", () => {
  const shown = (series: OnCallEvent, start: string, more: Partial<OnCallEvent>) =>
    readAll(
      onCallBetween(
        scheduleOf(changeAt(series, at(start), more).shifts),
        0,
        at("2027-01-01T00:00Z"),
      ),
      "UTC",
    );
  const to = (start: string, end: string) => ({ startAt: at(start), endAt: at(end) });

  it.each<[string, OnCallEvent, Partial<OnCallEvent>, string[]]>([
    [
      "fills the hours until a later handoff with the people of the turn before",
      weekly,
      to("2026-03-18T11:00Z", "2026-03-25T11:00Z"),
      ["Mon 2026-03-16 09:00+00:00 | Wed 2026-03-18 11:00+00:00 | B"],
    ],
    [
      "is not needed by an earlier handoff",
      weekly,
      to("2026-03-14T09:00Z", "2026-03-21T09:00Z"),
      [],
    ],
    ["is not needed without a change of times", weekly, { layer: 2 }, []],
    [
      "has only the hours that the series is restricted to",
      { ...weekly, restrictions: hours([1, 2, 3, 4, 5], 9, 17) },
      to("2026-03-18T11:00Z", "2026-03-25T11:00Z"),
      [
        "Mon 2026-03-16 09:00+00:00 | Mon 2026-03-16 17:00+00:00 | B",
        "Tue 2026-03-17 09:00+00:00 | Tue 2026-03-17 17:00+00:00 | B",
        "Wed 2026-03-18 09:00+00:00 | Wed 2026-03-18 11:00+00:00 | B",
      ],
    ],
    [
      "does not bridge the pause after a shift that had ended",
      event({
        frequencyUnit: "daily",
        start: "2026-03-02T09:00Z",
        end: "2026-03-02T17:00Z",
        who: "AB",
        rotation: true,
      }),
      to("2026-03-16T11:00Z", "2026-03-16T19:00Z"),
      [],
    ],
    [
      "has nobody if the turn before is nobody's",
      {
        ...weekly,
        attendees: weekly.attendees.filter((it) => it.position !== 2),
        emptyPositions: [2],
      },
      to("2026-03-18T11:00Z", "2026-03-25T11:00Z"),
      [],
    ],
    [
      "does not follow a removed shift",
      { ...weekly, exceptions: [{ id: "x", startAt: at("2026-03-09T09:00Z") }] },
      to("2026-03-18T11:00Z", "2026-03-25T11:00Z"),
      [],
    ],
  ])("%s", (_, series, more, expected) => {
    expect(shown(series, "2026-03-16T09:00Z", more)).toEqual(expected);
  });

  it("is what the calendar shows between the two shifts", () => {
    let extended = 0;
    const anyMove = fc.integer({ min: -2 * DAY, max: 4 * DAY });
    fc.assert(
      fc.property(anySeries, fc.nat(9), anyMove, (drawn, nth, by) => {
        const series = { ...drawn, rotation: true, attendees: people("ABC") };
        let occurrence = nextOccurrence(seriesOf(series), series.startAt);
        for (let step = 0; occurrence && step < nth; step++) {
          occurrence = nextOccurrence(seriesOf(series), occurrence.startAt + 1);
        }
        fc.pre(occurrence !== null && occurrence.startAt + by > 0);
        const { startAt, endAt } = occurrence ?? series;
        const moved = { startAt: startAt + by, endAt: endAt + by };
        const { events, shifts } = changeAt(series, startAt, moved);
        const window = (series.frequencyUnit === "hourly" ? 20 : 800) * DAY;
        const shown = readAll(onCallBetween(scheduleOf(shifts), 0, Number.MAX_SAFE_INTEGER), "UTC");
        const previous = onCallBetween(scheduleOf([series]), startAt - window, startAt)
          .filter((it) => it.startAt < startAt)
          .sort((one, other) => one.startAt - other.startAt)
          .at(-1);
        const after = events.at(-1) ?? series;
        const [first] = onCallBetween(scheduleOf([after]), startAt - 3 * DAY, startAt + window);
        const isLeft =
          previous && first && previous.endAt >= startAt && first.startAt > previous.endAt;
        if (!isLeft) {
          expect(shown).toEqual([]);
          return;
        }
        extended += 1;
        const hours = { startAt: previous.endAt, endAt: first.startAt };
        expect(shown).toEqual(readAll([{ ...previous, ...hours }], "UTC"));
      }),
      { numRuns: sized(300, 8_000) },
    );
    expect(extended).toBeGreaterThan(10);
  });
});
