// The steps of an escalation policy in its form: what the buttons add, remove and move, and what is saved.
import { describe, expect, test } from "vitest";
import { changedRows, layersOf } from "../../../src/console/routing/escalation-steps.tsx";

const row = (layer: number, timeout: string, id = `l${layer}`) => ({
  ...{ id, layer, timeout, timeout_unit: "minutes" },
});
const shown = (rows: ReturnType<typeof changedRows>) =>
  rows.map(({ id, layer, timeout }) => `${layer}:${timeout}:${id}`);

const ROWS = [row(1, "5"), row(2, "10"), row(4, "15")];

describe("the steps of a policy", () => {
  test.each([
    ["add", ["1:5:l1", "2:10:l2", "4:15:l4", "3:10:"]],
    ["remove 2", ["1:5:l1", "2::l2", "4:15:l4"]],
    ["up 4", ["1:5:l1", "4:10:l2", "2:15:l4"]],
    ["up 1", ["1:5:l1", "2:10:l2", "4:15:l4"]],
    ["remove 9", ["1:5:l1", "2:10:l2", "4:15:l4"]],
    ["", ["1:5:l1", "2:10:l2", "4:15:l4"]],
  ])("after %s", (change, expected) => {
    expect(shown(changedRows(ROWS, change))).toEqual(expected);
  });

  test("a removed number is free again, and is added below the others", () => {
    const rows = changedRows(changedRows(ROWS, "remove 1"), "add");
    expect(shown(rows)).toEqual(["1::l1", "2:10:l2", "4:15:l4", "1:10:"]);
  });

  test("are saved as updates, additions and removals", () => {
    const layers = {
      0: row(1, "5"),
      1: row(2, ""),
      2: { layer: "3", timeout: "7" },
      3: row(4, "", ""),
    };
    expect(layersOf({ layers })).toEqual([
      { id: "l1", layer: 1, timeout: "5", timeout_unit: "minutes" },
      { id: "l2", _destroy: true },
      { layer: 3, timeout: "7", timeout_unit: "minutes" },
    ]);
    expect(layersOf({})).toEqual([]);
  });
});
