import { describe, expect, it } from "vitest";
import {
  checkOverrideMove,
  decideChild,
  decideException,
  decideOverride,
  decideTermination,
  overridesAfterEdit,
} from "../../../src/domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { at, type EventOptions, event } from "../../support/oncall/oncall-makers.ts";

/**
 * Nights from 22:00 to 06:00 in New York, from Monday, 2 March 2026; summer time begins on the 8th.
 */
const nights = event({
  id: "nights",
  start: "2026-03-02T22:00-05:00",
  end: "2026-03-03T06:00-05:00",
  frequencyUnit: "daily",
  timeZone: "Eastern Time (US & Canada)",
});
const single = { ...nights, repeat: false };

function override(options: EventOptions): OnCallEvent {
  return event({ id: "override", parentId: "nights", ...options });
}

/** The field and message of a refusal with one error. */
function messageOf(decision: unknown): string {
  const { kind, reason, errors } = decision as {
    kind: string;
    reason: string;
    errors: readonly { readonly message: string; readonly field: string }[];
  };
  expect([kind, reason, errors.length]).toEqual(["refusal", "invalid", 1]);
  return `${errors[0]?.field}: ${errors[0]?.message}`;
}

describe("overriding an occurrence", () => {
  const evening = { startAt: at("2026-03-09T22:00-04:00"), endAt: at("2026-03-09T23:00-04:00") };

  it("accepts the exact start of an occurrence on either side of a clock change", () => {
    for (const start of ["2026-03-02T22:00-05:00", "2026-03-09T22:00-04:00"]) {
      const request = { actionAt: at(start), startAt: at(start), endAt: at(start) + 1 };
      expect(decideOverride(nights, [], request)).toEqual({
        kind: "override",
        overriddenStartAt: at(start),
      });
    }
  });

  it("refuses a time at which no occurrence starts and names the nearest start", () => {
    const off = { actionAt: at("2026-03-09T21:00-04:00"), ...evening };
    expect(messageOf(decideOverride(nights, [], off))).toBe(
      "action_time: action_time is not the start of an occurrence; " +
        "the nearest starts at 2026-03-10T02:00:00.000Z",
    );
    const before = { actionAt: at("2020-01-01T00:00Z"), ...evening };
    expect(messageOf(decideOverride(nights, [], before))).toContain("2026-03-03T03:00:00.000Z");
    const ended = { ...nights, repeatEndAt: at("2026-03-04T00:00-05:00") };
    const after = { actionAt: at("2030-01-01T00:00Z"), ...evening };
    expect(messageOf(decideOverride(ended, [], after))).toContain("2026-03-05T03:00:00.000Z");
    const empty = { ...nights, cutAt: nights.startAt };
    expect(messageOf(decideOverride(empty, [], after))).toContain("the event has none");
  });

  it("refuses an occurrence removed by an exception or a cut", () => {
    const actionAt = at("2026-03-04T22:00-05:00");
    const excepted = { ...nights, exceptions: [{ id: "1", startAt: actionAt }] };
    expect(messageOf(decideOverride(excepted, [], { actionAt, ...evening }))).toContain("nearest");
    const cut = { ...nights, cutAt: actionAt };
    expect(messageOf(decideOverride(cut, [], { actionAt, ...evening }))).toContain("nearest");
  });

  it("refuses an empty interval", () => {
    const actionAt = nights.startAt;
    const empty = { actionAt, startAt: evening.startAt, endAt: evening.startAt };
    expect(messageOf(decideOverride(nights, [], empty))).toBe(
      "end_time: end_time must be after start_time",
    );
  });

  it("accepts the start of a part after an earlier override as its occurrence", () => {
    const present = override({ start: "2026-03-03T01:00-05:00", end: "2026-03-03T03:00-05:00" });
    const request = {
      actionAt: at("2026-03-03T03:00-05:00"),
      startAt: at("2026-03-03T03:00-05:00"),
      endAt: at("2026-03-03T04:00-05:00"),
    };
    expect(decideOverride(nights, [present], request)).toEqual({
      kind: "override",
      overriddenStartAt: at("2026-03-02T22:00-05:00"),
    });
    expect(messageOf(decideOverride(nights, [], request))).toContain("nearest");
  });

  it("treats an override as a single occurrence", () => {
    const present = override({ start: "2026-03-03T01:00-05:00", end: "2026-03-03T03:00-05:00" });
    const { startAt, endAt } = present;
    // A newer override of the same hours can leave a part that starts at any instant within it.
    for (const actionAt of [startAt, startAt + 60_000]) {
      expect(decideOverride(present, [], { actionAt, startAt, endAt })).toEqual({
        kind: "override",
        overriddenStartAt: startAt,
      });
    }
    const after = { actionAt: endAt, startAt, endAt };
    expect(messageOf(decideOverride(present, [], after))).toContain("nearest");
  });

  it("refuses an interval that does not overlap the occurrence", () => {
    const { startAt, endAt } = nights;
    const request = (from: number, to: number) => ({ actionAt: startAt, startAt: from, endAt: to });
    for (const [from, to] of [
      [startAt - 9, startAt],
      [endAt, endAt + 9],
      [evening.startAt, evening.endAt],
    ] as const) {
      expect(messageOf(decideOverride(nights, [], request(from, to)))).toContain("shares no time");
    }
    for (const [from, to] of [
      [startAt - 9, startAt + 1],
      [endAt - 1, endAt + 9],
    ] as const) {
      expect(decideOverride(nights, [], request(from, to))).toMatchObject({ kind: "override" });
    }
  });
});

