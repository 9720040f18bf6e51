// Who is next in line when somebody is away: tables of literals.
import { describe, expect, test } from "vitest";
import type { Absence } from "../../../../src/domain/oncall/absences/absence.ts";
import { absencesAfter } from "../../../../src/domain/oncall/absences/absent-hours.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { changeRoster } from "../../../../src/domain/oncall/rosters/roster-change.ts";
import {
  absent,
  away,
  byHand,
  daysOf,
  january,
  rotation,
  skippingRotation,
  wholeDays,
  withAway,
} from "../../../support/oncall/absence-makers.ts";

const FROM_MONDAY = ["05T00:00", "06T00:00"] as const;

const of = (accountUserId: string, from: string, to: string) =>
  away(from, to, { id: `away-${accountUserId}`, accountUserId });

/** The event with other positions from a time of January on. */
const withPositions = (series: OnCallEvent, positions: readonly string[], from: string) =>
  changeRoster(series, rotation(positions), january(from));

describe("a rotation that skips who is away", () => {
  test.each<[string, OnCallEvent, readonly Absence[], readonly string[]]>([
    [
      "gives the hours to the next in line; other turns stay",
      skippingRotation(["A", "B", "C"]),
      [away(...FROM_MONDAY)],
      wholeDays("B", "B", "C", "A"),
    ],
    [
      "gives only the hours in which the person is away",
      skippingRotation(["A", "B", "C"]),
      [away("05T08:00", "05T12:00"), away("05T11:00", "05T16:00")],
      ["Mon 00:00–08:00 A", "Mon 08:00–16:00 B", "Mon 16:00–00:00 A", "Tue 00:00–00:00 B"],
    ],
    [
      "passes over everybody who is away, and splits where they come back",
      skippingRotation(["A", "B", "C"]),
      [away(...FROM_MONDAY), of("B", "04T00:00", "05T12:00")],
      ["Mon 00:00–12:00 C", "Mon 12:00–00:00 B", "Tue 00:00–00:00 B", "Wed 00:00–00:00 C"],
    ],
    [
      "leaves the person on call if everybody is away",
      skippingRotation(["A", "B"]),
      [away("05T00:00", "07T00:00"), of("B", ...FROM_MONDAY)],
      wholeDays("A", "B", "A", "B"),
    ],
    [
      "leaves a person on call who is alone in it",
      skippingRotation(["A"]),
      [away("05T00:00", "09T00:00")],
      wholeDays("A", "A", "A", "A"),
    ],
    [
      "replaces one of two who take a turn together, and both",
      skippingRotation(["AB", "C", "D"]),
      [away(...FROM_MONDAY), of("B", "05T12:00", "06T00:00")],
      ["Mon 00:00–12:00 BC", "Mon 12:00–00:00 CD", "Tue 00:00–00:00 C", "Wed 00:00–00:00 D"],
    ],
    [
      "leaves both of two on call if nobody else is there",
      skippingRotation(["AB", "C"]),
      [away(...FROM_MONDAY), of("B", ...FROM_MONDAY), of("C", ...FROM_MONDAY)],
      wholeDays("AB", "C", "AB", "C"),
    ],
    [
      "does nothing without the flag",
      rotation(["A", "B"]),
      [away(...FROM_MONDAY)],
      wholeDays("A", "B", "A", "B"),
    ],
    [
      "does nothing without rotation",
      { ...skippingRotation(["A", "B"]), rotation: false },
      [away("05T00:00", "09T00:00")],
      wholeDays("AB", "AB", "AB", "AB"),
    ],
    [
      "does so from when it began to, until it ceased to",
      rotation(["A", "B"], { skipChanges: [january("05T08:00"), january("05T16:00")] }),
      [away("05T00:00", "09T00:00")],
      ["Mon 00:00–08:00 A", "Mon 08:00–16:00 B", "Mon 16:00–00:00 A", "Tue 00:00–00:00 B"],
    ],
  ])("%s", (_, series, absences, expected) => {
    expect(daysOf(withAway([series], absences), 4).slice(0, 4)).toEqual(expected);
  });

  test("leaves an override by hand, also if it names a person who is away", () => {
    const events = [skippingRotation(["A", "B", "C"]), byHand("A", "05T08:00", "05T12:00")];
    for (const decidedAt of [0, 9_000]) {
      expect(daysOf(withAway(events, [away(...FROM_MONDAY, { decidedAt })]), 1)).toEqual([
        "Mon 00:00–08:00 B",
        "Mon 08:00–12:00 A",
        "Mon 12:00–00:00 B",
      ]);
    }
  });

  test("leaves hours of its past when it ceases to", () => {
    const skipped = rotation(["A", "B"], { skipChanges: [0, january("06T00:00")] });
    const schedule = withAway([skipped], [away("05T00:00", "09T00:00")]);
    expect(daysOf(schedule, 3)).toEqual(wholeDays("B", "B", "A"));
  });
});

