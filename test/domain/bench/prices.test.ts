// The price of an alert, from its billed units and bytes.
import { expect, test } from "vitest";
import {
  BUDGETS,
  exceeded,
  monthlyPriceOf,
  priceOf,
  storagePriceOf,
  type Units,
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

test("a cost at its budget is within it", () => {
  expect(exceeded(BUDGETS)).toEqual([]);
  expect(exceeded({ ...BUDGETS, "object bytes after the end": 1 })).toEqual([
    "object bytes after the end: 1, more than 0",
  ]);
});
