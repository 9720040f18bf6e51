// Structured details as people read them: complete where they are small, bounded where they are not.
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatLines } from "../../../src/integrations/reading/readable-lines.ts";
import { sized } from "../../support/generated/sizes.ts";

test.each([
  ["a text", "as it is", "as it is"],
  ["nothing", null, null],
  ["an empty object", {}, null],
  [
    "values",
    { load: 3.2, up: true, host: "db-1", none: null, empty: "" },
    "load: 3.2\nup: true\nhost: db-1",
  ],
  ["a list of values", { hosts: ["a", "b"] }, "hosts: a, b"],
  ["a list by itself", ["a", { b: 1 }], "- a\n-\n  b: 1"],
  ["objects in objects", { a: { b: { c: 1 } }, d: 2 }, "a:\n  b:\n    c: 1\nd: 2"],
  [
    "objects in lists",
    { disks: [{ name: "sda", use: 97 }] },
    "disks:\n  -\n    name: sda\n    use: 97",
  ],
  ["a text of several lines", { log: "one\ntwo" }, "log: one\n  two"],
])("%s", (_name, value, expected) => {
  expect(formatLines(value)).toBe(expected);
});

test("what is deep or long is cut, and says so", () => {
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  expect(formatLines(deep)).toContain('e: {"f":1}');
  const long = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key${i}`, i]));
  const lines = formatLines(long)?.split("\n") ?? [];
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toBe("…");
  expect(formatLines({ a: "x".repeat(10_000) })?.length).toBeLessThan(2_100);
});

test("any value is read, within bounds, and every short one is in it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = formatLines(value);
      expect(text === null || text.trim() !== "").toBe(true);
      expect((text ?? "").length).toBeLessThan(300_000);
    }),
    { numRuns: sized(200, 5_000) },
  );
});
