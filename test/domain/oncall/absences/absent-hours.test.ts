// The hours of an absence in each schedule, what to look at in it, and the order of absences.
import { describe, expect, test } from "vitest";
import {
  type Absence,
  absencesIn,
  inOrder,
  isSkipping,
  withSkipping,
} from "../../../../src/domain/oncall/absences/absence.ts";
import {
  type AbsenceRecord,
  isOverlapping,
} from "../../../../src/domain/oncall/absences/absence-record.ts";
import { absenceWarnings } from "../../../../src/domain/oncall/absences/absence-warnings.ts";
import {
  absencesAfter,
  coveredHours,
  type OnCallSchedules,
  servedHours,
  withAbsences,
} from "../../../../src/domain/oncall/absences/absent-hours.ts";
import {
  absent,
  away,
  byHand,
  daysOf,
  january,
  rotation,
  wholeDays,
} from "../../../support/oncall/absence-makers.ts";
import { event } from "../../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const ABC = rotation(["A", "B", "C"]);
const NOW = january("01T00:00");
const SHARED = event({
  ...{ id: "shared", start: "2026-01-06T09:00Z", end: "2026-01-06T17:00Z" },
  ...{ who: "AB", layer: 2 },
});

/** `one` has a rotation and a shift, `two` only the shift. */
const schedulesWith = (absences: readonly Absence[]): OnCallSchedules =>
  withAbsences(
    new Map([
      ["two", scheduleOf([SHARED])],
      ["one", scheduleOf([ABC, SHARED])],
    ]),
    absences,
  );

/** `05T00:00 05T12:00 rotation Z one` */
const text = (hours: ReturnType<typeof coveredHours>) =>
  hours.map(({ startAt, endAt, eventId, people, scheduleIds }) => {
    const [from, to] = [startAt, endAt].map((at) => new Date(at).toISOString().slice(8, 16));
    return [from, to, eventId, people.join("") || "-", scheduleIds.join("+")].join(" ");
  });

const covered = (one: Absence) => text(coveredHours(one, schedulesWith([one])));
const served = (one: Absence) => text(servedHours(one, schedulesWith([one])));

describe("the hours of an absence", () => {
  test("in all schedules are those of each event once, cut to the absence", () => {
    expect(covered(absent("05T12:00", "08T06:00"))).toEqual([
      "05T12:00 06T00:00 rotation Z one",
      "06T09:00 06T17:00 shared BZ one+two",
      "08T00:00 08T06:00 rotation Z one",
    ]);
    expect(served(absent("05T12:00", "08T06:00"))).toEqual([]);
  });

  test("in one schedule leave the others to the person", () => {
    const ofTwo = absent("05T12:00", "08T06:00", { scheduleIds: ["two"] });
    expect(covered(ofTwo)).toEqual(["06T09:00 06T17:00 shared BZ two"]);
    const { absences: _, events } = schedulesWith([ofTwo]).get("one") ?? scheduleOf([]);
    expect(schedulesWith([ofTwo]).get("one")?.absences).toEqual([]);
    expect(daysOf(scheduleOf(events, absencesIn([ofTwo], "one")), 1)).toEqual(wholeDays("A"));
    const inBoth = { ...ofTwo, scheduleIds: null };
    expect(text(servedHours(inBoth, schedulesWith([ofTwo])))).toEqual([
      "05T12:00 06T00:00 rotation A one",
      "06T09:00 06T17:00 shared AB one",
      "08T00:00 08T06:00 rotation A one",
    ]);
  });

  test("are shown if nobody serves in them", () => {
    const empty = absent("05T00:00", "07T00:00", { instead: "empty" });
    expect(covered(empty)).toEqual([
      "05T00:00 06T00:00 rotation - one",
      "06T09:00 06T17:00 shared B one+two",
    ]);
    expect(served(empty)).toEqual([]);
  });

  test("are the person's if nobody is found", () => {
    const next = absent("05T00:00", "07T00:00", { instead: "next_in_line" });
    const others = [..."BC"].map((accountUserId) =>
      away("05T00:00", "06T00:00", { accountUserId }),
    );
    const schedules = schedulesWith([next, ...others]);
    expect(text(servedHours(next, schedules))).toEqual(["05T00:00 06T00:00 rotation A one"]);
    expect(text(coveredHours(next, schedules))).toEqual(["06T09:00 06T17:00 shared B one+two"]);
  });

  test("are covered by each of a chain of covers", () => {
    const ofA = absent("05T00:00", "06T00:00", { id: "a" });
    const ofZ = { ...ofA, id: "b", accountUserId: "Z", coveringAccountUserId: "Y" };
    const schedules = schedulesWith([ofA, ofZ]);
    for (const one of [ofA, ofZ]) {
      expect(text(coveredHours(one, schedules))).toEqual(["05T00:00 06T00:00 rotation Y one"]);
    }
  });

  test("are none of an absence without time", () => {
    expect(served(absent("05T12:00", "05T12:00"))).toEqual([]);
    expect(covered(absent("05T12:00", "05T12:00"))).toEqual([]);
  });
});

