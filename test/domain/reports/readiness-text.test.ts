// The weekly digest of an account's readiness: nothing without a problem, else each in its own lines.
import { expect, test } from "vitest";
import { STANDBY_PROBLEMS } from "../../../src/domain/operations/standby-drill.ts";
import {
  readinessText,
  STANDBY_PROBLEM_TEXTS,
} from "../../../src/domain/reports/readiness-text.ts";

const NONE = { uncovered: [], people: [], standby: null };
const PERSON = { name: "Mo Mate", reach: "mail_only" } as const;

test("without a problem there is none", () => {
  expect(readinessText(NONE, "UTC")).toBeNull();
});

test.each(STANDBY_PROBLEMS)("a standby that is %s is a problem of its own", (standby) => {
  const alone = readinessText({ ...NONE, standby }, "UTC");
  expect(alone?.subject).toBe("Readiness: a standby that is not known to page");
  expect(alone?.text).toContain(STANDBY_PROBLEM_TEXTS[standby]);
  const both = readinessText({ ...NONE, people: [PERSON], standby }, "UTC");
  expect(both?.subject).toBe(
    "Readiness: 1 person who cannot be woken, a standby that is not known to page",
  );
  expect(both?.text).toContain("- Mo Mate: e-mail only");
  expect(both?.text).toContain(STANDBY_PROBLEM_TEXTS[standby]);
});

test("people alone say nothing of a standby", () => {
  const shown = readinessText({ ...NONE, people: [PERSON] }, "UTC");
  expect(shown?.subject).toBe("Readiness: 1 person who cannot be woken");
  expect(shown?.text).not.toContain("standby");
});
