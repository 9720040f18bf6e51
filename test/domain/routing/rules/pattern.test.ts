// No regular expression of a user hangs the service: its work is counted and bounded. Nothing here measures time; an
// expression that backtracked would exceed the time limit of the test.
import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../../src/domain/routing/conditions/pattern.ts";
import { MAX_WORK, newWorkBudget } from "../../../../src/domain/routing/conditions/work-budget.ts";
import { firstMatch } from "../../../../src/domain/routing/rules/first-match.ts";
import { readRouterRules } from "../../../../src/domain/routing/rules/router-rules.ts";

const matches = (source: string, text: string, options = "") => {
  const result = compilePattern(source, options);
  if (!result.ok) throw new Error(result.message);
  return result.pattern(text, newWorkBudget());
};

describe("expressions that make a backtracking engine hang", () => {
  test.each([
    ["^(a+)+$", "a", "b"],
    ["^(a|aa)+$", "a", "b"],
    ["^(.*)*x$", "a", "b"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""],
    ["^(a?){20}a{20}$", "a", "b"],
    ["(x+x+)+y", "x", ""],
    ["^(\\w+\\s?)*$", "word ", "!"],
    ["^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$", "a", "!"],
  ])("%s", (source, piece, end) => {
    expect(matches(source, piece.repeat(5000) + end)).toBe(false);
  });
});

test("evaluation that takes too much work is aborted and reported", () => {
  const conditions = Array.from(
    { length: 40 },
    (_, i) => `{ alert.x: { $regex: "[ab].{400}[c${i}]d" } }`,
  );
  const text = `rules:\n  - match: { $or: [${conditions.join(", ")}] }\n    actions: [{ type: ignore }]`;
  const result = readRouterRules(text);
  if (!result.ok) throw new Error("the document is at fault");
  const view = { alert: { x: "ab".repeat(20_000) } };
  const work = { ...newWorkBudget(), left: MAX_WORK / 10 };
  expect(firstMatch(result.rules, view, 0, work)).toEqual({ kind: "too_much" });
  const short = { alert: { x: "ab".repeat(10) } };
  expect(firstMatch(result.rules, short, 0, newWorkBudget())).toEqual({ kind: "none" });
});

test("evaluation of nested lists takes work for each of their elements", () => {
  const result = readRouterRules(
    "rules:\n  - match: { log.data.a.a.a.x: 1 }\n    actions: [{ type: ignore }]",
  );
  if (!result.ok) throw new Error("the document is at fault");
  const inner = Array.from({ length: 100 }, () => ({ x: 0 }));
  const view = { log: { data: { a: inner.map(() => ({ a: inner.map(() => ({ a: inner })) })) } } };
  expect(firstMatch(result.rules, view, 0, { ...newWorkBudget(), left: 100_000 })).toEqual({
    kind: "too_much",
  });
});

test("evaluation that takes too much work finds no later rule, the next one does", () => {
  const result = readRouterRules(
    "rules:\n  - match: { log.data.x: 1 }\n    actions: [{ type: ignore }]\n  - match: { always: true }\n    actions: [{ type: ignore }]",
  );
  if (!result.ok) throw new Error("the document is at fault");
  const view = { log: { data: Array.from({ length: 100 }, () => ({ x: 0 })) } };
  const work = { ...newWorkBudget(), left: 50 };
  expect(firstMatch(result.rules, view, 0, work)).toEqual({ kind: "too_much" });
  const [, always] = result.rules;
  expect(firstMatch(always ? [always] : [], view, 0, work)).toMatchObject({ kind: "rule" });
});