describe("covers beside absences that leave it to the rotation", () => {
  const ABC = skippingRotation(["A", "B", "C"]);
  const ofZ = of("Z", ...FROM_MONDAY);

  test("of the same person win, also if the one they name is away", () => {
    const absences = [away(...FROM_MONDAY), ofZ];
    const half = ["05T00:00", "05T12:00"] as const;
    expect(daysOf(withAway([ABC], [...absences, absent(...half)]), 1)).toEqual([
      "Mon 00:00–12:00 Z",
      "Mon 12:00–00:00 B",
    ]);
    expect(daysOf(withAway([ABC], absences), 1)).toEqual(["Mon 00:00–00:00 B"]);
    const nobody = absent(...half, { instead: "empty" });
    expect(daysOf(withAway([ABC], [...absences, nobody]), 1)).toEqual(["Mon 12:00–00:00 B"]);
  });

  test("the next in line is nobody who is covered, and a cover's next nobody who is away", () => {
    const ofB = absent(...FROM_MONDAY, { accountUserId: "B" });
    expect(daysOf(withAway([ABC], [away(...FROM_MONDAY), ofB]), 1)).toEqual(wholeDays("C"));
    const ofA = absent(...FROM_MONDAY, { instead: "next_in_line" });
    expect(daysOf(withAway([ABC], [of("B", ...FROM_MONDAY), ofA]), 1)).toEqual(wholeDays("C"));
  });

  test("a cover's next in line is nobody who is absent at that time", () => {
    const ofB = absent("08T12:00", "12T00:00", { id: "a", accountUserId: "B", instead: "empty" });
    const ofA = absent("07T00:00", "12T00:00", { id: "b", instead: "next_in_line" });
    for (const absences of [
      [ofB, ofA],
      [
        { ...ofB, id: "b" },
        { ...ofA, id: "a" },
      ],
    ]) {
      expect(daysOf(withAway([rotation(["A", "B", "C"])], absences), 7)).toEqual([
        "Mon 00:00–00:00 A",
        "Tue 00:00–00:00 B",
        "Wed 00:00–00:00 C",
        "Thu 00:00–12:00 B",
        "Thu 12:00–00:00 C",
        "Sat 00:00–00:00 C",
        "Sun 00:00–00:00 C",
      ]);
    }
  });

  test("a rotation may give away again what it gave to somebody instead", () => {
    const ofA = absent("05T00:00", "06T00:00", { instead: "next_in_line" });
    // Nobody is there who could serve for A: B and C are away in turn.
    const absences = [ofA, of("B", "05T00:00", "05T12:00"), of("C", "05T06:00", "06T00:00")];
    expect(daysOf(withAway([ABC], absences), 1)).toEqual([
      "Mon 00:00–06:00 C",
      "Mon 06:00–12:00 A",
      "Mon 12:00–00:00 B",
    ]);
  });

  test("what was served stays when the absences change or go during the shift", () => {
    const noon = january("05T12:00");
    const gone = absencesAfter(
      [away(...FROM_MONDAY)],
      { replacedIds: ["away"], absences: [] },
      noon,
    );
    expect(daysOf(withAway([ABC], gone), 1)).toEqual(["Mon 00:00–12:00 B", "Mon 12:00–00:00 A"]);
    const late = absencesAfter(
      [],
      { replacedIds: [], absences: [away("01T00:00", "06T00:00")] },
      noon,
    );
    expect(daysOf(withAway([ABC], late), 1)).toEqual(["Mon 00:00–12:00 A", "Mon 12:00–00:00 B"]);
  });

  test.each([
    ["0", "1"],
    ["1", "0"],
  ])("what was served instead of a group stays too, with ids %s and %s", (first, second) => {
    const group = skippingRotation(["AB", "C", "D"]);
    const before = [
      absent(...FROM_MONDAY, { id: first }),
      away(...FROM_MONDAY, { id: second, accountUserId: "B" }),
    ];
    const shown = (absences: readonly Absence[]) =>
      daysOf(withAway([group], absences), 1).map((line) => {
        const [day, hours, who = ""] = line.split(" ");
        return `${day} ${hours} ${[...who].sort().join("")}`;
      });
    expect(shown(before)).toEqual(["Mon 00:00–00:00 CZ"]);
    const noon = january("05T12:00");
    const returned = absencesAfter(before, { replacedIds: [second], absences: [] }, noon);
    expect(shown(returned)).toEqual(["Mon 00:00–12:00 CZ", "Mon 12:00–00:00 BZ"]);
    const both = absencesAfter(
      returned,
      { replacedIds: [first, second], absences: [] },
      january("05T14:00"),
    );
    expect(shown(both)).toEqual(["Mon 00:00–12:00 CZ", "Mon 12:00–14:00 BZ", "Mon 14:00–00:00 AB"]);
  });
});

