// Who serves instead of a person who is absent: tables of literals.
import { describe, expect, test } from "vitest";
import type { Absence } from "../../../../src/domain/oncall/absences/absence.ts";
import { absencesAfter } from "../../../../src/domain/oncall/absences/absent-hours.ts";
import { nextBoundary, onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import {
  absent,
  away,
  byHand,
  daysOf,
  january,
  MONDAY,
  rotation,
  wholeDays,
  withAway,
} from "../../../support/oncall/absence-makers.ts";
import { event } from "../../../support/oncall/oncall-makers.ts";

const HOUR = 3_600_000;

/** A, B and C take daily turns from Monday on. */
const ABC = rotation(["A", "B", "C"]);

/** A is absent from Monday to Sunday. */
const week = (fields: Partial<Absence> = {}) => absent("05T00:00", "12T00:00", fields);

const names = (events: Parameters<typeof withAway>[0], absences: Parameters<typeof withAway>[1]) =>
  daysOf(withAway(events, absences), 7).map((line) => line.split(" ")[2]);

describe("who serves instead", () => {
  test.each<[string, Partial<Absence>, readonly string[]]>([
    ["a person", {}, ["Z", "B", "C", "Z", "B", "C", "Z"]],
    ["a person of the rotation", { coveringAccountUserId: "C" }, [..."CBCCBCC"]],
    ["the next in line, in turn", { instead: "next_in_line" }, [..."BBCCBCB"]],
    ["nobody: the hours are left empty", { instead: "empty" }, [..."BCBC"]],
    [
      "a person who has left the account: the hours stay with the absent person",
      { coveringAccountUserId: null },
      [..."ABCABCA"],
    ],
    [
      "a person, but in hours that were released",
      {
        released: [
          { eventId: "rotation", startAt: january("08T00:00"), endAt: january("09T00:00") },
          { eventId: "other", startAt: january("05T00:00"), endAt: january("12T00:00") },
        ],
      },
      [..."ZBCABCZ"],
    ],
  ])("%s", (_, fields, expected) => {
    expect(names([ABC], [week(fields)])).toEqual(expected);
  });

  test("the hours released may be a part of a shift", () => {
    const released = [
      { eventId: "rotation", startAt: january("05T20:00"), endAt: january("06T00:00") },
      { eventId: "rotation", startAt: january("05T06:00"), endAt: january("05T09:00") },
      { eventId: "rotation", startAt: january("05T08:00"), endAt: january("05T12:00") },
    ];
    expect(daysOf(withAway([ABC], [week({ released })]), 1)).toEqual([
      "Mon 00:00–06:00 Z",
      "Mon 06:00–12:00 A",
      "Mon 12:00–20:00 Z",
      "Mon 20:00–00:00 A",
    ]);
  });

  test("the hours that an absence names, also if it begins and ends inside a shift", () => {
    const inside = absent("05T08:00", "05T16:00");
    const across = absent("08T18:00", "12T06:00", { id: "across" });
    expect(daysOf(withAway([ABC], [inside, across]), 8)).toEqual([
      "Mon 00:00–08:00 A",
      "Mon 08:00–16:00 Z",
      "Mon 16:00–00:00 A",
      "Tue 00:00–00:00 B",
      "Wed 00:00–00:00 C",
      "Thu 00:00–18:00 A",
      "Thu 18:00–00:00 Z",
      "Fri 00:00–00:00 B",
      "Sat 00:00–00:00 C",
      "Sun 00:00–00:00 Z",
      "Mon 00:00–00:00 B",
    ]);
  });

  test("shows whole parts in any window, and each change is a boundary", () => {
    const schedule = withAway([ABC], [absent("05T08:00", "05T16:00")]);
    const part = { startAt: january("05T08:00"), endAt: january("05T16:00") };
    for (const [from, to] of [
      ["05T10:00", "05T11:00"],
      ["05T08:00", "05T08:01"],
      ["05T15:59", "05T16:00"],
    ] as const) {
      expect(onCallBetween(schedule, january(from), january(to))).toMatchObject([part]);
    }
    const boundaries = [january("05T08:00"), january("05T16:00"), january("06T00:00")];
    for (const [index, boundary] of boundaries.entries()) {
      expect(nextBoundary(schedule, boundaries[index - 1] ?? MONDAY)).toBe(boundary);
    }
  });

  test("says who is absent, by which absence, in the hours and only there", () => {
    const schedule = withAway([ABC], [absent("05T08:00", "06T00:00")]);
    const entries = onCallBetween(schedule, MONDAY, january("07T00:00"));
    expect(entries.map(({ eventId, absent }) => ({ eventId, absent }))).toEqual([
      { eventId: "rotation", absent: undefined },
      { eventId: "rotation", absent: [{ accountUserId: "A", absenceId: "absent" }] },
      { eventId: "rotation", absent: undefined },
    ]);
  });

  test("two absences that follow each other are two parts, also with one substitute", () => {
    const both = [
      absent("05T00:00", "05T12:00", { id: "a" }),
      absent("05T12:00", "06T00:00", { id: "b" }),
    ];
    expect(daysOf(withAway([ABC], both), 1)).toEqual(["Mon 00:00–12:00 Z", "Mon 12:00–00:00 Z"]);
  });
});

describe("a group", () => {
  const group = rotation(["AB", "C", "D"]);

  test.each<[string, Partial<Absence>, readonly string[]]>([
    ["a person", {}, wholeDays("BZ", "C", "D", "BZ")],
    ["a person who is in it: the others stay", { coveringAccountUserId: "B" }, [..."BCDB"]],
    ["the next in line, who is not in it", { instead: "next_in_line" }, ["BC", "C", "D", "BD"]],
    ["nobody: the others stay", { instead: "empty" }, [..."BCDB"]],
  ])("loses only the absent person, for %s", (_, fields, expected) => {
    const shown = daysOf(withAway([group], [week(fields)]), 4);
    const lines = expected.every((it) => it.includes(" ")) ? expected : wholeDays(...expected);
    expect(shown).toEqual(lines);
  });

  test("without rotation keeps the others; alone, the person stays on call", () => {
    const hours = { start: "2026-01-05T00:00Z", end: "2026-01-12T00:00Z" };
    const together = event({ ...hours, id: "both", who: "AB" });
    const alone = event({ ...hours, id: "alone", layer: 2 });
    expect(names([together, alone], [week({ instead: "next_in_line" })])).toEqual(["B", "A"]);
  });

  test("without rotation is left alone if the others are away", () => {
    const together = rotation(["A", "B"], { rotation: false });
    const absences = [
      week({ instead: "next_in_line" }),
      away("05T12:00", "06T00:00", { accountUserId: "B" }),
    ];
    expect(daysOf(withAway([together], absences), 1)).toEqual([
      "Mon 00:00–12:00 B",
      "Mon 12:00–00:00 AB",
    ]);
  });
});

describe("several absences", () => {
  const ofZ = (id: string) => week({ id, accountUserId: "Z", coveringAccountUserId: "Y" });

  test("form a chain in the order in which they were decided", () => {
    expect(names([ABC], [week({ id: "a" }), ofZ("b")])).toEqual([..."YBCYBCY"]);
    expect(names([ABC], [ofZ("b"), week({ id: "a" })])).toEqual([..."YBCYBCY"]);
    expect(names([ABC], [ofZ("b")])).toEqual([..."ABCABCA"]);
  });

  test("apply once each: an older absence of a substitute says nothing about these hours", () => {
    expect(names([ABC], [ofZ("a"), week({ id: "b" })])).toEqual([..."ZBCZBCZ"]);
  });

  test("exchange the hours of two people who cover each other", () => {
    const swap = [
      absent("05T00:00", "06T00:00", { id: "a", coveringAccountUserId: "B" }),
      absent("06T00:00", "07T00:00", { id: "b", accountUserId: "B", coveringAccountUserId: "A" }),
    ];
    expect(names([ABC], swap)).toEqual([..."BACABCA"]);
    const always = [
      week({ id: "a", coveringAccountUserId: "B" }),
      week({ id: "b", accountUserId: "B", coveringAccountUserId: "A" }),
    ];
    expect(names([ABC], always)).toEqual([..."AACAACA"]);
  });

  test("of one person in the same hours: the older one says who serves", () => {
    const both = [week({ id: "a" }), week({ id: "b", coveringAccountUserId: "Y" })];
    expect(names([ABC], both)).toEqual([..."ZBCZBCZ"]);
  });

  test("leave hours empty, whatever later absences say", () => {
    const both = [week({ id: "a", instead: "empty" }), week({ id: "b" })];
    expect(names([ABC], both)).toEqual([..."BCBC"]);
  });
});

describe("an override by hand", () => {
  test.each([
    [4_999, ["Mon 00:00–08:00 Z", "Mon 08:00–16:00 A", "Mon 16:00–00:00 Z"]],
    [5_000, ["Mon 00:00–08:00 Z", "Mon 08:00–16:00 A", "Mon 16:00–00:00 Z"]],
    [5_001, ["Mon 00:00–08:00 Z", "Mon 08:00–16:00 Z", "Mon 16:00–00:00 Z"]],
  ])("made at 5000 stays unless the absence was decided later: at %i", (decidedAt, expected) => {
    const events = [ABC, byHand("A", "05T08:00", "05T16:00")];
    expect(daysOf(withAway(events, [week({ decidedAt })]), 1)).toEqual(expected);
  });

  test.each<Partial<Absence>>([{}, { instead: "next_in_line" }, { decidedAt: 9_000 }])(
    "that names somebody else is nobody's absence: %o",
    (fields) => {
      const events = [ABC, byHand("D", "05T08:00", "05T16:00")];
      const [first, second] = daysOf(withAway(events, [week(fields)]), 1);
      expect([first?.slice(0, 15), second]).toEqual(["Mon 00:00–08:00", "Mon 08:00–16:00 D"]);
    },
  );

  test("that is older goes to the next in line of its rotation", () => {
    const events = [ABC, byHand("C", "05T08:00", "05T16:00")];
    const ofC = week({ accountUserId: "C", instead: "next_in_line", decidedAt: 9_000 });
    // A has the turn: the next is B.
    expect(daysOf(withAway(events, [ofC]), 1)[1]).toBe("Mon 08:00–16:00 B");
    const ofA = week({ id: "a", instead: "empty", decidedAt: 9_000 });
    expect(daysOf(withAway(events, [ofA, ofC]), 1)).toEqual(["Mon 08:00–16:00 B"]);
  });

  test("leaves hours to the absent person where the absence released those of its series", () => {
    const events = [ABC, byHand("A", "05T08:00", "05T16:00")];
    const released = [
      { eventId: "rotation", startAt: january("05T12:00"), endAt: january("06T00:00") },
    ];
    expect(daysOf(withAway(events, [week({ decidedAt: 9_000, released })]), 1)).toEqual([
      "Mon 00:00–08:00 Z",
      "Mon 08:00–12:00 Z",
      "Mon 12:00–16:00 A",
      "Mon 16:00–00:00 A",
    ]);
  });
});

describe("series of an absence's schedules", () => {
  test("are covered with their layer and hours, also those that come into being later", () => {
    const extra = event({
      ...{ id: "extra", start: "2026-01-07T09:00Z", end: "2026-01-07T17:00Z", layer: 2 },
    });
    const shown = onCallBetween(withAway([ABC, extra], [week()]), MONDAY, january("12T00:00"));
    expect(shown.filter(({ layer }) => layer === 2)).toMatchObject([
      {
        ...{ eventId: "extra", startAt: january("07T09:00"), endAt: january("07T17:00") },
        attendees: [{ attendeeId: "Z" }],
      },
    ]);
  });

  const above = event({
    ...{ id: "above", start: "2026-01-05T08:00Z", end: "2026-01-05T16:00Z" },
    ...{ who: "B", priority: 1 },
  });

  test("have no absence in hours in which others have priority", () => {
    expect(daysOf(withAway([ABC, above], [week()]), 1)).toEqual([
      "Mon 00:00–08:00 Z",
      "Mon 08:00–16:00 B",
      "Mon 16:00–00:00 Z",
    ]);
  });

  test("keep their priority: hours that are left empty do not go to those below", () => {
    const ofB = week({ accountUserId: "B", instead: "empty" });
    expect(daysOf(withAway([ABC, above], [ofB]), 1)).toEqual([
      "Mon 00:00–08:00 A",
      "Mon 16:00–00:00 A",
    ]);
  });
});

describe("a cover that changes while a shift runs", () => {
  const at = january("05T10:00");

  test.each<[string, readonly Absence[], string]>([
    ["goes", [], "A"],
    ["names another person", [week({ coveringAccountUserId: "Y" })], "Y"],
    ["is the next in line's", [week({ instead: "next_in_line" })], "B"],
    ["is to come", [absent("08T00:00", "12T00:00")], "A"],
  ])("and %s: the substitute has served until then", (_, absences, expected) => {
    const after = absencesAfter([week()], { replacedIds: ["absent"], absences }, at);
    expect(daysOf(withAway([ABC], after), 2)).toEqual([
      "Mon 00:00–10:00 Z",
      `Mon 10:00–00:00 ${expected}`,
      "Tue 00:00–00:00 B",
    ]);
  });

  test("and stays is one part before and after", () => {
    const after = absencesAfter([week()], { replacedIds: ["absent"], absences: [week()] }, at);
    expect(after.map(({ startAt, endAt }) => [startAt, endAt])).toEqual([
      [MONDAY, at],
      [at, january("12T00:00")],
    ]);
    expect(daysOf(withAway([ABC], after), 1)).toEqual(["Mon 00:00–00:00 Z"]);
  });

  test("serves from now on if it is made for a time that has begun", () => {
    const after = absencesAfter([], { replacedIds: [], absences: [week()] }, at + HOUR);
    expect(daysOf(withAway([ABC], after), 1)).toEqual(["Mon 00:00–11:00 A", "Mon 11:00–00:00 Z"]);
  });
});
