// What is stored of an absence decides what it does, its status and what may be beside it.
import { describe, expect, test } from "vitest";
import {
  type AbsenceRecord,
  absenceStatusAt,
  decides,
  INSTEAD,
  overlappingDecision,
  servedBy,
} from "../../../../src/domain/oncall/absences/absence-record.ts";
import { ASKING_STATUSES } from "../../../../src/domain/oncall/absences/asking.ts";
import { absent } from "../../../support/oncall/absence-makers.ts";

const NOW = 1_000;

type Asked = NonNullable<AbsenceRecord["asking"]>["status"];

const record = (
  instead: AbsenceRecord["instead"],
  status: Asked | null = null,
  covering: string | null = instead === "person" || status === "accepted" ? "Z" : null,
): AbsenceRecord => ({
  ...absent("05T00:00", "06T00:00"),
  ...{ instead, coveringAccountUserId: covering },
  asking: status && { status, expiresAt: NOW + 1 },
});

describe("an absence", () => {
  test.each([
    ["nobody_yet", null, "uncovered", "nobody_yet", false],
    ["next_in_line", null, "covered", "next_in_line", true],
    ["person", null, "covered", "person Z", true],
    ["empty", null, "covered", "empty", true],
    ["ask", "open", "asking", "nobody_yet", true],
    ["ask", "accepted", "covered", "person Z", true],
    ["ask", "declined", "declined", "nobody_yet", false],
    ["ask", "expired", "expired", "nobody_yet", false],
    ["ask", "cancelled", "cancelled", "not away", false],
  ] as const)("%s %s is %s and serves as %s", (instead, asked, status, serves, isDeciding) => {
    const one = record(instead, asked);
    expect(absenceStatusAt(one, NOW)).toBe(status);
    const served = servedBy(one);
    const who = served?.coveringAccountUserId ?? "";
    expect(served ? `${served.instead} ${who}`.trim() : "not away").toBe(serves);
    expect(decides(one, NOW)).toBe(isDeciding);
  });

  test("of which nobody has accepted in time has expired, also if nothing has noted it", () => {
    const one = record("ask", "open");
    expect(absenceStatusAt(one, NOW + 1)).toBe("expired");
    expect(decides(one, NOW + 1)).toBe(false);
    expect(servedBy(one)?.instead).toBe("nobody_yet");
  });

  test("whose substitute has left is uncovered, and still decides", () => {
    for (const one of [record("person", null, null), record("ask", "accepted", null)]) {
      expect(absenceStatusAt(one, NOW)).toBe("uncovered");
      expect(decides(one, NOW)).toBe(true);
    }
  });

  test("may be beside another of the person unless both decide", () => {
    const all = [
      ...INSTEAD.filter((it) => it !== "ask").map((it) => record(it)),
      ...ASKING_STATUSES.map((it) => record("ask", it)),
    ];
    const one = record("person");
    for (const it of all) {
      const other = { ...it, id: "other" };
      const found = overlappingDecision(one, [other], NOW);
      expect(found?.id, `${it.instead} ${it.asking?.status}`).toBe(
        decides(it, NOW) ? "other" : undefined,
      );
      expect(overlappingDecision(one, [{ ...other, accountUserId: "B" }], NOW)).toBeUndefined();
    }
    const others = ["2", "1"].map((id) => ({ ...one, id }));
    expect(overlappingDecision(one, others, NOW)?.id).toBe("1");
  });
});
