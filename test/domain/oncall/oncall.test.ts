/**
 * Who is on call when events and overrides overlap, when an event ends, and when the people on call
 * change.
 */
import { describe, expect, it } from "vitest";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import {
  activeUntil,
  nextBoundary,
  onCallAt,
  onCallBetween,
} from "../../../src/domain/oncall/oncall.ts";
import {
  at,
  type EventOptions,
  event,
  people,
  readAll,
} from "../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../support/oncall/schedule-of.ts";

/** `1 week | Mon … | … | A` for every entry that overlaps [from, to), in UTC. */
function entryLines(events: readonly OnCallEvent[], from: string, to: string): string[] {
  const entries = onCallBetween(scheduleOf(events), at(from), at(to));
  const lines = readAll(entries, "UTC");
  return entries.map(({ layer, eventId }, index) => `${layer} ${eventId} | ${lines[index]}`);
}

const rotation = event({
  id: "rota",
  start: "2026-01-05T00:00Z",
  end: "2026-01-06T00:00Z",
  who: "AB",
  frequencyUnit: "daily",
  rotation: true,
});

function override(options: EventOptions): OnCallEvent {
  return event({ id: "override", seriesId: "rota", parentId: "rota", who: "X", ...options });
}

describe("several events", () => {
  it("are ordered by layer, start and event id, and combine on one layer", () => {
    const events = [
      event({ id: "z", start: "2026-01-05T08:00Z", end: "2026-01-05T10:00Z", layer: 2 }),
      event({ id: "y", start: "2026-01-05T08:00Z", end: "2026-01-05T12:00Z", who: "B" }),
      event({ id: "x", start: "2026-01-05T08:00Z", end: "2026-01-05T13:00Z", who: "C" }),
      event({ id: "w", start: "2026-01-05T07:00Z", end: "2026-01-05T10:00Z", who: "D" }),
    ];
    expect(
      onCallAt(scheduleOf(events), at("2026-01-05T09:00Z")).map((entry) => entry.eventId),
    ).toEqual(["w", "x", "y", "z"]);
  });

  it("list attendees by position and omit an event without attendees", () => {
    const shuffled = {
      ...rotation,
      rotation: false,
      attendees: rotation.attendees.toReversed(),
    };
    const [entry] = onCallAt(scheduleOf([shuffled]), at("2026-01-05T09:00Z"));
    expect(entry?.attendees).toEqual([
      { id: "row-A", attendeeId: "A", attendeeType: "AccountUser", position: 1 },
      { id: "row-B", attendeeId: "B", attendeeType: "AccountUser", position: 2 },
    ]);
    expect(onCallAt(scheduleOf([{ ...rotation, attendees: [] }]), at("2026-01-05T09:00Z"))).toEqual(
      [],
    );
  });

  it("rotate by position, regardless of the order of the rows", () => {
    const shuffled = { ...rotation, attendees: rotation.attendees.toReversed() };
    expect(entryLines([shuffled], "2026-01-05T00:00Z", "2026-01-06T00:00Z")).toEqual([
      "1 rota | Mon 2026-01-05 00:00+00:00 | Tue 2026-01-06 00:00+00:00 | A",
    ]);
  });
});