describe("moving an override", () => {
  const present = override({
    start: "2026-03-03T01:00-05:00",
    end: "2026-03-03T03:00-05:00",
    overriddenStartAt: at("2026-03-02T22:00-05:00"),
  });
  const hour = (iso: string) => ({ startAt: at(iso), endAt: at(iso) + 3_600_000 });

  it("requires an overlap with its occurrence", () => {
    expect(checkOverrideMove(nights, present, hour("2026-03-03T05:00-05:00"))).toBeNull();
    const elsewhere = checkOverrideMove(nights, present, hour("2026-03-04T05:00-05:00"));
    expect(messageOf(elsewhere)).toContain("start_datetime: the override shares no time");
  });

  it("accepts any occurrence if its own no longer exists", () => {
    const exceptions = [{ id: "1", startAt: nights.startAt }];
    const excepted = { ...nights, exceptions };
    expect(checkOverrideMove(excepted, present, hour("2026-03-04T05:00-05:00"))).toBeNull();
    const day = checkOverrideMove(excepted, present, hour("2026-03-04T12:00-05:00"));
    expect(messageOf(day)).toContain("shares no time");
  });
});

describe("an event created with a parent", () => {
  it("overrides the occurrence that contains its start", () => {
    const expected = { kind: "override", overriddenStartAt: at("2026-03-04T22:00-05:00") };
    expect(decideChild(nights, at("2026-03-04T22:00-05:00"))).toEqual(expected);
    expect(decideChild(nights, at("2026-03-05T05:59-05:00"))).toEqual(expected);
  });

  it("is refused if no occurrence contains its start", () => {
    expect(messageOf(decideChild(nights, at("2026-03-05T06:00-05:00")))).toContain(
      "start_datetime: no occurrence of the parent event contains start_datetime; the nearest",
    );
  });
});

describe("removing an occurrence", () => {
  const actionAt = at("2026-03-09T22:00-04:00");

  it("adds an exception once", () => {
    expect(decideException(nights, actionAt)).toEqual({ kind: "exception", startAt: actionAt });
    const done = { ...nights, exceptions: [{ id: "1", startAt: actionAt }] };
    expect(decideException(done, actionAt)).toEqual({ kind: "unchanged" });
  });

  it("refuses a time without an occurrence, a cut occurrence and a single event", () => {
    expect(messageOf(decideException(nights, actionAt + 1))).toContain("2026-03-10T02:00:00.000Z");
    expect(messageOf(decideException({ ...nights, cutAt: actionAt }, actionAt))).toContain(
      "2026-03-09T02:00:00.000Z", // the night before, 22:00 of the 8th in summer time
    );
    expect(messageOf(decideException(single, single.startAt))).toContain("does not repeat");
  });
});