describe("the turns of an absence", () => {
  const ABCD = rotation(["A", "B", "C", "D"]);
  const extra = (absence: Absence, days = 28) =>
    daysOf(withAway([ABCD], [absence]), days).filter((_, day) => day % 4 === 0);
  const who = (lines: readonly string[]) => lines.map((it) => it.at(-1)).join("");

  test("go around the others, from the next in line on", () => {
    const next = absent("05T00:00", "31T00:00", { instead: "next_in_line" });
    expect(who(extra(next))).toBe("BCDBCDB");
    // The turn that is under way when it begins is the first, else the next one.
    expect(who(extra({ ...next, startAt: january("06T00:00") }))).toBe("ABCDBCD");
    expect(who(extra({ ...next, startAt: january("08T23:00") }))).toBe("ABCDBCD");
    expect(extra({ ...next, startAt: january("05T06:00") }, 1)).toEqual(["Mon 00:00–06:00 A"]);
  });

  test("stay whose they are when the absence is changed in the middle", () => {
    const next = absent("05T00:00", "31T00:00", { instead: "next_in_line" });
    const longer = { ...next, endAt: january("31T12:00") };
    const change = { replacedIds: [next.id], absences: [longer] };
    const once = absencesAfter([next], change, january("11T12:00"));
    const twice = absencesAfter(once, change, january("14T12:00"));
    for (const absences of [once, twice]) {
      expect(daysOf(withAway([ABCD], absences), 26)).toEqual(daysOf(withAway([ABCD], [next]), 26));
    }
  });

  test("are one more or less for each of the others", () => {
    const next = absent("05T00:00", "31T00:00", { instead: "next_in_line" });
    const all = daysOf(withAway([ABCD], [next]), 24).map((it) => it.at(-1));
    expect(["B", "C", "D"].map((it) => all.filter((one) => one === it).length)).toEqual([8, 8, 8]);
  });
});