describe("an override", () => {
  it("splits the occurrence into before, override and after", () => {
    const events = [rotation, override({ start: "2026-01-06T09:00Z", end: "2026-01-06T17:00Z" })];
    expect(entryLines(events, "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "1 rota | Tue 2026-01-06 00:00+00:00 | Tue 2026-01-06 09:00+00:00 | B",
      "1 override | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 17:00+00:00 | X",
      "1 rota | Tue 2026-01-06 17:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
    ]);
    expect(entryLines(events, "2026-01-06T12:00Z", "2026-01-06T12:01Z")).toEqual([
      "1 override | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 17:00+00:00 | X",
    ]);
  });

  it("replaces the parent's people for its whole length, even past the occurrence", () => {
    const events = [rotation, override({ start: "2026-01-06T12:00Z", end: "2026-01-08T06:00Z" })];
    expect(entryLines(events, "2026-01-06T00:00Z", "2026-01-09T00:00Z")).toEqual([
      "1 rota | Tue 2026-01-06 00:00+00:00 | Tue 2026-01-06 12:00+00:00 | B",
      "1 override | Tue 2026-01-06 12:00+00:00 | Thu 2026-01-08 06:00+00:00 | X",
      "1 rota | Thu 2026-01-08 06:00+00:00 | Fri 2026-01-09 00:00+00:00 | B",
    ]);
  });

  it("applies on its own layer and leaves the parent's layer empty", () => {
    const events = [
      rotation,
      override({ start: "2026-01-06T00:00Z", end: "2026-01-07T00:00Z", layer: 3 }),
    ];
    expect(entryLines(events, "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "3 override | Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | X",
    ]);
  });

  it("does not affect other events on the layer", () => {
    const names = { id: "other", seriesId: "other" };
    const other = { ...rotation, ...names, attendees: rotation.attendees.slice(1) };
    const events = [
      rotation,
      other,
      override({ start: "2026-01-06T00:00Z", end: "2026-01-07T00:00Z" }),
    ];
    expect(entryLines(events, "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "1 other | Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
      "1 override | Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | X",
    ]);
  });

  it("serves where the series has nobody, too", () => {
    const removed = { ...rotation, exceptions: [{ id: "x", startAt: at("2026-01-06T00:00Z") }] };
    const hours = { start: "2026-01-06T09:00Z", end: "2026-01-07T09:00Z" };
    expect(
      entryLines([removed, override(hours)], "2026-01-06T00:00Z", "2026-01-08T00:00Z"),
    ).toEqual([
      "1 override | Tue 2026-01-06 09:00+00:00 | Wed 2026-01-07 09:00+00:00 | X",
      "1 rota | Wed 2026-01-07 09:00+00:00 | Thu 2026-01-08 00:00+00:00 | A",
    ]);
    expect(entryLines([override(hours)], "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "1 override | Tue 2026-01-06 09:00+00:00 | Wed 2026-01-07 09:00+00:00 | X",
    ]);
  });

  it("that leaves its hours empty replaces older ones, until one is newer", () => {
    const first = override({ start: "2026-01-06T08:00Z", end: "2026-01-06T12:00Z", createdAt: 1 });
    const nobody = override({
      ...{ id: "nobody", who: "", leavesEmpty: true, createdAt: 2 },
      ...{ start: "2026-01-06T10:00Z", end: "2026-01-06T18:00Z" },
    });
    const last = override({
      ...{ id: "last", parentId: "nobody", who: "Y", createdAt: 3 },
      ...{ start: "2026-01-06T16:00Z", end: "2026-01-06T20:00Z" },
    });
    const events = [last, nobody, first, rotation];
    expect(entryLines(events, "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "1 rota | Tue 2026-01-06 00:00+00:00 | Tue 2026-01-06 08:00+00:00 | B",
      "1 override | Tue 2026-01-06 08:00+00:00 | Tue 2026-01-06 10:00+00:00 | X",
      "1 last | Tue 2026-01-06 16:00+00:00 | Tue 2026-01-06 20:00+00:00 | Y",
      "1 rota | Tue 2026-01-06 20:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
    ]);
  });

  it("can be overridden itself, also beyond its end, without restoring the series", () => {
    const events = [
      rotation,
      override({ start: "2026-01-06T09:00Z", end: "2026-01-06T17:00Z" }),
      override({
        id: "chained",
        createdAt: 1,
        parentId: "override",
        who: "Y",
        start: "2026-01-06T12:00Z",
        end: "2026-01-06T20:00Z",
      }),
    ];
    expect(entryLines(events, "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "1 rota | Tue 2026-01-06 00:00+00:00 | Tue 2026-01-06 09:00+00:00 | B",
      "1 override | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 12:00+00:00 | X",
      "1 chained | Tue 2026-01-06 12:00+00:00 | Tue 2026-01-06 20:00+00:00 | Y",
      "1 rota | Tue 2026-01-06 20:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
    ]);
  });

  describe("and another override of the same hours", () => {
    const hours = (day: string) => ({ start: `${day}T09:00Z`, end: `${day}T13:00Z` });
    const later = (day: string) => ({ start: `${day}T12:00Z`, end: `${day}T15:00Z` });
    const one = (options: EventOptions) =>
      override({ id: "o1", ...hours("2026-01-06"), ...options });
    const two = (options: EventOptions) =>
      override({ id: "o2", who: "Y", ...later("2026-01-06"), ...options });
    const shifts = (events: readonly OnCallEvent[]) =>
      entryLines([rotation, ...events], "2026-01-06T08:00Z", "2026-01-06T16:00Z");
    const before = "1 rota | Tue 2026-01-06 00:00+00:00 | Tue 2026-01-06 09:00+00:00 | B";
    const after = "1 rota | Tue 2026-01-06 15:00+00:00 | Wed 2026-01-07 00:00+00:00 | B";

    it.each([
      ["the newer one applies", { createdAt: 1 }, { createdAt: 2 }, "12:00"],
      [
        "the newer one applies, even if it starts earlier",
        { createdAt: 2 },
        { createdAt: 1 },
        "13:00",
      ],
      [
        "of equal age, the one with the greater id applies",
        { createdAt: 2 },
        { createdAt: 2 },
        "12:00",
      ],
    ])("%s", (_, first, second, change) => {
      for (const events of [
        [one(first), two(second)],
        [two(second), one(first)],
      ]) {
        expect(shifts(events)).toEqual([
          before,
          `1 o1 | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 ${change}+00:00 | X`,
          `1 o2 | Tue 2026-01-06 ${change}+00:00 | Tue 2026-01-06 15:00+00:00 | Y`,
          after,
        ]);
      }
    });

    it("the newer one applies on any layer", () => {
      expect(shifts([one({ createdAt: 1 }), two({ createdAt: 2, layer: 3 })])).toEqual([
        before,
        "1 o1 | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 12:00+00:00 | X",
        after,
        "3 o2 | Tue 2026-01-06 12:00+00:00 | Tue 2026-01-06 15:00+00:00 | Y",
      ]);
    });

    it("the newer one has no effect without people", () => {
      expect(shifts([one({ createdAt: 1 }), two({ createdAt: 2, who: "" })])).toEqual([
        before,
        "1 o1 | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 13:00+00:00 | X",
        "1 rota | Tue 2026-01-06 13:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
      ]);
    });

    it("the newer one applies over an older nested override of the same shift", () => {
      const below = one({ id: "o3", parentId: "o1", who: "Z", createdAt: 3 });
      expect(shifts([one({ createdAt: 1 }), two({ createdAt: 4 }), below])).toEqual([
        before,
        "1 o3 | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 12:00+00:00 | Z",
        "1 o2 | Tue 2026-01-06 12:00+00:00 | Tue 2026-01-06 15:00+00:00 | Y",
        after,
      ]);
    });

    it("the newer one applies over an override of it that is older", () => {
      const below = one({ id: "o3", parentId: "o1", who: "Z", createdAt: 1 });
      expect(shifts([one({ createdAt: 2 }), below])).toEqual([
        before,
        "1 o1 | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 13:00+00:00 | X",
        "1 rota | Tue 2026-01-06 13:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
      ]);
    });
  });

  it("is one interval with all its people, regardless of its repeat and rotation fields", () => {
    const row = override({
      who: "XY",
      start: "2026-01-06T09:00Z",
      end: "2026-01-06T17:00Z",
      frequencyUnit: "daily",
      rotation: true,
    });
    expect(entryLines([row], "2026-01-06T00:00Z", "2026-01-09T00:00Z")).toEqual([
      "1 override | Tue 2026-01-06 09:00+00:00 | Tue 2026-01-06 17:00+00:00 | XY",
    ]);
  });

  it("without people returns the occurrence to the people it replaced", () => {
    const emptied = override({
      who: "",
      start: "2026-01-06T09:00Z",
      end: "2026-01-06T17:00Z",
    });
    const chained = override({
      id: "chained",
      parentId: "override",
      who: "Y",
      start: "2026-01-06T12:00Z",
      end: "2026-01-06T14:00Z",
    });
    expect(entryLines([rotation, emptied], "2026-01-06T00:00Z", "2026-01-07T00:00Z")).toEqual([
      "1 rota | Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
    ]);
    expect(
      entryLines([rotation, emptied, chained], "2026-01-06T00:00Z", "2026-01-07T00:00Z"),
    ).toEqual([
      "1 rota | Tue 2026-01-06 00:00+00:00 | Tue 2026-01-06 12:00+00:00 | B",
      "1 chained | Tue 2026-01-06 12:00+00:00 | Tue 2026-01-06 14:00+00:00 | Y",
      "1 rota | Tue 2026-01-06 14:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
    ]);
  });
});

