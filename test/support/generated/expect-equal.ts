// The expectation of tests that compare hundreds of thousands of values.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/**
 * As `expect(actual, label).toEqual(expected)`, which is called only for values that are not the same: its calls took more
 * time than the computation of what they compare.
 */
export function expectEqual(actual: unknown, expected: unknown, label?: () => string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, label?.()).toEqual(expected);
}
