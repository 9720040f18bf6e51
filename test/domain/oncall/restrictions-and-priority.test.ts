/**
 * Restrictions and priorities, against a reference that decides for each instant by itself, with
 * Temporal; and against literal examples.
 */
import { Temporal } from "@js-temporal/polyfill";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OnCallEvent, Restriction } from "../../../src/domain/oncall/on-call-event.ts";
import { activeUntil, onCallAt, onCallBetween } from "../../../src/domain/oncall/oncall.ts";
import { ianaZone } from "../../../src/domain/shared/time-zones.ts";
import { expectEqual } from "../../support/generated/expect-equal.ts";
import { at, event, people, readAll } from "../../support/oncall/oncall-makers.ts";
import { anySeries, cases, DAY } from "../../support/oncall/oncall-random.ts";
import { isReplacedAt, referenceShifts, versionOf } from "../../support/oncall/oncall-reference.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

const restriction: fc.Arbitrary<Restriction> = fc.record({
  daysOfWeek: fc.oneof(fc.constant([]), fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 })),
  startMinute: fc.integer({ min: 0, max: 95 }).map((quarters) => quarters * 15),
  endMinute: fc.integer({ min: 0, max: 96 }).map((quarters) => quarters * 15),
});

type Drawn = {
  readonly versions: readonly OnCallEvent[];
  readonly overrides: readonly OnCallEvent[];
};