describe("activeUntil", () => {
  const daily = {
    start: "2026-01-05T22:00Z",
    end: "2026-01-06T06:00Z",
    frequencyUnit: "daily",
  } as const;

  it.each<[string, EventOptions, string | null]>([
    ["a single event: its end", { ...daily, repeat: false }, "2026-01-06T06:00Z"],
    ["an endless series: never", daily, null],
    [
      "a series with a repeat end: the end of its last occurrence",
      { ...daily, repeatEndAt: at("2026-01-08T00:00Z") },
      "2026-01-09T06:00Z",
    ],
    [
      "a cut: the end of the occurrence before it",
      { ...daily, cutAt: at("2026-01-08T22:00Z") },
      "2026-01-08T06:00Z",
    ],
    [
      "a cut within an occurrence: the end of that occurrence",
      { ...daily, cutAt: at("2026-01-08T23:00Z") },
      "2026-01-09T06:00Z",
    ],
    [
      "the last occurrence is removed: the end of the one before",
      { ...daily, repeatEndAt: at("2026-01-08T00:00Z"), exceptAt: ["2026-01-08T22:00Z"] },
      "2026-01-08T06:00Z",
    ],
    [
      "every occurrence is cut: its start",
      { ...daily, cutAt: at("2026-01-05T22:00Z") },
      "2026-01-05T22:00Z",
    ],
    [
      "every second year: the end of the last occurrence",
      { ...daily, frequencyUnit: "yearly", frequency: 2, repeatEndAt: at("2031-01-01T00:00Z") },
      "2030-01-06T06:00Z",
    ],
    ["an override: its end", { ...daily, repeat: false, parentId: "rota" }, "2026-01-06T06:00Z"],
  ])("%s", (_, options, expected) => {
    expect(activeUntil(event(options))).toBe(expected === null ? null : at(expected));
  });

  it("includes how long an override splits occurrences of its series, if that is given", () => {
    const within = override({ start: "2026-01-06T09:00Z", end: "2026-01-06T17:00Z" });
    expect(activeUntil(within, [rotation])).toBe(at("2026-01-07T00:00Z"));
    const outside = override({ start: "2026-01-04T09:00Z", end: "2026-01-04T17:00Z" });
    expect(activeUntil(outside, [rotation])).toBe(at("2026-01-04T17:00Z"));
    // Another version has a longer shift in these hours.
    const longer = { startAt: at("2026-01-06T12:00Z"), endAt: at("2026-01-09T00:00Z") };
    const versions = [
      { ...rotation, cutAt: longer.startAt },
      { ...rotation, id: "on", ...longer },
    ];
    expect(activeUntil(within, [...versions, within])).toBe(at("2026-01-09T00:00Z"));
    expect(activeUntil(rotation, [rotation, within])).toBeNull();
    // Its hours are those of a shift with precedence, of whichever version.
    const [first, on] = versions.map((it) => ({ ...it, beginsAt: it.startAt, seriesId: "series" }));
    const own = { ...within, seriesId: "series", startAt: at("2026-01-06T12:00Z") };
    for (const family of [
      [{ ...first, priority: 1 }, on],
      [first, { ...on, priority: 1 }],
    ] as OnCallEvent[][]) {
      expect(activeUntil(own, [...family, own])).toBe(at("2026-01-09T00:00Z") + 366 * 86_400_000);
    }
  });
});