describe("a rotation whose people change in a running turn", () => {
  const BY_NEXT = absent("05T00:00", "12T00:00", { id: "b", instead: "next_in_line" });

  test("fault 10: whoever serves for an absent person stays when somebody joins", () => {
    const joined = withPositions(rotation(["G", "B"]), ["G", "B", "C"], "06T12:00");
    const ofB = { ...BY_NEXT, accountUserId: "B" };
    expect(daysOf(withAway([joined], [ofB]), 2)).toEqual(wholeDays("G", "G"));
    // The turn after that goes on with the new line.
    expect(daysOf(withAway([joined], [ofB]), 5).slice(2)).toEqual([
      "Wed 00:00–00:00 C",
      "Thu 00:00–00:00 G",
      "Fri 00:00–00:00 G",
    ]);
  });

  test("whose turn it was has no place in the line before those who follow", () => {
    const changed = withPositions(skippingRotation(["CD"]), ["AD", "B", "E", "C"], "05T12:00");
    expect(daysOf(withAway([changed], [away("05T12:00", "06T00:00")]), 1)).toEqual([
      "Mon 00:00–12:00 CD",
      "Mon 12:00–00:00 DB",
    ]);
  });

  test("those who join come after those of the line, also if they are before them in the new one", () => {
    const joined = withPositions(rotation(["A", "B", "C"]), ["A", "D", "B", "C"], "05T12:00");
    const absences = [BY_NEXT, of("B", "05T00:00", "06T00:00")];
    expect(daysOf(withAway([joined], [BY_NEXT]), 1)).toEqual(wholeDays("B"));
    expect(daysOf(withAway([joined], absences), 1)).toEqual(wholeDays("C"));
    expect(daysOf(withAway([joined], [...absences, of("C", "05T18:00", "06T00:00")]), 1)).toEqual([
      "Mon 00:00–18:00 C",
      "Mon 18:00–00:00 D",
    ]);
  });

  test("those who join one after the other are in that order, also when it is decided anew", () => {
    const first = withPositions(rotation(["A"]), ["A", "D"], "05T06:00");
    const joined = withPositions(first, ["A", "E", "D"], "05T12:00");
    const expected = ["Mon 00:00–06:00 A", "Mon 06:00–00:00 D"];
    expect(daysOf(withAway([joined], [BY_NEXT]), 1)).toEqual(expected);
    const again = { replacedIds: [BY_NEXT.id], absences: [BY_NEXT] };
    const after = absencesAfter([BY_NEXT], again, january("05T18:00"));
    expect(daysOf(withAway([joined], after), 1)).toEqual(expected);
  });

  test("those who leave drop out of the line", () => {
    const left = withPositions(rotation(["A", "B", "C"]), ["A", "C"], "05T12:00");
    expect(daysOf(withAway([left], [BY_NEXT]), 1)).toEqual([
      "Mon 00:00–12:00 B",
      "Mon 12:00–00:00 C",
    ]);
  });

  test("the absent person who leaves has no substitute: the next turn begins", () => {
    const left = withPositions(rotation(["A", "B", "C"]), ["B", "C"], "05T12:00");
    expect(daysOf(withAway([left], [BY_NEXT]), 1)).toEqual([
      "Mon 00:00–12:00 B",
      "Mon 12:00–00:00 B",
    ]);
  });

  test("alone, somebody who joins takes over from the absent person", () => {
    const joined = withPositions(rotation(["A"]), ["A", "D"], "05T12:00");
    expect(daysOf(withAway([joined], [BY_NEXT]), 1)).toEqual([
      "Mon 00:00–12:00 A",
      "Mon 12:00–00:00 D",
    ]);
  });
});

describe("the line", () => {
  const BY_NEXT = absent(...FROM_MONDAY, { instead: "next_in_line" });

  test("fault 11: of a group begins with whom it names first", () => {
    const named = (group: string) => daysOf(withAway([rotation(["A", group])], [BY_NEXT]), 1);
    expect([named("CB"), named("BC")]).toEqual([["Mon 00:00–00:00 C"], ["Mon 00:00–00:00 B"]]);
  });

  test("begins after the turn of the absent person, and passes over empty turns", () => {
    const line = { ...rotation(["A", "", "C", "B"]), emptyPositions: [1] };
    expect(daysOf(withAway([line], [BY_NEXT]), 1)).toEqual(wholeDays("C"));
  });

  test("is that of the turn if the person has several", () => {
    const line = rotation(["A", "B", "A", "C"]);
    const absent = { ...BY_NEXT, endAt: january("09T00:00") };
    expect(daysOf(withAway([line], [absent]), 4)).toEqual(wholeDays("B", "B", "C", "C"));
  });

  test("fault 8: of a cover passes over whom a rotation without skipping keeps on call", () => {
    const line = rotation(["A", "V", "B"]);
    const absences = [
      away("05T00:00", "12T00:00"),
      absent("05T00:00", "12T00:00", { accountUserId: "B", instead: "next_in_line" }),
    ];
    expect(daysOf(withAway([line], absences), 7)).toEqual(wholeDays(..."AVVAVVA"));
  });

  test("begins with the turn that an override by hand is in", () => {
    const events = [rotation(["A", "B", "C"]), byHand("D", "06T08:00", "06T16:00")];
    const ofD = {
      ...absent("05T00:00", "12T00:00", { accountUserId: "D", instead: "next_in_line" }),
      decidedAt: 9_000,
    };
    expect(daysOf(withAway(events, [ofD]), 2)[2]).toBe("Tue 08:00–16:00 C");
  });
});
