import { expect, test } from "vitest";
import { waitOf } from "../../../src/kernel/console/lengths.ts";

test.each([
  [0, "0:00"],
  [30_000, "0:30"],
  [90_000, "1:30"],
  [725_400, "12:05"],
  [3_600_000, "1:00:00"],
  [36_065_000, "10:01:05"],
])("%i ms is %s", (ms, expected) => {
  expect(waitOf(ms)).toBe(expected);
});
