import { describe, expect, test } from "vitest";
import { parseSearch, type Search } from "../../../src/products/paging/opsgenie-query.ts";

const term = (field: string | null, value: string, operator = ":"): Search =>
  ({ is: "term", field, operator, value }) as Search;

describe("a search", () => {
  test.each<readonly [query: string, search: Search | null]>([
    [" ", null],
    ["disk", term(null, "disk")],
    [
      'status: open AND message: "disk full"',
      { is: "all", of: [term("status", "open"), term("message", "disk full")] },
    ],
    ["createdAt >= 2026-01-01T09:30", term("createdAt", "2026-01-01T09:30", ">=")],
    [
      "tag: (a OR NOT b)",
      { is: "any", of: [term("tag", "a"), { is: "not", of: term("tag", "b") }] },
    ],
    [
      "(a b) OR c",
      { is: "any", of: [{ is: "all", of: [term(null, "a"), term(null, "b")] }, term(null, "c")] },
    ],
  ])("is parsed: %s", (query, search) => {
    expect(parseSearch(query)).toEqual(search);
  });

  test.each([
    ["x".repeat(1_001), "is longer than 1000 characters"],
    ['"open', "has a quote that is not closed"],
    ["a)", "has a parenthesis too many"],
    ["a) OR b)", "has a parenthesis too many"],
    ["(".repeat(11), "nests too deeply"],
    ["()", "lacks something to search for"],
    ["a OR", "lacks something to search for"],
    ["a OR () OR b)", "lacks something to search for"],
    ["(a OR b", "lacks a closing parenthesis"],
    ["tag: (a OR b", "lacks a closing parenthesis"],
    ["tag:", "lacks a value"],
    ["(tag: ) AND (b", "lacks a value"],
    ["NOT", "lacks a value"],
    [": a", "lacks a value"],
    [Array(21).fill("a").join(" "), "has more than 20 terms"],
    [`(${Array(21).fill("a").join(" OR ")}`, "has more than 20 terms"],
  ])("is refused by its first fault: %s", (query, fault) => {
    expect(parseSearch(query)).toEqual({ fault });
  });
});
