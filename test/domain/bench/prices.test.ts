// The price of an alert, from its billed units and bytes.
import { expect, test } from "vitest";
import {
  BUDGETS,
  exceeded,
  monthlyPriceOf,
  ofAlerts,
  priceOf,
  storagePriceOf,
  type Units,
  unitsOf,
} from "../../bench/price/prices.ts";

const UNITS: Units = {
  "worker requests": 4,
  "object calls": 6,
  "object GB-s": 0.01,
  "object rows read": 30,
  "object rows written": 14,
  "D1 rows read": 100,
  "D1 rows written": 18,
  "queue operations": 3,
};

test("a million alerts cost their units at list price", () => {
  expect(priceOf(UNITS)).toBeCloseTo(1.2 + 0.9 + 0.125 + 0.03 + 14 + 0.1 + 18 + 1.2);
});

test("the plan includes some of them", () => {
  expect(monthlyPriceOf(UNITS)).toBeCloseTo(5 + 0.75 + 0.8);
  expect(monthlyPriceOf({ ...UNITS, "D1 rows written": 51 })).toBeCloseTo(5 + 0.75 + 0.8 + 1);
});

test("alerts are stored for thirteen months, and request logs for one", () => {
  expect(storagePriceOf({ kept: 1_000, requestLog: 0, object: 0 })).toBeCloseTo(13 * 0.75);
  expect(storagePriceOf({ kept: 0, requestLog: 1_000, object: 0 })).toBeCloseTo(0.75);
  expect(storagePriceOf({ kept: 0, requestLog: 0, object: 1_000 })).toBeCloseTo(13 * 0.2);
});

test.each([1, 60, 341, 2_000])("the retirement of %i alerts is theirs alone", (alerts) => {
  const retirement = {
    ...{ d1: {}, objects: {}, simulator: {}, calls: [], requests: 0, objectCalls: 0, objectMs: 0 },
    ...{ queueBatches: 0, queueMessages: 0 },
    statements: {
      "delete alerts": { runs: 1, read: 10 * alerts, written: 4 * alerts },
      "delete changes": { runs: 4, read: 21, written: 2 },
      "delete change_schedules": { runs: 4, read: 24, written: 1 },
    },
  };
  expect(unitsOf(ofAlerts(retirement), alerts)["D1 rows written"]).toBe(4);
});

test("a cost at its budget is within it", () => {
  expect(exceeded(BUDGETS)).toEqual([]);
  expect(exceeded({ ...BUDGETS, "object bytes after the end": 1 })).toEqual([
    "object bytes after the end: 1, more than 0",
  ]);
});