const anyEvents: fc.Arbitrary<OnCallEvent[]> = fc
  .array(
    fc.record({
      series: anySeries,
      startsAfter: fc.integer({ min: -400, max: 400 }),
      layer: fc.constantFrom(1, 1, 2),
      priority: fc.constantFrom(0, 0, 1, 2),
      isNobody: fc.integer({ min: 0, max: 4 }),
      restrictions: fc.oneof(fc.constant([]), fc.array(restriction, { maxLength: 3 })),
      override: fc.option(fc.record({ from: fc.nat(300), hours: fc.integer({ min: 1, max: 60 }) })),
      /** Another version from then on. */
      version: fc.option(
        fc.record({
          from: fc.nat(300),
          /** Whether it begins within the override, if there is one. */
          isWithin: fc.boolean(),
          priority: fc.nat(2),
          layer: fc.constantFrom(1, 1, 2),
        }),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((drawn) =>
    drawn
      .map((it, index): Drawn => {
        const { series, startsAfter, layer, priority, restrictions, override, version } = it;
        const startAt = START + startsAfter * HOUR;
        const length = series.endAt - series.startAt;
        const own: OnCallEvent = {
          ...series,
          id: `event-${index}`,
          seriesId: `event-${index}`,
          startAt,
          endAt: startAt + length,
          repeatEndAt: null,
          cutAt: null,
          layer,
          priority,
          restrictions,
          attendees: it.isNobody === 0 && priority > 0 ? [] : series.attendees,
        };
        const from = START + (override?.from ?? 0) * HOUR;
        const child = event({
          id: `override-${index}`,
          parentId: own.id,
          startAt: from,
          endAt: from + (override?.hours ?? 0) * HOUR,
          layer,
          priority,
          who: "Z",
        });
        const overrides = override ? [child] : [];
        if (!version) return { versions: [own], overrides };
        const { from: hour, isWithin, ...rule } = version;
        const beginsAt =
          isWithin && override ? from + (hour % override.hours) * HOUR : START + hour * HOUR;
        const next = { ...own, ...rule, id: `${own.id} on`, createdAt: 1, beginsAt };
        return { versions: [{ ...own, cutAt: beginsAt }, next], overrides };
      })
      .flatMap(({ versions, overrides }) => [...versions, ...overrides]),
  );

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 20);

/** Whether an instant is in the hours of a restriction, on the wall clock. */
function isInHours(series: OnCallEvent, instant: number): boolean {
  const restrictions = series.restrictions ?? [];
  if (restrictions.length === 0) return true;
  const zone = ianaZone(series.timeZone);
  const today = Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  return restrictions.some(({ daysOfWeek, startMinute, endMinute }) =>
    [today.subtract({ days: 2 }), today.subtract({ days: 1 }), today, today.add({ days: 1 })].some(
      (date) => {
        if (daysOfWeek.length > 0 && !daysOfWeek.includes(date.dayOfWeek % 7)) return false;
        const end = endMinute > startMinute ? endMinute : endMinute + 1440;
        const [from, to] = [startMinute, end].map(
          (minutes) =>
            date.toPlainDateTime().add({ minutes }).toZonedDateTime(zone).epochMilliseconds,
        );
        return instant >= (from ?? 0) && instant < (to ?? 0);
      },
    ),
  );
}

/** Who an event has at an instant, before priorities; null: it is not its hour. */
function servesAt(events: readonly OnCallEvent[], it: OnCallEvent, instant: number): string | null {
  if (isReplacedAt(events, it, instant)) return null;
  const shifts = referenceShifts(it, instant).filter(
    (shift) => shift.startAt <= instant && instant < shift.endAt,
  );
  if (shifts.length === 0 || !isInHours(it, instant)) return null;
  return shifts.map(({ who }) => who).join("");
}

function referenceAt(events: readonly OnCallEvent[], instant: number): string[] {
  const serving = events.flatMap((it) => {
    const who = servesAt(events, it, instant);
    const { priority = 0 } = it.parentId === null ? it : versionOf(events, it);
    return who === null ? [] : [{ layer: it.layer, priority, who }];
  });
  const lines = serving
    .filter((it) =>
      serving.every((other) => other.layer !== it.layer || other.priority <= it.priority),
    )
    .flatMap(({ layer, who }) => [...who].map((name) => `${layer} ${name}`));
  return [...new Set(lines)].sort();
}

const peopleAt = (events: readonly OnCallEvent[], instant: number) => [
  ...new Set(
    onCallAt(scheduleOf(events), instant).flatMap(({ layer, attendees }) =>
      attendees.map(({ attendeeId }) => `${layer} ${attendeeId}`),
    ),
  ),
];

describe("compared with the reference", () => {
  it("finds the same people at every instant", () => {
    const some = fc.array(fc.nat(4 * 24 * 30), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(anyEvents, some, some, (events, quarters, picks) => {
        const edges = edgesIn(events);
        const instants = [
          ...quarters.map((quarter) => START + quarter * 15 * 60_000),
          ...picks.flatMap((pick) => edges[pick % edges.length] ?? []),
        ];
        for (const instant of instants) {
          expectEqual(peopleAt(events, instant).sort(), referenceAt(events, instant));
        }
      }),
      cases(30),
    );
  });

  it("shows each part whole, whatever the window", () => {
    fc.assert(
      fc.property(anyEvents, fc.integer({ min: 0, max: 700 }), (events, hour) => {
        const instant = START + hour * HOUR;
        const wide = onCallBetween(scheduleOf(events), instant - 40 * DAY, instant + 40 * DAY);
        const expected = wide.filter((it) => it.startAt <= instant && instant < it.endAt);
        const late = events.filter((it) => isReadAt(events, it, instant));
        expectEqual(onCallAt(scheduleOf(events), instant), expected);
        const label = () => "of the events that are still read";
        expectEqual(onCallAt(scheduleOf(late), instant), expected, label);
      }),
      cases(40),
    );
  });
});

/** Where an override begins and ends, and where a version begins in one. */
const edgesIn = (events: readonly OnCallEvent[]): readonly number[] =>
  events
    .filter(({ parentId }) => parentId !== null)
    .flatMap(({ seriesId, startAt, endAt }) => {
      const begins = events.flatMap((it) => (it.seriesId === seriesId ? (it.beginsAt ?? []) : []));
      const inside = begins.filter((at) => at > startAt && at < endAt);
      return [startAt, endAt - 1, endAt, ...inside.flatMap((at) => [at - 1, at, at + HOUR])];
    });

/** Whether an event may still count at an instant, or an override that has its priority. */
function isReadAt(events: readonly OnCallEvent[], it: OnCallEvent, instant: number): boolean {
  const series = events.filter(({ seriesId }) => seriesId === it.seriesId);
  const having = series.filter((one) => one.parentId !== null && versionOf(events, one) === it);
  return [it, ...having].some((one) => (activeUntil(one, series) ?? instant + 1) > instant);
}

describe("restrictions", () => {
  const week = event({
    frequencyUnit: "weekly",
    start: "2026-03-02T09:00Z",
    end: "2026-03-09T09:00Z",
    who: "AB",
    rotation: true,
  });
  const weekdays = [1, 2, 3, 4, 5];

  it("of the whole week, in pieces, change nothing", () => {
    const halves = [
      { daysOfWeek: [], startMinute: 0, endMinute: 720 },
      { daysOfWeek: [], startMinute: 720, endMinute: 0 },
    ];
    const restricted = { ...week, restrictions: halves };
    const window = [at("2026-03-01T00:00Z"), at("2026-04-01T00:00Z")] as const;
    expect(onCallBetween(scheduleOf([restricted]), ...window)).toEqual(
      onCallBetween(scheduleOf([week]), ...window),
    );
  });

  it("cross the end of the week as one part", () => {
    const weekend = [
      { daysOfWeek: [5], startMinute: 17 * 60, endMinute: 0 },
      { daysOfWeek: [6, 0], startMinute: 0, endMinute: 0 },
    ];
    const restricted = { ...week, restrictions: weekend };
    const entries = onCallBetween(
      scheduleOf([restricted]),
      at("2026-03-06T00:00Z"),
      at("2026-03-10T00:00Z"),
    );
    expect(readAll(entries, "UTC")).toEqual([
      "Fri 2026-03-06 17:00+00:00 | Mon 2026-03-09 00:00+00:00 | A",
    ]);
  });

  it("count nights by the wall clock when clocks change", () => {
    const nights = [{ daysOfWeek: weekdays, startMinute: 22 * 60, endMinute: 6 * 60 }];
    const london = { ...week, timeZone: "London", rotation: false, restrictions: nights };
    const entries = onCallBetween(
      scheduleOf([london]),
      at("2026-03-27T12:00Z"),
      at("2026-03-31T12:00Z"),
    );
    expect(readAll(entries, "Europe/London")).toEqual([
      "Fri 2026-03-27 22:00+00:00 | Sat 2026-03-28 06:00+00:00 | AB",
      "Mon 2026-03-30 22:00+01:00 | Tue 2026-03-31 06:00+01:00 | AB",
    ]);
  });

  it("apply to each roster's part, and not to an override", () => {
    const daily = [{ daysOfWeek: [], startMinute: 8 * 60, endMinute: 20 * 60 }];
    const handedOver = {
      ...week,
      restrictions: daily,
      attendees: people("C"),
      earlierRosters: [
        {
          rotation: true,
          turnOffset: 0,
          attendees: people("AB"),
          emptyPositions: [],
          untilAt: at("2026-03-04T12:00Z"),
          cuts: [],
        },
      ],
    };
    const night = event({
      id: "night",
      parentId: "event",
      start: "2026-03-04T19:00Z",
      end: "2026-03-04T23:00Z",
      who: "Z",
    });
    const entries = onCallBetween(
      scheduleOf([handedOver, night]),
      at("2026-03-04T00:00Z"),
      at("2026-03-05T00:00Z"),
    );
    expect(readAll(entries, "UTC")).toEqual([
      "Wed 2026-03-04 08:00+00:00 | Wed 2026-03-04 12:00+00:00 | A",
      "Wed 2026-03-04 12:00+00:00 | Wed 2026-03-04 19:00+00:00 | C",
      "Wed 2026-03-04 19:00+00:00 | Wed 2026-03-04 23:00+00:00 | Z",
    ]);
  });
});
