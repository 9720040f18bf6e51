import { describe, expect, test } from "vitest";
import { isSameSecret } from "../../../src/kernel/same-secret.ts";

describe("secrets", () => {
  test.each([
    ["", "", true],
    ["a", "a", true],
    ["ü", "ü", true],
    ["a", "b", false],
    ["a", "ab", false],
    ["", "a", false],
    // As many characters, but not as many bytes.
    ["üü", "ab", false],
    ["\ud800a", "ab", false],
  ])("%j and %j: %s", (one, other, same) => {
    expect(isSameSecret(one, other)).toBe(same);
    expect(isSameSecret(other, one)).toBe(same);
  });
});
