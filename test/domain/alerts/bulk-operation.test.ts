// The progress of a bulk operation: what is counted as changed, unchanged and refused.
import { expect, test } from "vitest";
import {
  addResults,
  type BulkAction,
  type BulkCommand,
  type BulkProgress,
  type BulkResult,
  resultWithoutCommand,
  startProgress,
} from "../../../src/domain/alerts/bulk-operation.ts";

const T0 = 1_000_000;
const UNTIL = T0 + 3_600_000;

const COMMANDS: Readonly<Record<BulkAction, BulkCommand>> = {
  acknowledge: { type: "acknowledge" },
  resolve: { type: "resolve" },
  snooze: { type: "snooze", until: UNTIL },
  handoff: {
    type: "handoff",
    destinations: { teamIds: ["t"], routerIds: [], accountUserIds: [] },
    note: null,
  },
  merge: { type: "merge", leaderId: "a" },
};

const STORED = {
  ...{ updatedAt: T0 + 9, acknowledgedAt: null, resolvedAt: null, snoozedUntil: null },
  ...{ handedOffAt: null, mergedIntoId: null },
};

test.each([
  ["acknowledge", { status: "open" }, null],
  ["acknowledge", { status: "resolved", resolvedAt: T0 + 5 }, null],
  ["acknowledge", { status: "acknowledged", acknowledgedAt: T0 - 1 }, "unchanged"],
  // It became so in this step, which was interrupted after it.
  ["acknowledge", { status: "acknowledged", acknowledgedAt: T0 + 5 }, "changed"],
  ["resolve", { status: "acknowledged", acknowledgedAt: T0 - 1 }, null],
  ["resolve", { status: "resolved", resolvedAt: T0 - 1 }, "unchanged"],
  ["resolve", { status: "resolved", resolvedAt: T0 }, "changed"],
  ["snooze", { status: "open" }, null],
  ["snooze", { status: "acknowledged", snoozedUntil: UNTIL + 1 }, null],
  ["snooze", { status: "acknowledged", snoozedUntil: UNTIL, updatedAt: T0 - 1 }, "unchanged"],
  ["snooze", { status: "acknowledged", snoozedUntil: UNTIL, updatedAt: T0 }, "changed"],
  ["handoff", { status: "open" }, null],
  // What was handed off before is handed off again, but not twice by one step.
  ["handoff", { status: "open", handedOffAt: T0 - 1 }, null],
  ["handoff", { status: "open", handedOffAt: T0 }, "changed"],
  ["merge", { status: "open" }, null],
  ["merge", { status: "resolved", resolvedAt: T0 + 1 }, "refused"],
  ["merge", { status: "resolved", resolvedAt: T0 + 1, mergedIntoId: "b" }, "refused"],
  ["merge", { status: "resolved", resolvedAt: T0 - 1, mergedIntoId: "a" }, "unchanged"],
  ["merge", { status: "resolved", resolvedAt: T0 + 1, mergedIntoId: "a" }, "changed"],
] as const)("%s an alert that is %o: %s", (action, alert, expected) => {
  expect(resultWithoutCommand(COMMANDS[action], { ...STORED, ...alert }, T0)?.kind ?? null).toBe(
    expected,
  );
});

test("a deleted alert is refused", () => {
  expect(resultWithoutCommand({ type: "resolve" }, undefined, T0)).toMatchObject({
    kind: "refused",
  });
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
