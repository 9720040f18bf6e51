// Formatting of structured details as text: complete if small, truncated if large.
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatLines } from "../../../src/products/reading/readable-lines.ts";
import { sized } from "../../support/generated/sizes.ts";

test.each([
  ["a text", "as it is", "as it is"],
  ["null", null, null],
  ["an empty object", {}, null],
  [
    "an object of values",
    { load: 3.2, up: true, host: "db-1", none: null, empty: "" },
    "load: 3.2\nup: true\nhost: db-1",
  ],
  ["a list of values", { hosts: ["a", "b"] }, "hosts: a, b"],
  ["a top-level list", ["a", { b: 1 }], "- a\n-\n  b: 1"],
  ["objects in objects", { a: { b: { c: 1 } }, d: 2 }, "a:\n  b:\n    c: 1\nd: 2"],
  [
    "objects in lists",
    { disks: [{ name: "sda", use: 97 }] },
    "disks:\n  -\n    name: sda\n    use: 97",
  ],
  ["a multi-line text", { log: "one\ntwo" }, "log: one\n  two"],
])("formats %s", (_name, value, expected) => {
  expect(formatLines(value)).toBe(expected);
});

test("formats deep values as JSON, and truncates long ones visibly", () => {
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  expect(formatLines(deep)).toContain('e: {"f":1}');
  const long = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key${i}`, i]));
  const lines = formatLines(long)?.split("\n") ?? [];
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe("…");
  expect(formatLines({ a: "x".repeat(10_000) })?.length).toBeLessThan(2_100);
});

test("formats any value within bounds", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = formatLines(value);
      expect(text === null || text.trim() !== "").toBe(true);
      expect((text ?? "").length).toBeLessThan(300_000);
    }),
    { numRuns: sized(200, 5_000) },
  );
});