describe("ending a series", () => {
  const actionAt = at("2026-03-09T22:00-04:00");

  it("cuts the series at the occurrence unless it is cut there or earlier", () => {
    expect(decideTermination(nights, actionAt)).toEqual({ kind: "cut", cutAt: actionAt });
    const cut = { ...nights, cutAt: actionAt };
    expect(decideTermination(cut, actionAt)).toEqual({ kind: "unchanged" });
    expect(decideTermination(cut, at("2026-03-20T22:00-04:00"))).toEqual({ kind: "unchanged" });
    const earlier = at("2026-03-05T22:00-05:00");
    expect(decideTermination(cut, earlier)).toEqual({ kind: "cut", cutAt: earlier });
  });

  it("can cut at the first occurrence and at a removed one", () => {
    expect(decideTermination(nights, nights.startAt)).toEqual({
      kind: "cut",
      cutAt: nights.startAt,
    });
    const excepted = { ...nights, exceptions: [{ id: "1", startAt: actionAt }] };
    expect(decideTermination(excepted, actionAt)).toEqual({ kind: "cut", cutAt: actionAt });
  });

  it("refuses a time without an occurrence and a single event", () => {
    expect(messageOf(decideTermination(nights, actionAt + 60_000))).toContain("nearest");
    expect(messageOf(decideTermination(single, single.startAt))).toContain("does not repeat");
  });
});

describe("overrides after an edit", () => {
  const friday = override({
    id: "friday",
    overriddenStartAt: at("2026-03-06T22:00-05:00"),
    start: "2026-03-06T22:00-05:00",
    end: "2026-03-07T06:00-05:00",
  });
  const below = override({
    id: "below",
    parentId: "friday",
    overriddenStartAt: friday.startAt,
    start: "2026-03-07T00:00-05:00",
    end: "2026-03-07T02:00-05:00",
  });
  const moved = override({
    id: "moved",
    overriddenStartAt: at("2026-03-06T22:00-05:00"),
    start: "2026-03-07T12:00-05:00", // an hour at noon, outside every occurrence of the series
    end: "2026-03-07T13:00-05:00",
  });
  const all = [friday, below, moved];

  function afterEdit(edited: OnCallEvent | null) {
    const { applying, fallenAway } = overridesAfterEdit(edited, all);
    return {
      applying: applying.map(({ override, overriddenStartAt }) => [override.id, overriddenStartAt]),
      fallenAway: fallenAway.map(({ id }) => id),
    };
  }

  it("all apply while their occurrences exist", () => {
    expect(afterEdit({ ...nights, layer: 2 })).toEqual({
      applying: [
        ["friday", friday.startAt],
        ["below", friday.startAt],
        ["moved", friday.startAt],
      ],
      fallenAway: [],
    });
  });

  it("apply to the shifted occurrences that they overlap; the others no longer apply", () => {
    const earlier = { ...nights, startAt: nights.startAt - 3_600_000 };
    expect(afterEdit(earlier)).toEqual({
      applying: [
        ["friday", at("2026-03-06T21:00-05:00")],
        ["below", friday.startAt],
      ],
      fallenAway: ["moved"],
    });
  });

  it.each<[string, OnCallEvent | null]>([
    ["the series is cut", { ...nights, cutAt: at("2026-03-06T22:00-05:00") }],
    [
      "their occurrence is removed",
      { ...nights, exceptions: [{ id: "1", startAt: friday.startAt }] },
    ],
    ["the days change", { ...nights, daysOfWeek: [1, 2, 3] }],
    ["the event is deleted", null],
  ])("no longer apply, nested ones included, when %s", (_, edited) => {
    const { applying, fallenAway } = afterEdit(edited);
    expect(applying).toEqual([]);
    expect(fallenAway.toSorted()).toEqual(["below", "friday", "moved"]);
  });
});
