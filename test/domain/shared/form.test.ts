import { describe, expect, test } from "vitest";
import { readForm } from "../../../src/domain/shared/form.ts";

const read = (text: string) => JSON.parse(JSON.stringify(readForm(new URLSearchParams(text))));

describe("forms", () => {
  test.each([
    ["a=1", { a: "1" }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["k[]=x", { k: ["x"] }],
    ["k[]=x&k[]=y", { k: ["x", "y"] }],
    ["a[b]=x&a[c][d]=y", { a: { b: "x", c: { d: "y" } } }],
    ["k[][b]=1&k[][c]=2&k[][b]=3", { k: [{ b: "1", c: "2" }, { b: "3" }] }],
    ["a[constructor]=1", { a: { constructor: "1" } }],
    ["__proto__=1&a[__proto__]=1&b=2", { a: {}, b: "2" }],
    ["a[b=1", { "a[b": "1" }],
  ])("%s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test("rejects too many fields and too deep nesting", () => {
    expect(readForm(new URLSearchParams("a=1&".repeat(40_000)))).toBeNull();
    expect(readForm(new URLSearchParams(`a${"[b]".repeat(300_000)}=1`))).toBeNull();
  });
});
