import { describe, expect, it } from "vitest";
import {
  checkChild,
  checkOverride,
  checkOverrideMove,
  decideException,
  decideTermination,
  overridesOfDeleted,
  overridesThatGo,
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
  return event({ id: "override", seriesId: "nights", parentId: "nights", ...options });
}

/** Checks an override of an event. */
const check = (
  of: OnCallEvent,
  overrides: readonly OnCallEvent[],
  request: Parameters<typeof checkOverride>[1],
) =>
  checkOverride({ event: of, series: [nights, ...overrides, of], absences: [], past: [] }, request);

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
      expect(check(nights, [], request)).toBeNull();
    }
  });

  it("refuses a time at which no occurrence starts and names the nearest start", () => {
    const off = { actionAt: at("2026-03-09T21:00-04:00"), ...evening };
    expect(messageOf(check(nights, [], off))).toBe(
      "action_time: action_time is not the start of an occurrence; " +
        "the nearest starts at 2026-03-10T02:00:00.000Z",
    );
    const before = { actionAt: at("2020-01-01T00:00Z"), ...evening };
    expect(messageOf(check(nights, [], before))).toContain("2026-03-03T03:00:00.000Z");
    const ended = { ...nights, repeatEndAt: at("2026-03-04T00:00-05:00") };
    const after = { actionAt: at("2030-01-01T00:00Z"), ...evening };
    expect(messageOf(check(ended, [], after))).toContain("2026-03-05T03:00:00.000Z");
    const empty = { ...nights, cutAt: nights.startAt };
    expect(messageOf(check(empty, [], after))).toContain("the event has none");
  });

  it("refuses an occurrence removed by an exception or a cut", () => {
    const actionAt = at("2026-03-04T22:00-05:00");
    const excepted = { ...nights, exceptions: [{ id: "1", startAt: actionAt }] };
    expect(messageOf(check(excepted, [], { actionAt, ...evening }))).toContain("nearest");
    const cut = { ...nights, cutAt: actionAt };
    expect(messageOf(check(cut, [], { actionAt, ...evening }))).toContain("nearest");
  });

  it("refuses an empty interval", () => {
    const actionAt = nights.startAt;
    const empty = { actionAt, startAt: evening.startAt, endAt: evening.startAt };
    expect(messageOf(check(nights, [], empty))).toBe("end_time: end_time must be after start_time");
  });

  it("accepts the start of a part after an earlier override as its occurrence", () => {
    const present = override({ start: "2026-03-03T01:00-05:00", end: "2026-03-03T03:00-05:00" });
    const request = {
      actionAt: at("2026-03-03T03:00-05:00"),
      startAt: at("2026-03-03T03:00-05:00"),
      endAt: at("2026-03-03T04:00-05:00"),
    };
    expect(check(nights, [present], request)).toBeNull();
    expect(messageOf(check(nights, [], request))).toContain("nearest");
  });

  it("treats an override as a single occurrence", () => {
    const present = override({ start: "2026-03-03T01:00-05:00", end: "2026-03-03T03:00-05:00" });
    const { startAt, endAt } = present;
    // A newer override of the same hours can leave a part that starts at any instant within it.
    for (const actionAt of [startAt, startAt + 60_000]) {
      expect(check(present, [], { actionAt, startAt, endAt })).toBeNull();
    }
    const after = { actionAt: endAt, startAt, endAt };
    expect(messageOf(check(present, [], after))).toContain("nearest");
  });

  it("refuses an interval that does not overlap the occurrence", () => {
    const { startAt, endAt } = nights;
    const request = (from: number, to: number) => ({ actionAt: startAt, startAt: from, endAt: to });
    for (const [from, to] of [
      [startAt - 9, startAt],
      [endAt, endAt + 9],
      [evening.startAt, evening.endAt],
    ] as const) {
      expect(messageOf(check(nights, [], request(from, to)))).toContain("shares no time");
    }
    for (const [from, to] of [
      [startAt - 9, startAt + 1],
      [endAt - 1, endAt + 9],
    ] as const) {
      expect(check(nights, [], request(from, to))).toBeNull();
    }
  });
});

describe("moving an override", () => {
  const present = override({ start: "2026-03-03T01:00-05:00", end: "2026-03-03T03:00-05:00" });
  const hour = (iso: string) => ({ startAt: at(iso), endAt: at(iso) + 3_600_000 });

  it("requires an overlap with an occurrence of its series", () => {
    const series = [nights, present];
    const move = (iso: string) => checkOverrideMove(series, present, hour(iso));
    expect(move("2026-03-03T05:00-05:00")).toBeNull();
    expect(move("2026-03-04T05:00-05:00")).toBeNull();
    expect(messageOf(move("2026-03-04T12:00-05:00"))).toContain(
      "start_datetime: the override shares no time",
    );
  });

  it("accepts occurrences of each version", () => {
    const from = at("2026-03-04T09:00-05:00");
    const days = { ...nights, id: "days", startAt: from, endAt: from + 8 * 3_600_000 };
    const series = [{ ...nights, cutAt: from }, days, present];
    expect(checkOverrideMove(series, present, hour("2026-03-06T12:00-05:00"))).toBeNull();
    const night = checkOverrideMove(series, present, hour("2026-03-06T23:00-05:00"));
    expect(messageOf(night)).toContain("shares no time");
  });

  it("accepts any hours if its series has no occurrence in its own any more", () => {
    const exceptions = [{ id: "1", startAt: nights.startAt }];
    const series = [{ ...nights, exceptions }, present];
    expect(checkOverrideMove(series, present, hour("2026-03-04T05:00-05:00"))).toBeNull();
    expect(checkOverrideMove(series, present, hour("2026-03-04T12:00-05:00"))).toBeNull();
  });
});

