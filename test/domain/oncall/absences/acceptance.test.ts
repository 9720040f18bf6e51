import { describe, expect, test } from "vitest";
import { withAbsences } from "../../../../src/domain/oncall/absences/absent-hours.ts";
import {
  decideAcceptance,
  hoursOf,
  servesInReturn,
} from "../../../../src/domain/oncall/absences/acceptance.ts";
import type { AskingTerms } from "../../../../src/domain/oncall/absences/asking.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import {
  absent,
  inOneSchedule,
  recordOf,
  rotation,
} from "../../../support/oncall/absence-makers.ts";
import { at, readAll } from "../../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const BEFORE = at("2026-01-01T00:00Z");

/** A, B and C take daily turns from Monday on. */
const schedules = inOneSchedule(scheduleOf([rotation(["A", "B", "C"])]));

const day = (number: number) => ({
  startAt: at("2026-01-05T00:00Z") + number * 86_400_000,
  endAt: at("2026-01-06T00:00Z") + number * 86_400_000,
});

const terms = (more: Partial<AskingTerms> = {}): AskingTerms => ({
  accountUserId: "A",
  ...day(0),
  scheduleIds: null,
  inReturn: null,
  ...more,
});

const accept = (of: AskingTerms, by: string, others = [] as ReturnType<typeof recordOf>[]) =>
  decideAcceptance({ others, schedules }, of, by, BEFORE, ["asks", "returns"]);

const week = (of: AskingTerms, by: string) => {
  const after = withAbsences(schedules, accept(of, by).served).get("skd") ?? scheduleOf([]);
  const from = at("2026-01-05T00:00Z");
  const lines = readAll(onCallBetween(after, from, at("2026-01-12T00:00Z")), "UTC");
  return lines.map((line) => line.at(-1)).join("");
};

describe("accepting", () => {
  test.each([
    ["nothing in return", terms(), "B", "BBCABCA"],
    ["a person who is in no rotation", terms(), "Z", "ZBCABCA"],
    ["hours in return", terms({ inReturn: day(1) }), "B", "BACABCA"],
    ["hours in return that come first", terms({ ...day(3), inReturn: day(1) }), "B", "AACBBCA"],
    ["another schedule", terms({ scheduleIds: ["other"] }), "B", "ABCABCA"],
    [
      "hours in return of any schedule",
      terms({ scheduleIds: ["other"], inReturn: day(1) }),
      "B",
      "AACABCA",
    ],
  ])("%s", (_, of, by, expected) => {
    expect(week(of, by)).toBe(expected);
  });

  test("is a problem if there is nothing to take, on either side", () => {
    const problems = (of: AskingTerms, by: string) =>
      accept(of, by).problems.map(({ kind, accountUserId }) => `${kind} ${accountUserId}`);
    expect(problems(terms(), "B")).toEqual([]);
    expect(problems(terms(day(1)), "B")).toEqual(["no_shifts A"]);
    expect(problems(terms({ inReturn: day(2) }), "B")).toEqual(["no_shifts B"]);
    expect(problems(terms({ ...day(1), inReturn: day(2) }), "B")).toEqual([
      "no_shifts A",
      "no_shifts B",
    ]);
  });

  test("is a problem if an absence of a person decides already, on either side", () => {
    const ofA = recordOf(absent("05T12:00", "05T13:00", { id: "0" }));
    const ofB = { ...ofA, accountUserId: "B", ...day(1) };
    expect(accept(terms(), "B", [ofA]).problems).toEqual([
      { kind: "decided", accountUserId: "A", absence: ofA },
    ]);
    expect(accept(terms({ inReturn: day(1) }), "B", [ofB]).problems).toEqual([
      { kind: "decided", accountUserId: "B", absence: ofB },
    ]);
    expect(accept(terms(), "B", [ofB]).problems).toEqual([]);
    const undecided = { ...ofA, instead: "nobody_yet" } as const;
    expect(accept(terms(), "B", [undecided]).problems).toEqual([]);
  });

  test("takes what is left of the hours", () => {
    const hours = hoursOf(
      terms({ startAt: day(0).startAt, endAt: day(3).endAt }),
      schedules,
      BEFORE,
    );
    expect(hours.map(({ startAt, endAt }) => ({ startAt, endAt }))).toEqual([day(0), day(3)]);
    expect(hoursOf(terms(), schedules, day(1).startAt)).toEqual([]);
  });

  test("needs a person who serves in the hours in return", () => {
    const swap = terms({ inReturn: day(1) });
    const serving = [..."ABCZ"].filter((id) => servesInReturn(swap, id, schedules, BEFORE));
    expect(serving).toEqual(["B"]);
    expect(servesInReturn(terms(), "B", schedules, BEFORE)).toBe(false);
  });
});
