// The growth of tables, divided between alerts and request logs.
import { expect, test } from "vitest";
import { growthPerAlert } from "../../bench/price/growth.ts";

const sizes = (trees: Record<string, [bytes: number, payload: number]>) =>
  new Map(
    Object.entries(trees).map(([name, [bytes, payload]]) => [name, { bytes, payload }] as const),
  );

test("a tree that the deletion empties belongs to the request logs, and one it leaves to alerts", () => {
  const before = sizes({ alerts: [1_000, 100], requests: [1_000, 0], people: [500, 50] });
  const after = sizes({ alerts: [3_000, 1_900], requests: [5_000, 3_600], people: [500, 50] });
  const left = sizes({ alerts: [3_000, 1_900], requests: [5_000, 0], people: [500, 50] });
  expect(growthPerAlert(before, after, left, 10)).toEqual([
    { name: "requests", kept: 0, requestLog: 400 },
    { name: "alerts", kept: 200, requestLog: 0 },
  ]);
});

test("a shared tree is divided by the rows that the deletion takes", () => {
  const [growth] = growthPerAlert(
    sizes({ logs: [1_000, 1_000] }),
    sizes({ logs: [5_000, 5_000] }),
    sizes({ logs: [5_000, 4_000] }),
    10,
  );
  expect(growth).toEqual({ name: "logs", kept: 300, requestLog: 100 });
});