describe("nextBoundary", () => {
  it.each<[string, OnCallEvent[], string, string | null]>([
    ["a handoff", [rotation], "2026-01-05T09:00Z", "2026-01-06T00:00Z"],
    ["at a handoff: the next one", [rotation], "2026-01-06T00:00Z", "2026-01-07T00:00Z"],
    ["the first start", [rotation], "2020-01-01T00:00Z", "2026-01-05T00:00Z"],
    [
      "the end of a single event",
      [event({ end: "2026-01-05T08:00Z" })],
      "2026-01-01T00:00Z",
      "2026-01-05T08:00Z",
    ],
    [
      "after the last event: null",
      [event({ end: "2026-01-05T08:00Z" })],
      "2026-01-05T08:00Z",
      null,
    ],
    ["no events", [], "2026-01-05T08:00Z", null],
    [
      "a turn of the same person is no boundary",
      [{ ...rotation, attendees: people("AAB") }],
      "2026-01-05T09:00Z",
      "2026-01-07T00:00Z",
    ],
    [
      "the same person on another layer is a boundary",
      [
        event({ start: "2026-01-05T00:00Z", end: "2026-01-06T00:00Z" }),
        event({ start: "2026-01-06T00:00Z", end: "2026-01-07T00:00Z", layer: 2 }),
      ],
      "2026-01-05T09:00Z",
      "2026-01-06T00:00Z",
    ],
    [
      "a second shift of a person already on call is no boundary",
      [
        event({ start: "2026-01-05T00:00Z", end: "2026-01-06T00:00Z" }),
        event({ start: "2026-01-05T12:00Z", end: "2026-01-07T00:00Z" }),
      ],
      "2026-01-05T09:00Z",
      "2026-01-07T00:00Z",
    ],
    [
      "the start of an override",
      [rotation, override({ start: "2026-01-05T12:00Z", end: "2026-01-05T13:00Z" })],
      "2026-01-05T09:00Z",
      "2026-01-05T12:00Z",
    ],
    [
      "an occurrence decades ahead",
      [event({ end: "1970-01-02T00:00Z", frequencyUnit: "yearly", frequency: 90 })],
      "1990-01-01T00:00Z",
      "2060-01-01T00:00Z",
    ],
  ])("%s", (_, events, after, expected) => {
    expect(nextBoundary(scheduleOf(events), at(after))).toBe(
      expected === null ? null : at(expected),
    );
  });

  it("limits its search if one person serves every turn and returns the instant it reached", () => {
    const alone = { ...rotation, attendees: rotation.attendees.slice(0, 1) };
    const after = at("2026-01-05T09:00Z");
    const reached = nextBoundary(scheduleOf([alone]), after) ?? 0;
    expect(reached).toBeGreaterThan(after + 365 * 86_400_000);
    expect(nextBoundary(scheduleOf([alone]), reached)).toBeGreaterThan(reached);
  });
});
