// Each person's hours before and after what a form would do.
import { describe, expect, test } from "vitest";
import { plannedHours } from "../../../src/console/oncall/rotation/plan.ts";
import type { OnCallPreview } from "../../../src/features/oncall/on-call/contract.ts";

const time = (hour: number) => new Date(Date.UTC(2026, 0, 5) + hour * 3_600_000).toISOString();

/** A preview: `A 10 12` has hours before and after; `A 0-4` is on call in these hours then. */
function preview(hours: readonly string[], shifts: readonly string[], end = 100): OnCallPreview {
  return {
    unchanged: false,
    window: { start: time(-50), end: time(end) },
    schedules: [
      {
        ...{ schedule_id: "S", changes: [], gaps_opened: [], gaps_closed: [] },
        hours: hours.map((text) => {
          const [account_user_id = "", before, after] = text.split(" ");
          return { account_user_id, before: Number(before), after: Number(after) };
        }),
        shifts: shifts.map((text) => {
          const [id = "", from, until] = text.split(/[ -]/);
          return {
            ...{ layer: 1, account_user_ids: [id] },
            ...{ start_time: time(Number(from)), end_time: time(Number(until)) },
          };
        }),
      },
    ],
  };
}

const textOf = (...previews: readonly OnCallPreview[]) =>
  plannedHours(previews, "S")?.people.map(({ id, before, after }) => `${id} ${before} ${after}`);

describe("the hours of a plan", () => {
  test("are those of the preview, the largest change first", () => {
    expect(textOf(preview(["A 10 10", "B 10 12", "C 8 0"], []))).toEqual([
      "C 8 0",
      "B 10 12",
      "A 10 10",
    ]);
  });

  test("of several new rotations are all of them together", () => {
    const one = preview(["A 20 24"], ["A 0-4"]);
    const two = preview(["A 20 20", "B 0 6"], ["B 4-10"]);
    expect(textOf(one, two)).toEqual(["B 0 6", "A 20 24"]);
  });

  test("count once where several rotations have the same person at once", () => {
    // A has four hours by each, of which two are the same, beside an hour that stays.
    const one = preview(["A 1 5"], ["A 0-4", "A 20-21"]);
    const two = preview(["A 1 5"], ["A 2-6", "A 20-21"]);
    expect(textOf(one, two)).toEqual(["A 1 7"]);
  });

  test("are left out without a preview, and where previews look at different times", () => {
    expect(plannedHours([], "S")).toBeNull();
    expect(plannedHours([preview([], [])], "other")).toBeNull();
    expect(plannedHours([preview([], []), preview([], [], 500)], "S")).toBeNull();
  });
});