describe("an event created with a parent", () => {
  it("overrides the occurrence that contains its start", () => {
    expect(checkChild(nights, at("2026-03-04T22:00-05:00"))).toBeNull();
    expect(checkChild(nights, at("2026-03-05T05:59-05:00"))).toBeNull();
  });

  it("is refused if no occurrence contains its start", () => {
    expect(messageOf(checkChild(nights, at("2026-03-05T06:00-05:00")))).toContain(
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
    start: "2026-03-06T22:00-05:00",
    end: "2026-03-07T06:00-05:00",
  });
  const below = override({
    id: "below",
    parentId: "friday",
    start: "2026-03-07T00:00-05:00",
    end: "2026-03-07T02:00-05:00",
  });
  /** An hour at noon, outside every occurrence of the series. */
  const noon = override({
    id: "noon",
    start: "2026-03-07T12:00-05:00",
    end: "2026-03-07T13:00-05:00",
  });
  const overlong = override({
    id: "overlong",
    start: "2026-03-07T05:00-05:00",
    end: "2026-03-08T23:00-04:00",
  });
  const all = [friday, below, noon, overlong];
  const before = [nights, ...all];

  const idsOf = (events: readonly OnCallEvent[]) => events.map(({ id }) => id).toSorted();
  const goWith = (edited: readonly OnCallEvent[], removes = false) =>
    idsOf(overridesThatGo(before, [...edited, ...all], removes));

  /** Those that go, without the one at noon. */
  const beside = (edited: readonly OnCallEvent[]) => goWith(edited).filter((id) => id !== "noon");

  it("stay while the series goes on, also where it has no occurrence in their hours", () => {
    expect(goWith([{ ...nights, layer: 2 }])).toEqual([]);
    expect(goWith([{ ...nights, startAt: nights.startAt - 3_600_000 }])).toEqual([]);
    expect(goWith([{ ...nights, daysOfWeek: [1, 2, 3] }])).toEqual([]);
    const midday = at("2026-03-02T11:00-05:00");
    expect(goWith([{ ...nights, startAt: midday, endAt: midday + 3_600_000 }])).toEqual([]);
  });

  it("go if their occurrence is removed, and no other is in their hours", () => {
    const exceptions = [{ id: "1", startAt: friday.startAt }];
    expect(goWith([{ ...nights, exceptions }], true)).toEqual(["below", "friday"]);
    const both = [...exceptions, { id: "2", startAt: at("2026-03-07T22:00-05:00") }];
    const isLastLeft = goWith([{ ...nights, exceptions: both }], true);
    expect(isLastLeft).toEqual(["below", "friday"]);
    const three = [...both, { id: "3", startAt: at("2026-03-08T22:00-04:00") }];
    expect(goWith([{ ...nights, exceptions: three }], true)).toEqual([
      ...["below", "friday", "overlong"],
    ]);
  });

  it("go after the end of the series", () => {
    const at6th = { ...nights, cutAt: at("2026-03-06T22:00-05:00") };
    expect(beside([at6th])).toEqual(["below", "friday", "overlong"]);
    expect(beside([{ ...nights, repeatEndAt: at("2026-03-05T12:00-05:00") }])).toEqual([
      ...["below", "friday", "overlong"],
    ]);
    // It still has hours of the last night.
    expect(beside([{ ...nights, cutAt: at("2026-03-07T22:00-05:00") }])).toEqual([]);
  });

  it("go after the end of the series, also where it had no occurrence", () => {
    expect(goWith([{ ...nights, cutAt: at("2026-03-05T22:00-05:00") }])).toEqual([
      ...["below", "friday", "noon", "overlong"],
    ]);
    // It had ended before.
    const ended = { ...nights, cutAt: at("2026-03-06T22:00-05:00") };
    const change = [{ ...ended, cutAt: at("2026-03-05T22:00-05:00") }, noon];
    expect(overridesThatGo([ended, noon], change, false)).toEqual([]);
  });

  it("go after the end of its last version, not of one before", () => {
    const cutAt = at("2026-03-05T22:00-05:00");
    const first = { ...nights, cutAt };
    const next = { ...nights, id: "next", beginsAt: at("2026-03-20T22:00-04:00") };
    expect(goWith([first, next])).toEqual([]);
    expect(beside([first, { ...next, cutAt: next.beginsAt }])).toEqual([
      ...["below", "friday", "overlong"],
    ]);
  });

  it("of a deleted event: all with the last version", () => {
    expect(idsOf(overridesOfDeleted(nights, before))).toEqual([
      ...["below", "friday", "noon", "overlong"],
    ]);
  });

  it("of a deleted version: those in hours that only it had", () => {
    const from = at("2026-03-07T22:00-05:00");
    const [one, two] = [
      { ...nights, cutAt: from },
      { ...nights, id: "two", beginsAt: from, layer: 2 },
    ];
    const later = override({
      ...{ id: "later", parentId: "two" },
      ...{ start: "2026-03-10T22:00-04:00", end: "2026-03-11T00:00-04:00" },
    });
    const series = [one, two, friday, below, overlong, later];
    expect(idsOf(overridesOfDeleted(one, series))).toEqual(["below", "friday"]);
    expect(idsOf(overridesOfDeleted(two, series))).toEqual(["later"]);
    expect(idsOf(overridesOfDeleted(two, [two, ...all, later]))).toEqual(idsOf([...all, later]));
  });

  it("do not go with another override, also not with the one that they were made by", () => {
    expect(overridesOfDeleted(friday, before)).toEqual([]);
  });
});