describe("the warnings of an absence", () => {
  const warnings = (
    one: Absence,
    others: readonly Absence[] = [],
    events = [ABC],
    asking: AbsenceRecord["asking"] = null,
  ) => {
    const absences = [one, ...others];
    const schedules = withAbsences(new Map([["one", scheduleOf(events)]]), absences);
    const hours = {
      covered: coveredHours(one, schedules),
      uncovered: servedHours(one, schedules),
    };
    const record = asking ? ({ ...one, instead: "ask", asking } as const) : { ...one, asking };
    return absenceWarnings(record, absences, hours, (id) => id === "by-hand", NOW).map((it) =>
      it.reason === "substitute_absent"
        ? `${it.reason} ${it.absence.id}`
        : "count" in it
          ? `${it.reason} ${it.count}`
          : it.reason,
    );
  };

  test("say for how many shifts nobody is decided, unless people are asked", () => {
    const one = away("05T00:00", "12T00:00");
    expect(warnings(one)).toEqual(["nobody_yet 3"]);
    expect(warnings(away("06T00:00", "07T00:00"))).toEqual([]);
    const asking = (status: "open" | "declined" | "cancelled", expiresAt = NOW + 1) =>
      warnings(one, [], [ABC], { status, expiresAt });
    expect(asking("open")).toEqual([]);
    expect(asking("open", NOW)).toEqual(["nobody_yet 3"]);
    expect(asking("declined")).toEqual(["nobody_yet 3"]);
    expect(asking("cancelled")).toEqual([]);
  });

  test("are none if the hours are covered", () => {
    expect(warnings(absent("05T00:00", "12T00:00"))).toEqual([]);
    expect(warnings(absent("05T00:00", "12T00:00", { instead: "next_in_line" }))).toEqual([]);
    expect(warnings(absent("05T00:00", "12T00:00", { instead: "empty" }))).toEqual([]);
  });

  test("fault 8: name the absences of a substitute, of any kind", () => {
    const one = absent("05T00:00", "12T00:00");
    const ofZ = { accountUserId: "Z" };
    expect(
      warnings(one, [
        away("06T00:00", "07T00:00", { ...ofZ, id: "away" }),
        absent("06T00:00", "07T00:00", { ...ofZ, id: "covered", coveringAccountUserId: "Y" }),
        absent("12T00:00", "13T00:00", { ...ofZ, id: "later", coveringAccountUserId: "Y" }),
        away("06T00:00", "07T00:00", { accountUserId: "Y", id: "another's" }),
      ]),
    ).toEqual(["substitute_absent covered", "substitute_absent away"]);
  });

  test("name an absence of the substitute only where both concern a schedule", () => {
    const one = absent("05T00:00", "12T00:00", { scheduleIds: ["one"] });
    const ofZ = away("05T00:00", "12T00:00", { accountUserId: "Z" });
    expect(warnings(one, [{ ...ofZ, scheduleIds: ["two"] }])).toEqual([]);
    expect(warnings(one, [{ ...ofZ, scheduleIds: ["two", "one"] }])).toEqual([
      "substitute_absent away",
    ]);
  });

  test("say that the substitute has left, that nobody was found and that there is no shift", () => {
    expect(warnings(absent("05T00:00", "12T00:00", { coveringAccountUserId: null }))).toEqual([
      "substitute_left",
    ]);
    const next = absent("05T00:00", "12T00:00", { instead: "next_in_line" });
    expect(warnings(next, [], [rotation(["A"])])).toEqual(["nobody_found 7"]);
    expect(warnings(absent("06T00:00", "07T00:00"))).toEqual(["no_shifts"]);
  });

  test("count no override that was made by hand since", () => {
    const events = [ABC, byHand("A", "05T08:00", "05T16:00")];
    expect(warnings(absent("05T00:00", "12T00:00"), [], events)).toEqual([]);
  });
});

describe("absences", () => {
  test("are in the order in which they were created, and last those of the rotations", () => {
    const [a, b] = [
      absent("05T00:00", "06T00:00", { id: "a" }),
      absent("05T00:00", "06T00:00", { id: "b" }),
    ];
    const later = { ...a, startAt: january("05T12:00") };
    const first = away("05T00:00", "06T00:00", { id: "0" });
    expect(inOrder([first, b, later, a])).toEqual([a, later, b, first]);
    expect(absencesIn([first, { ...b, scheduleIds: ["one"] }, a], "two")).toEqual([a, first]);
  });

  test("overlap if they share time and a schedule", () => {
    const one = absent("05T00:00", "06T00:00", { id: "a", scheduleIds: ["one"] });
    const other = { ...one, id: "b" };
    expect(isOverlapping(one, other)).toBe(true);
    expect(isOverlapping(one, one)).toBe(false);
    expect(isOverlapping(one, { ...other, scheduleIds: ["two"] })).toBe(false);
    expect(isOverlapping(one, { ...other, scheduleIds: null })).toBe(true);
    expect(isOverlapping(one, { ...other, startAt: january("06T00:00") })).toBe(false);
  });

  test("change from now on", () => {
    const [past, running, coming] = [
      absent("01T00:00", "02T00:00", { id: "past" }),
      absent("01T00:00", "09T00:00", { id: "running" }),
      absent("08T00:00", "09T00:00", { id: "coming" }),
    ];
    const now = january("05T00:00");
    const made = absent("03T00:00", "07T00:00", { id: "running" });
    const ended = absent("03T00:00", "04T00:00", { id: "coming" });
    const replacedIds = ["past", "running", "coming"];
    expect(
      absencesAfter([past, running, coming], { replacedIds, absences: [made, ended] }, now),
    ).toEqual([past, { ...running, endAt: now }, { ...made, since: made.startAt, startAt: now }]);
  });
});

test("a rotation remembers when it began and ceased to skip who is away", () => {
  const began = { skipChanges: withSkipping({}, true, 1_000) };
  expect(began.skipChanges).toEqual([1_000]);
  expect(withSkipping(began, true, 2_000)).toEqual([1_000]);
  const ceased = { skipChanges: withSkipping(began, false, 3_000) };
  expect(ceased.skipChanges).toEqual([1_000, 3_000]);
  expect([{}, began, ceased].map(isSkipping)).toEqual([false, true, false]);
});
