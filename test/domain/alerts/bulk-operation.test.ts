// The progress of a bulk operation: what is counted as changed, unchanged and refused.
import { expect, test } from "vitest";
import {
  addResults,
  type BulkProgress,
  type BulkResult,
  resultWithoutCommand,
  startProgress,
} from "../../../src/domain/alerts/bulk-operation.ts";

const T0 = 1_000_000;

test.each([
  ["acknowledge", { status: "open" }, null],
  ["acknowledge", { status: "resolved", resolvedAt: T0 + 5 }, null],
  ["acknowledge", { status: "acknowledged", acknowledgedAt: T0 - 1 }, "unchanged"],
  // It became so in this step, which was interrupted after it.
  ["acknowledge", { status: "acknowledged", acknowledgedAt: T0 + 5 }, "changed"],
  ["resolve", { status: "acknowledged", acknowledgedAt: T0 - 1 }, null],
  ["resolve", { status: "resolved", resolvedAt: T0 - 1 }, "unchanged"],
  ["resolve", { status: "resolved", resolvedAt: T0 }, "changed"],
] as const)("%s an alert that is %o: %s", (action, alert, expected) => {
  const stored = { acknowledgedAt: null, resolvedAt: null, ...alert };
  expect(resultWithoutCommand(action, stored, T0)?.kind ?? null).toBe(expected);
});

test("a deleted alert is refused", () => {
  expect(resultWithoutCommand("resolve", undefined, T0)).toMatchObject({ kind: "refused" });
});

const CHANGED: BulkResult = { kind: "changed" };
const UNAVAILABLE: BulkResult = { kind: "unavailable", message: "the alert could not be reached" };

test("a step is repeated while an alert cannot be reached, then it is refused", () => {
  let progress: BulkProgress = startProgress(T0);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect(
      addResults(
        progress,
        [
          ["a", CHANGED],
          ["b", UNAVAILABLE],
        ],
        T0,
      ),
    ).toBeNull();
    progress = { ...progress, attempts: attempt };
  }
  expect(
    addResults(
      progress,
      [
        ["a", CHANGED],
        ["b", UNAVAILABLE],
      ],
      T0 + 9,
    ),
  ).toEqual({
    position: 2,
    changed: 1,
    unchanged: 0,
    refused: 1,
    refusals: [{ alertId: "b", message: "the alert could not be reached" }],
    stepAt: T0 + 9,
    attempts: 0,
  });
});

test("all refusals are counted, and a bounded number is stored", () => {
  const refusal: BulkResult = { kind: "refused", message: "the alert is suppressed" };
  const results = Array.from({ length: 600 }, (_, i) => [`${i}`, refusal] as const);
  const progress = addResults(startProgress(T0), results, T0);
  expect([progress?.refused, progress?.refusals.length, progress?.position]).toEqual([
    600, 500, 600,
  ]);
});
