import { describe, expect, test } from "vitest";
import { objectOf, stringAt, stringOf, valueAt } from "../../../src/domain/shared/json.ts";
import { valueAt as valueInAnyCase } from "../../../src/products/reading/payload.ts";

const DOCUMENT = { team: { id: "T1", Members: [{ name: "Ada" }, null] }, count: 3, empty: null };

describe("reading a value at a path", () => {
  test.each([
    [["team", "id"], "T1"],
    [["team", "Members", 0, "name"], "Ada"],
    [["team", "members"], undefined],
    [["team", "Members", 1, "name"], undefined],
    [["team", "Members", 7], undefined],
    [["count", "digits"], undefined],
    [["empty"], null],
    [["constructor"], undefined],
    [["team", "__proto__"], undefined],
    [[], DOCUMENT],
  ] as const)("%j", (path, value) => {
    expect(valueAt(DOCUMENT, ...path)).toEqual(value);
  });

  test.each([[null], [undefined], ["text"], [4], [true]])("of %j is undefined", (value) => {
    expect(valueAt(value, "length")).toBeUndefined();
  });

  test("of a sender's payload matches a missing key in any case, and prefers the exact one", () => {
    expect(valueInAnyCase(DOCUMENT, "TEAM", "members", 0, "Name")).toBe("Ada");
    expect(valueInAnyCase({ ID: 1, id: 2 }, "id")).toBe(2);
    expect(valueInAnyCase({}, "Constructor")).toBeUndefined();
  });
});

describe("a value as an object or a text", () => {
  test("is empty for anything else", () => {
    for (const value of [null, undefined, [], "text", 1]) expect(objectOf(value)).toEqual({});
    for (const value of [null, undefined, [], {}, 1]) expect(stringOf(value)).toBe("");
    expect(objectOf(DOCUMENT)).toBe(DOCUMENT);
    expect(stringAt(DOCUMENT, "team", "id")).toBe("T1");
    expect(stringAt(DOCUMENT, "count")).toBe("");
  });
});
